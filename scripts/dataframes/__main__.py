"""Runs the statements: `python -m dataframes ROOT MODE [--connect | --more]`."""

from __future__ import annotations

import sys

from . import checkpoints, frames, functions, restarts, streams, views
from .shop import Shop


def main() -> None:
    """Run all."""
    root, mode = sys.argv[1:3]
    if "--connect" in sys.argv:
        Shop(root, f"dataframes {mode}", mode, connect=True).run(checkpoints, streams)
    elif "--more" in sys.argv:
        Shop(root, f"more dataframes {mode}", mode).run(frames, restarts)
    else:
        Shop(root, f"dataframes {mode}", mode).run(views, functions, checkpoints, streams)


main()
