"""What terminals of several widths show for every question, over the shop of three nights."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from duckdb import DuckDBPyConnection

from eventlog_lineage.cli.main import run
from eventlog_lineage.store.queries import open_store
from eventlog_lineage.store.queries.open_store import Answer

SCREENS = Path(__file__).resolve().parents[2] / "cli" / "screens"
WIDTHS = (80, 120, 200)

QUESTIONS: dict[str, tuple[str, ...]] = {
    "changes": ("changes", "--since", "2026-11-20"),
    "columns": ("columns", "sales.daily_sales"),
    "cycles": ("cycles",),
    "diff": ("diff", "2026-11-19T12:00", "2026-11-21"),
    "downstream": ("downstream", "staging.orders.amount"),
    "downstream-of-a-table": ("downstream", "s3://lake/landing/orders"),
    "costs": ("costs", "--limit", "5"),
    "erasure": ("erasure", "staging.customers.id"),
    "erd": ("erd",),
    "failures": ("failures",),
    "find": ("find", "region"),
    "gaps": ("gaps",),
    "history": ("history", "sales.daily_sales"),
    "hot": ("hot", "--limit", "5"),
    "impact": ("impact", "staging.customers.region"),
    "jobs": ("jobs",),
    "jobs-of-a-table": ("jobs", "sales.loyal_customers"),
    "jobs-runs": ("jobs", "sales.loyal_customers", "--runs"),
    "keys": ("keys",),
    "late": ("late",),
    "ls": ("ls",),
    "nights": ("nights",),
    "path": ("path", "landing/orders.amount", "loyal_customers.region_revenue"),
    "personal-data": ("personal-data",),
    "sql": (
        "sql",
        "SELECT job_name, runs, failed_runs, last_run, last_status, median_seconds, targets FROM jobs ORDER BY 1",
    ),
    "tags": ("tags",),
    "trust": ("trust", "--columns", "topic,item,count"),
    "udfs": ("udfs",),
    "unused": ("unused", "--since", "2026-11-01"),
    "upstream": ("upstream", "loyal_customers.region_revenue"),
    "why": ("why", "sales.daily_sales.revenue"),
    "why-late": ("why-late", "sales.loyal_customers"),
    "upstream-table": ("upstream", "loyal_customers.region_revenue", "--direct-only", "--format", "table"),
}
"""The screen's name to the command and its arguments; each question command has one at least."""


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        """Return that it is one."""
        return True


def screen(store: Path, words: tuple[str, ...], width: int) -> str:
    """Return what a terminal of a width shows after a command, with the command."""
    terminal = _Terminal()
    settings = {"COLUMNS": str(width), "LINES": "1000", "NO_COLOR": "1"}
    with mock.patch.dict(os.environ, settings), contextlib.redirect_stdout(terminal):
        code = run([*words, "--store", str(store)])
    assert code == 0, words
    typed = " ".join(f'"{word}"' if " " in word else word for word in words)
    return f"$ eventlog-lineage {typed}\n{terminal.getvalue()}"


def screens(store: Path) -> Iterator[tuple[Path, str]]:
    """Yield the file and the text of each screen; the store answers once, for all widths."""
    answers: dict[tuple[str, str], Answer] = {}
    whole = open_store._answer

    def answer(connection: DuckDBPyConnection, query: str, parameters: Any = (), **limits: Any) -> Answer:
        key = query, repr(parameters)
        if key not in answers:
            answers[key] = whole(connection, query, parameters, **limits)
        return answers[key]

    for width in WIDTHS:
        for name, words in QUESTIONS.items():
            with mock.patch.object(open_store, "_answer", answer):
                yield SCREENS / str(width) / f"{name}.txt", screen(store, words, width)
