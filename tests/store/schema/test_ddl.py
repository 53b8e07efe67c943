from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.store.schema.creation import QUERY_VIEWS, VIEW_FILES
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.internal_tables import STORED_TABLES
from eventlog_lineage.store.schema.relations import arrow_schema, create_table, quoted, text_literal
from eventlog_lineage.store.schema.tables import HARVEST_TABLES, PUBLIC_TABLES, PUBLIC_VIEWS

EVERY = tuple({table.name: table for table in (*PUBLIC_TABLES, *STORED_TABLES, *HARVEST_TABLES)}.values())


@pytest.mark.parametrize("table", EVERY, ids=lambda table: table.name)
def test_duckdb_and_arrow_have_the_same_columns_and_types(table: Table) -> None:
    empty = arrow_schema(table).empty_table()
    with duckdb.connect() as connection:
        connection.execute(create_table(table))
        declared = connection.execute(f"DESCRIBE {table.name}").fetchall()
        connection.register("arrow_rows", empty)
        arrow = connection.execute("DESCRIBE SELECT * FROM arrow_rows").fetchall()
    assert [row[:2] for row in arrow] == [row[:2] for row in declared]


@pytest.mark.parametrize("table", EVERY, ids=lambda table: table.name)
def test_every_table_and_column_is_described_by_a_sentence(table: Table) -> None:
    assert table.meaning
    assert len(set(table.column_names)) == len(table.columns)
    for column in table.columns:
        assert re.match(r"\S.*[.…]$", column.sentence), column.name


def test_names_and_texts_are_quoted() -> None:
    with duckdb.connect() as connection:
        row = connection.execute(f"SELECT {text_literal(chr(39))} AS {quoted('a' + chr(34))}").fetchall()
    assert row == [("'",)]


def test_public_views_are_public_tables() -> None:
    assert set(PUBLIC_VIEWS) <= set(PUBLIC_TABLES)


def test_every_sql_file_is_used() -> None:
    """A file that nothing reads is dead; the files of views are read by the views' names."""
    room = Path(__file__).parents[3] / "src" / "eventlog_lineage"
    code = "\n".join(path.read_text() for path in room.rglob("*.py"))
    for path in (room / "store" / "sql").rglob("*.sql"):
        read_by_name = path.stem in {*(table.name for table in PUBLIC_VIEWS), *QUERY_VIEWS, *VIEW_FILES}
        assert read_by_name or f'"{path.parent.name}/{path.stem}"' in code, path.name
