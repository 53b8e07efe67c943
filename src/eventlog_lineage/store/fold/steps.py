"""Steps of the fold: what each one reads and makes, and how it runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path

import duckdb

from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.schema.sql_files import raw_sql, sql_text
from eventlog_lineage.store.schema.tables import HARVEST_TABLES

from .run_days import RunDays

_STAGED = frozenset(f"staged_{table.name}" for table in HARVEST_TABLES)

_CONDITION = re.compile(r"^-- (with|without): (\w+)$", re.MULTILINE)
"""The first line of a paragraph of SQL that is for a relation with rows, or for one without."""

_DECLARATION = re.compile(r"^-- (reads|makes|changes): (.+)$", re.MULTILINE)


SCRATCH = ".scratch"
"""The folder, in the staging folder, for what does not fit into memory."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What the steps work on.

    Attributes:
        connection: The database of the next version, with its tables and views.
        staging: The harvest's rows: `STAGING/<table>/*.parquet` (tables.HARVEST_TABLES).
        rule: How jobs are named.
        rename_jobs: Jobs were named by another rule before, or not at all: name all of them again.
        landing_files: The rule for landing files from now on; None for the store's own rule.
        keep_from: Drop the run-level rows of applications that started before this time (UTC); None keeps all.
        latest: Times of logs after this one are not trusted (UTC); None trusts all.
        has_bounded_times: No stored time is later than its harvest by more than clocks may differ.
        is_first: The store has no rows yet.
        is_reprocessed: The user asked to trace all lineages again: they replace those that the store has.
        has_few_rows: The store and the harvest are small.
        runs: The days of the version before.
        executions: How many executions are staged, repeated ones included; 0 if that is not known.
        slices: Into how many slices the rows of a step are divided.
        slice: The slice that a step works on, from 0.
    """

    connection: duckdb.DuckDBPyConnection
    staging: Path
    rule: JobNameRule
    rename_jobs: bool = False
    landing_files: str | None = None
    keep_from: datetime | None = None
    latest: datetime | None = None
    has_bounded_times: bool = False
    is_first: bool = False
    is_reprocessed: bool = False
    has_few_rows: bool = False
    runs: RunDays = field(default_factory=RunDays)
    executions: int = 0
    slices: int = 1
    slice: int = 0

    def has_staged(self, table: str) -> bool:
        """Return whether the harvest left rows of a table."""
        return any((self.staging / table).glob("*.parquet"))

    def may_have_rows(self, relation: str) -> bool:
        """Return whether a relation may have rows.

        Args:
            relation: `staged_<table>`, `stored` for all that the store had before, `few_rows` for all of a small store
                and harvest, or any other by its name.
        """
        if relation == "few_rows":
            return self.has_few_rows
        if relation == "stored":
            return not self.is_first
        if relation in _STAGED:
            return self.has_staged(relation.removeprefix("staged_"))
        return self.connection.execute(f"SELECT 1 FROM {relation} LIMIT 1").fetchone() is not None


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations that a step depends on and those that depend on it.

    Attributes:
        reads: Tables and views that must hold their rows before the step.
        makes: Temporary tables and views that it makes, or replaces.
        changes: Tables with rows that it inserts, updates or deletes.
    """

    reads: frozenset[str] = frozenset()
    makes: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the fold.

    Attributes:
        name: The SQL file below `store/sql`, or the name of the function.
        run: Runs it.
        relations: What it reads, makes and changes.
        usual: Returns the SQL that it runs in most harvests, as far as that is known before.
    """

    name: str
    run: Callable[[Fold], None]
    relations: Callable[[], Relations]
    usual: Callable[[], Iterable[str]] = tuple


Values = Mapping[str, object]


def _once(_: Fold) -> Iterable[Values]:
    return ({},)


def sql_step(name: str, values: Callable[[Fold], Iterable[Values]] = _once, *usual: Values) -> Step:
    """Return the step that runs an SQL file.

    Its first comment declares the relations in lines `-- reads: …`, `-- makes: …` and `-- changes: …`. A paragraph that
    begins with `-- with: RELATION` runs only if the relation may have rows (`Fold.may_have_rows`), one that begins
    with `-- without: RELATION` only if it has none: DuckDB takes 1 to 4 ms to plan a statement that does nothing. The
    relation is looked at before the first of its paragraphs; the file does not change it from there on.

    Args:
        name: The file's path below `store/sql`, without `.sql`.
        values: Returns the placeholders' values for each run of the file: once, as often as there are batches,
            or not at all.
        usual: The values in most harvests, for `parse_ahead`; none if the file runs in few of them.
    """
    expected = usual or (({},) if values is _once else ())

    def run(fold: Fold) -> None:
        for each in values(fold):
            known: dict[str, bool] = {"": True}
            for paragraph in _paragraphs(sql_text(name, **each), fold.connection):
                if paragraph.relation not in known:
                    known[paragraph.relation] = fold.may_have_rows(paragraph.relation)
                if known[paragraph.relation] == paragraph.has_rows:
                    for statement in paragraph.statements:
                        fold.connection.execute(statement)

    return Step(name, run, lambda: declared_relations(name), lambda: [sql_text(name, **each) for each in expected])


def parse_ahead(steps: Iterable[Step], connection: duckdb.DuckDBPyConnection) -> None:
    """Parse the SQL that steps run in most harvests, while the process has nothing else to do.

    Args:
        steps: The steps.
        connection: Any connection.
    """
    for step in steps:
        for text in step.usual():
            _paragraphs(text, connection)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """Statements that run under one condition.

    Attributes:
        statements: As DuckDB parses them.
        relation: The relation of the condition; empty for none.
        has_rows: Whether the relation must have rows, or none.
    """

    statements: tuple[duckdb.Statement, ...]
    relation: str = ""
    has_rows: bool = True


_parsed: dict[str, tuple[_Paragraph, ...]] = {}
"""SQL that was parsed; DuckDB's parser takes a seventh of a small night."""

_MOST_PARSED = 256


def _paragraphs(text: str, connection: duckdb.DuckDBPyConnection) -> tuple[_Paragraph, ...]:
    """Parse SQL once per process.

    Args:
        text: The SQL.
        connection: Any connection: without one, DuckDB makes a database of its own to parse.
    """
    found = _parsed.get(text)
    if found is None:
        if len(_parsed) >= _MOST_PARSED:
            _parsed.clear()
        grouped = groupby(text.split("\n\n"), key=_condition)
        found = _parsed[text] = tuple(
            _Paragraph(tuple(connection.extract_statements("\n\n".join(paragraphs))), *condition)
            for condition, paragraphs in grouped
        )
    return found


def _condition(paragraph: str) -> tuple[str, bool]:
    r"""Return the relation of a paragraph's condition, and whether it must have rows.

    >>> _condition("-- with: removals\nDELETE FROM datasets;")
    ('removals', True)
    >>> _condition("-- All datasets.\nDELETE FROM datasets;")
    ('', True)
    """
    match = _CONDITION.match(paragraph)
    return (match[2], match[1] == "with") if match else ("", True)


def python_step(*, reads: str = "", makes: str = "", changes: str = "") -> Callable[[Callable[[Fold], None]], Step]:
    """Return a decorator that makes a function a step.

    Args:
        reads: The relations that it reads, separated by blanks.
        makes: The temporary relations that it makes.
        changes: The tables whose rows it changes.
    """
    relations = Relations(frozenset(reads.split()), frozenset(makes.split()), frozenset(changes.split()))

    def decorated(function: Callable[[Fold], None]) -> Step:
        return Step(function.__name__, function, lambda: relations)

    return decorated


@cache
def declared_relations(name: str) -> Relations:
    """Return the relations that the first comment of an SQL file declares.

    Args:
        name: The file's path below `store/sql`, without `.sql`.
    """
    found: dict[str, set[str]] = {"reads": set(), "makes": set(), "changes": set()}
    for kind, names in _DECLARATION.findall(raw_sql(name)):
        found[kind].update(names.split())
    return Relations(**{kind: frozenset(names) for kind, names in found.items()})
