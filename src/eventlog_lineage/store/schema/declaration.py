"""Declare tables: their columns and types, columns that many tables have, and the tables of what files declare."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from operator import itemgetter
from typing import Any, NewType

Row = NewType("Row", tuple[Any, ...])
"""A row of a table, its values in the order of the columns.

It is a type of its own, which only `RowType` makes: no tuple that lists values by position passes for a row.
"""


class RowType:
    """Makes the rows of one table.

    Attributes:
        names: The names of its columns, in order; two at least.
        set_by_store: The columns that the store fills; they may be left out and are None then.
    """

    __slots__ = ("_attributes", "_in_order", "names", "set_by_store", "table")

    def __init__(self, table: str, names: tuple[str, ...], set_by_store: tuple[str, ...] = ()) -> None:
        self.table = table
        self.names = names
        self.set_by_store = set_by_store
        self._in_order = itemgetter(*names)
        self._attributes = tuple(name for name in names if name not in set_by_store)

    def __call__(self, **values: object) -> Row:
        """Return a row.

        Raises:
            TypeError: A column is missing, or a name is not a column of the table.
        """
        for name in self.set_by_store:
            values.setdefault(name, None)
        try:
            row: Row = self._in_order(values)
        except KeyError as error:
            raise TypeError(f"a row of {self.table} lacks {error}") from None
        if len(row) != len(values):
            unknown = ", ".join(sorted(values.keys() - set(self.names)))
            raise TypeError(f"{self.table} has no column {unknown}")
        return row

    def of(self, record: object, **values: object) -> Row:
        """Return a row of a record whose attributes have the names of columns.

        Args:
            record: A value with an attribute for each column that neither `values` names nor the store sets.
            values: Column name to value, for the other columns.

        Raises:
            TypeError: `values` names something that is not a column of the table.
            AttributeError: The record lacks an attribute.
        """
        for name in self._attributes:
            if name not in values:
                values[name] = getattr(record, name)
        return self(**values)


TEXT = "VARCHAR"
LONG = "BIGINT"
NUMBER = "INTEGER"
FLAG = "BOOLEAN"
TIME = "TIMESTAMP"
TEXTS = "VARCHAR[]"
OUTPUTS = "STRUCT(id BIGINT, name VARCHAR)[]"
SHOWN = "STRUCT(name VARCHAR, data_type VARCHAR, derivation VARCHAR)[]"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        sentence: The description in `docs/tables.md` and in DuckDB's comments.
        set_by_store: The harvest leaves the column empty; the fold fills it.
        older: The value, as SQL, in the rows of stores that lack the column.
    """

    name: str
    type: str
    sentence: str
    set_by_store: bool = False
    older: str = "NULL"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the store or of a harvest's output.

    Attributes:
        meaning: What one row is: "an application attempt".
        per_run: Rows belong to single runs: the table grows with every harvest and `--keep` prunes it. Tables that are
            not per run are folded.
        row: Makes a row of the table: `APPLICATIONS.row(app_id="a", …)`.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]
    per_run: bool = False
    row: RowType = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        set_by_store = tuple(column.name for column in self.columns if column.set_by_store)
        object.__setattr__(self, "row", RowType(self.name, self.column_names, set_by_store))

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)


APP = (
    Column("app_id", TEXT, "The application's id."),
    Column("attempt_id", TEXT, "The attempt; empty where Spark has none."),
)
EXECUTION = (*APP, Column("execution_id", LONG, "The SQL execution within the application."))


ORIGIN = Column("origin", TEXT, "log: shown by an event log; manual: declared in a file.", older="'log'")
"""Where an edge is from."""

DECLARATIONS = Table(
    "declarations",
    "what a file declares of a dataset, a column, a job or an exposure",
    (
        Column("kind", TEXT, "dataset, column, job or exposure."),
        Column("dataset", TEXT, "The dataset, or the exposure as a dataset; NULL for a job."),
        Column("column_name", TEXT, "The column; NULL for other kinds."),
        Column("job_name", TEXT, "The job; NULL for other kinds."),
        Column("owner", TEXT, "Who is responsible; empty if it is not declared."),
        Column("contact", TEXT, "Whom to call: a channel, an address."),
        Column("description", TEXT, "What it is."),
        Column("type", TEXT, "What an exposure is: dashboard, notebook, ml …"),
        Column("url", TEXT, "Where it is."),
        Column("due_seconds", LONG, "The longest time between two writes; NULL if it is not declared."),
        Column("origin", TEXT, "file or dbt."),
    ),
)

TAGS = Table(
    "tags",
    "a classification of a column, or of a dataset as a whole",
    (
        Column("dataset", TEXT, "The dataset."),
        Column("column_name", TEXT, "The column; NULL for the dataset as a whole."),
        Column("tag", TEXT, "The classification."),
        Column("origin", TEXT, "file, dbt, rule (a pattern of names) or derived (along DIRECT edges)."),
        Column("source_dataset", TEXT, "Of a derived tag: the dataset where it begins."),
        Column("source_column", TEXT, "Of a derived tag: the column where it begins."),
        Column("via", TEXT, "Of a derived tag: the last column on a path, as dataset.column."),
        Column("masked", FLAG, "Every path from where it begins hashes, masks or counts."),
    ),
)

GIVEN_DECLARATIONS = Table(
    "given_declarations",
    "a declaration as its file has it",
    (
        Column("position", NUMBER, "Order within the files."),
        Column("kind", TEXT, "Thing, DeclaredEdge or TagRule."),
        Column("content", TEXT, "Its fields, as JSON."),
    ),
)


SEPARATOR = "\x1f"
"""Ends the id; the rest is hexadecimal, so that the last one in a text is always ours."""

SUFFIX = r"\x1f[0-9a-f]*$"
"""What follows the id, as a regular expression of DuckDB."""


def staged_id(app_id: str, started_at: int | None, app_name: str) -> str:
    """Return an application's id for the rows of a harvest.

    Spark's ids are not unique: `local-<ms>` and `app-<second>-<number>` of two clusters can be equal, and anybody can
    write a log with the id of another application. The start and the name in `SparkListenerApplicationStart`
    distinguish them. The fold makes the store's id of it (`store/fold/staged_views.py`).

    Args:
        started_at: When the application started, in milliseconds; None if unknown.
    """
    known = "" if started_at is None else sha256(f"{started_at}\n{app_name}".encode(errors="replace")).hexdigest()[:16]
    return f"{app_id}{SEPARATOR}{known}"


def printed_id(staged: str) -> str:
    """Return the id that an application's log prints, of its id in the rows of a harvest."""
    return staged.rpartition(SEPARATOR)[0]
