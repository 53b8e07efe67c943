"""Prints the lineage of every statement of event logs, a block each, under the description that its job gave it.

`docs/lineage/` holds what it printed for the labelled statements of two logs, read through by a person, statement by
statement, against the SQL; the program compares a log with such a file, too.

Usage: `python benchmarks/labelled_lineage.py LOG [GOLDEN]`; with a golden file it prints what
differs and fails on any difference.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log
from eventlog_lineage.lineage.results.lineage_names import render_lineage

# Session scratch names and call sites of Python frames differ between two runs of the same job.
_OF_ONE_RUN = re.compile(r"0x[0-9a-f]{6,}|/tmp/[\w.-]*[0-9a-f]{8}[\w.-]*")


def blocks(log: str) -> Iterator[str]:
    """A block per statement of the log, in the order of their executions."""
    for found in find_logs([log]):
        for traced in trace_log(read_log(found)):
            yield f"# {label(traced)}\n{render_lineage(traced.lineage)}"


def label(traced: TracedStatement) -> str:
    """The description of a statement, on one line, and which execution it is."""
    description = " ".join(traced.root.description.split())
    return f"{traced.root.execution_id} {_OF_ONE_RUN.sub('…', description)[:120]}"


def main(log: str, golden: str | None = None) -> None:
    """Prints the lineage, or where it differs from the golden file."""
    text = "\n\n".join(blocks(log)) + "\n"
    if golden is None:
        print(text, end="")
        return
    wanted = Path(golden).read_text()
    differences = list(difflib.unified_diff(wanted.splitlines(), text.splitlines(), golden, log, lineterm=""))
    print("\n".join(differences) if differences else f"{text.count(chr(10) + chr(10)) + 1} statements, no difference")
    sys.exit(bool(differences))


if __name__ == "__main__":
    main(*sys.argv[1:])
