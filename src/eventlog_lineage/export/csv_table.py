"""A table of the store as CSV (RFC 4180), safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from io import StringIO

from eventlog_lineage.safe_text import spreadsheet_cell
from eventlog_lineage.store.queries.open_store import OpenStore
from eventlog_lineage.store.schema.ddl import quoted

LINEAGE = "column_lineage"

_CHUNK = 10_000
_ENDS = {"column_lineage", "table_lineage"}
"""Tables with a source and a target dataset: OpenLineage's names and the systems of both follow their own columns."""


def csv_lines(store: OpenStore, table: str = LINEAGE, *, raw: bool = False, current: bool = False) -> Iterator[str]:
    r"""Return a table's lines, the header first; each ends in `\r\n`.

    Args:
        store: The store.
        table: A table or view.
        raw: Write texts as they are. Else a text that a spreadsheet would take for a formula begins with `'`, and
            control and invisible characters are escaped.
        current: Only rows with `is_current`, in tables that have it.
    """
    text = str if raw else spreadsheet_cell
    columns = [str(row[0]) for row in store.ask(f"DESCRIBE {quoted(table)}").rows]
    cursor = store.connection.execute(_query(table, columns, current=current))
    yield _line([name for name, *_ in cursor.description or ()], text)
    while rows := cursor.fetchmany(_CHUNK):
        yield "".join(_line(row, text) for row in rows)


def _query(table: str, columns: Sequence[str], *, current: bool) -> str:
    where = " WHERE l.is_current" if current and "is_current" in columns else ""
    if table not in _ENDS:
        return f"SELECT l.* FROM {quoted(table)} l{where} ORDER BY ALL"
    names = ", ".join(f'{end}.namespace AS {end}_namespace, {end}."name" AS {end}_name' for end in ("source", "target"))
    names += "".join(f', {end}."system" AS {end}_system' for end in ("source", "target"))
    joins = " ".join(f"LEFT JOIN datasets {end} ON {end}.dataset = l.{end}_dataset" for end in ("source", "target"))
    return f"SELECT l.*, {names} FROM {quoted(table)} l {joins}{where} ORDER BY ALL"


def _line(values: Sequence[object], text: Callable[[str], str]) -> str:
    line = StringIO()
    csv.writer(line, lineterminator="\r\n").writerow([_cell(value, text) for value in values])
    return line.getvalue()


def _cell(value: object, text: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (list, dict, tuple)):
        return text(json.dumps(value, ensure_ascii=False, default=str))
    return value
