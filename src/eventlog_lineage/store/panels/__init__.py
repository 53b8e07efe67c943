"""Nine questions that the people who run a data platform ask of a store, as SQL over its public tables.

A panel is a file of this folder and an entry in `PANELS`. The SQL names public tables only and no macro or view, so
that it runs over the Parquet files as well as in `lineage.duckdb`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.errors import UsageError
from eventlog_lineage.user_times import read_span

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer, OpenStore

_SQL = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Panel:
    """A question with the query that answers it.

    Attributes:
        name: The SQL file's name; also the panel's id in reports and dashboards.
        note: What to know when reading the answer.
        summary: What the command of the panel does.
        empty: The answer without rows.
    """

    name: str
    title: str
    question: str
    note: str
    summary: str
    empty: str = "Nothing."

    @property
    def query(self) -> str:
        """The query."""
        return (_SQL / f"{self.name}.sql").read_text(encoding="utf-8")

    def answer(self, store: OpenStore) -> Answer:
        """Return the answer of a store; errors are one line."""
        from eventlog_lineage.store.queries.open_store import with_error_lines  # noqa: PLC0415 - help needs none of it

        if self.name == "personal_data":
            from eventlog_lineage.store.queries.inventory import check_tags  # noqa: PLC0415 - as above

            check_tags(store)
        found = store.ask(self.query)
        return with_error_lines(found, "error") if "error" in found.names else found


PANELS = (
    Panel(
        "nights",
        "Nights",
        "How did the nights go?",
        "A statement counts for the day (UTC) on which it started. Seconds are the sum of the statements' durations.",
        "Show the statements of each day: how many succeeded and failed, how long they took.",
        "No runs.",
    ),
    Panel(
        "failures",
        "Failures",
        "What failed last, and what depends on it?",
        "Jobs whose last write of a dataset failed. Waiting jobs read the dataset; waiting datasets are downstream "
        "of it.",
        "Show the jobs whose last write failed: the error in one line, the last good run, who waits.",
        "No job failed last.",
    ),
    Panel(
        "late",
        "Late",
        "Which tables are late?",
        "The usual gap is the median time between two applications that write the dataset; at least three are needed. "
        "The age is that at the last event of any harvested log.",
        "Show the datasets by the time since their last write, in units of the usual interval.",
        "No dataset is written at a regular interval.",
    ),
    Panel(
        "do_not_break",
        "Do not break",
        "Which columns must not break?",
        "The hundred columns with the most direct uses, by what depends on them through all hops: columns made of "
        "them, and the datasets and jobs that use them.",
        "Show the columns that most other columns, datasets and jobs depend on.",
        "No lineage.",
    ),
    Panel(
        "personal_data",
        "Personal data",
        "Where does personal data arrive unmasked?",
        "Starts at columns with the tag PII and follows values until a hash or a mask. Unless a file declares the tag, "
        "columns with a name such as email, phone or iban have it; names can mislead in both directions.",
        "Show where columns with the tag PII, by default those with names of personal data, arrive without a hash or a "
        "mask.",
        "No such column arrives unmasked.",
    ),
    Panel(
        "changes",
        "Changes",
        "What changed, and what did it break?",
        "Dependants are the columns that were made of a dropped, renamed or retyped column. A reader that failed in "
        "its next run is listed with the change; the change is not necessarily the cause.",
        "Show what changed, and what it broke.",
        "No changes.",
    ),
    Panel(
        "removable",
        "Removable",
        "What can be removed?",
        "Written, and read by no statement in the harvested logs. Reads by other engines are not seen.",
        "Show what is written and never read.",
        "Everything is read.",
    ),
    Panel(
        "cost",
        "Cost",
        "What costs most?",
        "Executor seconds are the time of all tasks, seconds the wall time of the statements; event logs hold no "
        "money. Growth is the last run against the median of the runs before.",
        "Show jobs and datasets by what they cost: executor time, wall time, bytes.",
        "No runs.",
    ),
    Panel(
        "trust",
        "Trust",
        "Can I rely on this?",
        "How sure the current edges are, what could not be resolved and why, and which logs were read.",
        "Show how certain the lineage is, what could not be resolved, and which logs were read.",
        "No lineage.",
    ),
)
"""The panels, in the order in which they are shown."""


def find_panel(name: str) -> Panel:
    """Return a panel by its name.

    Raises:
        UsageError: There is no such panel.
    """
    for panel in PANELS:
        if panel.name == name.replace("-", "_"):
            return panel
    raise UsageError(f"no panel is called {name}", hint=f"one of {', '.join(panel.name for panel in PANELS)}")


@dataclass(frozen=True, slots=True)
class Due:
    """A rule for datasets.

    Attributes:
        pattern: A dataset's name, `spark_catalog.` may be left out; `*` matches any text.
        seconds: The longest time between two writes.
    """

    pattern: str
    seconds: int

    def matches(self, dataset: str) -> bool:
        """Return whether the rule is one for a dataset."""
        return fnmatchcase(dataset, self.pattern) or fnmatchcase(dataset.removeprefix("spark_catalog."), self.pattern)


def read_due(texts: Sequence[str]) -> tuple[Due, ...]:
    """Return rules that a user wrote: `sales.daily=26h`, `gold.*=1d`.

    Raises:
        UsageError: A rule has no name, or its span is invalid.
    """
    return tuple(_read(text) for text in texts)


def _read(text: str) -> Due:
    name, _, span = text.rpartition("=")
    with suppress(UsageError):
        if name.strip() and (seconds := int(read_span(span).total_seconds())):
            return Due(name.strip(), seconds)
    raise UsageError(f"invalid rule {text!r}", hint="use NAME=SPAN such as sales.daily=26h or gold.*=1d")


def late(store: OpenStore, due: Sequence[Due] = ()) -> Answer:
    """Return the panel Late: the age of each dataset's last write, in units of its usual gap or of what a rule states.

    Args:
        due: The rules; the first that matches a dataset counts. A dataset with a rule needs one write only.
    """
    from eventlog_lineage.store.schema.relations import sql_text  # noqa: PLC0415 - help needs none of it

    found = find_panel("late").answer(store)
    if not due:
        return found
    stated: list[tuple[object, ...]] = []
    for dataset, last_write, age, writes, *known in store.ask(sql_text("queries/last_writes")).rows:
        rule = next((each for each in due if each.matches(str(dataset))), None)
        if rule:
            times = round(float(str(age)) / rule.seconds, 1)
            stated.append((dataset, last_write, float(rule.seconds), age, times, writes, *known))
    ruled = {row[0] for row in stated}
    rows = [*(row for row in found.rows if row[0] not in ruled), *stated]
    return replace(found, rows=sorted(rows, key=lambda row: (-float(str(row[4])), str(row[0]))))
