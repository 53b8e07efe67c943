"""Write tests/export/golden: the exports of the shop's store (tests/support/stores/shop.py).

Read the difference afterwards.

PYTHONPATH=src:tests python scripts/make_export_goldens.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from support.stores.exports import GOLDEN, golden_exports
from support.stores.shop import open_shop


def main() -> None:
    """Write the files."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "lineage"
        open_shop(store)
        for name, text in golden_exports(store).items():
            (GOLDEN / name).write_bytes(text.encode())


if __name__ == "__main__":
    main()
