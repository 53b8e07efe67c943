"""What a table is declared with: its columns, their types, and columns that many tables have."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NewType

Row = NewType("Row", tuple[Any, ...])
"""A row of a table, its values in the order of the columns.

It is a type of its own, which only `RowType` makes: no tuple that lists values by position passes for a row.
"""


class RowType:
    """Makes the rows of one table.

    Attributes:
        table: The table's name.
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
        name: The name.
        type: The DuckDB type.
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
        name: The name.
        meaning: What one row is: "an application attempt".
        columns: The columns in order.
        per_run: Rows belong to single runs: the table grows with every harvest and `--keep` prunes it. Tables that are
            not per run are folded.
        is_compressed: Its columns are compressed in small stores, too: each night copies rows of all nights.
        row: Makes a row of the table: `APPLICATIONS.row(app_id="a", …)`.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]
    per_run: bool = False
    is_compressed: bool = False
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
