"""What a table is declared with: its columns, their types, and columns that many tables have."""

from __future__ import annotations

from dataclasses import dataclass, field

from .rows import RowType

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
    """

    name: str
    type: str
    sentence: str
    set_by_store: bool = False


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
