"""Writes the golden files anew: what the program says today, for a person to read as a diff.

Usage: `python scripts/make_goldens.py` after `pip install -e .`; then `git diff tests/`.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.goldens import FIXTURES, golden_text


def main() -> None:
    """Writes a `.lineage` beside every `.plan`."""
    plans = sorted(FIXTURES.glob("*/*.plan"))
    for plan in plans:
        plan.with_suffix(".lineage").write_text(golden_text(plan))
    print(f"{len(plans)} golden files written below {FIXTURES}")


if __name__ == "__main__":
    main()
