"""Nine questions that the people who run a data platform ask of a store, as SQL over its public tables.

A panel is a file of this folder and an entry in `PANELS`. The SQL names public tables only and no macro or view, so
that it runs over the Parquet files as well as in `lineage.duckdb`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_SQL = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Panel:
    """A question with the query that answers it.

    Attributes:
        name: The SQL file's name; also the panel's id in reports and dashboards.
        title: A word or two.
        question: What it answers.
        note: What to know when reading the answer.
    """

    name: str
    title: str
    question: str
    note: str

    @property
    def query(self) -> str:
        """The query."""
        return (_SQL / f"{self.name}.sql").read_text(encoding="utf-8")


PANELS = (
    Panel(
        "nights",
        "Nights",
        "How did the nights go?",
        "A statement counts for the day (UTC) on which it started. Seconds are the sum of the statements' durations.",
    ),
    Panel(
        "failures",
        "Failures",
        "What failed last, and what depends on it?",
        "Jobs whose last write of a dataset failed. Waiting jobs read the dataset; waiting datasets are downstream "
        "of it.",
    ),
    Panel(
        "late",
        "Late",
        "Which tables are late?",
        "The usual gap is the median time between two applications that write the dataset; at least three are needed. "
        "The age is that at the last harvest.",
    ),
    Panel(
        "do_not_break",
        "Do not break",
        "Which columns must not break?",
        "The hundred columns with the most direct uses, by what depends on them through all hops: columns made of "
        "them, and the datasets and jobs that use them.",
    ),
    Panel(
        "personal_data",
        "Personal data",
        "Where does personal data arrive unmasked?",
        "Starts at columns with a name such as email, phone or iban and follows values until a hash or a mask. "
        "Names can mislead in both directions.",
    ),
    Panel(
        "changes",
        "Changes",
        "What changed, and what did it break?",
        "Dependants are the columns that were made of a dropped, renamed or retyped column. A reader that failed in "
        "its next run is listed with the change; the change is not necessarily the cause.",
    ),
    Panel(
        "removable",
        "Removable",
        "What can be removed?",
        "Written, and read by no statement in the harvested logs. Reads by other engines are not seen.",
    ),
    Panel(
        "cost",
        "Cost",
        "What costs most?",
        "Executor seconds are the time of all tasks, seconds the wall time of the statements; event logs hold no "
        "money. Growth is the last run against the median of the runs before.",
    ),
    Panel(
        "trust",
        "Trust",
        "Can I rely on this?",
        "How sure the current edges are, what could not be resolved and why, and which logs were read.",
    ),
)
"""The panels, in the order in which they are shown."""
