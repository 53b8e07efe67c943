"""What a table is declared with: its columns, their types, and columns that many tables have."""

from __future__ import annotations

from dataclasses import dataclass

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
    """A column: its name, its DuckDB type and a sentence for the documentation."""

    name: str
    type: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, what one row is, its columns, and whether rows belong to single runs.

    `per_run` tables grow with every harvest and are pruned by `--keep`; the others are folded.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    per_run: bool = False

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)


APP = (
    Column("app_id", TEXT, "The application's id."),
    Column("attempt_id", TEXT, "The attempt; empty where Spark has none."),
)
EXECUTION = (*APP, Column("execution_id", LONG, "The SQL execution within the application."))
