"""Writes the screens that tests/cli/test_screens.py compares: read the difference before you commit it.

PYTHONPATH=src python scripts/make_screens.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.pages.screens import SCREENS, screens
from support.stores.shop import open_shop


def main() -> None:
    """Write all screens."""
    for old in SCREENS.glob("*/*.txt"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        open_shop(Path(folder))
        for path, text in screens(Path(folder)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
