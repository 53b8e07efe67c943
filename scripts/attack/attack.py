"""What the attacks share: where the program and its tests are, options, and findings as lines and an exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / folder) for folder in ("src", "tests", "benchmarks", "scripts")]


def options(page: str | None, **defaults: Any) -> argparse.Namespace:
    """Return the options of the command line; each has a default, and with it a type.

    Args:
        page: The docstring of the program.
    """
    parser = argparse.ArgumentParser(description=page, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=type(value), default=value, metavar="N", help=f"({value})")
    return parser.parse_args()


def exit_code(findings: Iterable[str], otherwise: str = "") -> int:
    """Print findings, a line each, and how many there are; return 1 if there is one."""
    count = 0
    for finding in findings:
        print(f"WRONG: {finding[:600]}", flush=True)
        count += 1
    print(f"{count} findings" if count else otherwise or "0 findings")
    return int(count > 0)
