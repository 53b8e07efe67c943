"""Run an agent's SQL in a process of its own, which returns its memory and its threads when it ends.

DuckDB's limit of memory leaves out the texts of a result, DuckDB keeps the address space that a query took, and a
single function of a long text cannot be interrupted: within the server, one query could make all later ones fail.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path

from eventlog_lineage.errors import LineageError, QueryError
from eventlog_lineage.safe_text import escape_controls
from eventlog_lineage.store.queries.open_store import Answer, late_question, open_store

_MEMORY = 1 << 30
_MOST_BYTES = 64 << 20
"""Bytes of an answer."""

_TOO_LARGE = "the query needs too much memory; add a filter or a LIMIT"
_NO_MEMORY = ("MemoryError", "bad_alloc", "annot allocate memory", "Out of Memory")

_HOME = Path(__file__).parents[2]
"""Where this package is imported from; the working folder may be anybody's, and `python -m` imports from it."""


def as_json(value: object) -> object:
    """Return a value as JSON has it: times in ISO 8601, texts with control characters escaped."""
    if isinstance(value, str):
        return escape_controls(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {escape_controls(str(name)): as_json(each) for name, each in value.items()}
    if isinstance(value, Sequence):
        return [as_json(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def limit_memory() -> None:
    """Limit the memory of this process to 1 GiB: DuckDB's own limit counts no texts of a result."""
    try:
        import resource  # noqa: PLC0415 - Unix only
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    least = min(each for each in (_MEMORY, soft, hard) if each != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_DATA, (least, hard))


def ask_apart(store: Path, query: str, seconds: float) -> Answer:
    """Return the answer of a query, with the values that JSON has.

    Raises:
        QueryError: It fails, takes longer, needs more than 1 GiB, or its process is killed or crashes.
    """
    call, asked = [sys.executable, "-m", __name__], json.dumps([str(store.absolute()), query])
    try:
        done = subprocess.run(
            call, input=asked, capture_output=True, text=True, timeout=seconds, cwd=_HOME, check=False
        )
    except subprocess.TimeoutExpired:
        raise late_question(seconds) from None
    if done.returncode:
        raise _ended(done.returncode, done.stderr)
    found = json.loads(done.stdout)
    if "error" in found:
        raise QueryError(*found["error"])
    return Answer(tuple(found["names"]), [tuple(row) for row in found["rows"]])


def _ended(code: int, printed: str) -> QueryError:
    """Return the error for a process without an answer; C++ prints the allocation that failed before it aborts."""
    if any(word in printed for word in _NO_MEMORY):
        return QueryError(_TOO_LARGE)
    last = escape_controls((printed.splitlines() or ["no message"])[-1])[:500]
    if code > 0:
        return QueryError(f"the process of the query failed with exit code {code}: {last}")
    if -code == signal.SIGKILL:
        return QueryError("the process of the query was killed; check whether the machine is out of memory")
    return QueryError(f"the process of the query crashed with signal {-code} ({signal.strsignal(-code)}): {last}")


def main() -> None:
    """Answer the query on standard input."""
    limit_memory()
    store, query = json.load(sys.stdin)
    try:
        with open_store(store) as opened:
            answer = opened.ask_freely(query, _MOST_BYTES)
        found = {"names": answer.names, "rows": [[as_json(value) for value in row] for row in answer.rows]}
    except LineageError as error:
        found = {"error": [error.what, error.where, error.hint]}
    except MemoryError:
        found = {"error": [_TOO_LARGE]}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
