"""Runs the cells of examples/lineage.ipynb and writes their outputs; `./scripts/demo` makes the store that they read.

PYTHONPATH=src python scripts/make_notebook.py
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.docs.notebook import run_cells

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Run the notebook in the repository's folder."""
    os.chdir(ROOT)
    path = ROOT / "examples" / "lineage.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(run_cells(notebook), 1):
        cell.update(execution_count=number, outputs=outputs)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
