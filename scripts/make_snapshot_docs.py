"""Writes the answers in docs/snapshots.md, from a harvest of tests/lakehouse_logs; needs Java 17.

PYTHONPATH=src python scripts/make_snapshot_docs.py
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tempfile
from pathlib import Path

from eventlog_lineage.cli.main import run
from eventlog_lineage.harvest.run import HarvestOptions, harvest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "snapshots.md"
LOGS = [str(ROOT / "tests" / "lakehouse_logs" / f"{name}.zstd") for name in ("delta-3-5", "iceberg-4-1", "paimon-3-5")]

_CALL = re.compile(r"(```console\n\$ eventlog-lineage (.*)\n)(?:[^`]|`(?!``))*(```\n)")


def answered(page: str, store: Path) -> str:
    """The page with the answers of today's program.

    Args:
        page: Markdown with calls of the program, each in a block of its own.
        store: What they ask.

    Raises:
        ValueError: A call fails.
    """

    def answer(match: re.Match[str]) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = run([*shlex.split(match[2]), "--store", str(store)])
        if code:
            raise ValueError(f"{match[2]} ends with {code}")
        return f"{match[1]}{printed.getvalue()}{match[3]}"

    return _CALL.sub(answer, page)


def main() -> None:
    """Harvests and writes the page."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "lineage"
        harvest(LOGS, store, HarvestOptions(master="local[2]"))
        PAGE.write_text(answered(PAGE.read_text(encoding="utf-8"), store), encoding="utf-8")


if __name__ == "__main__":
    main()
