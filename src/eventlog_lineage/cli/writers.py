"""Answers as text and files for other programs: JSON, JSON lines, CSV, Markdown, Parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import IO, TYPE_CHECKING, Any

from eventlog_lineage.safe_text import escape_controls, markdown_text, spreadsheet_cell

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer


def json_lines(answer: Answer, *, array: bool) -> Iterator[str]:
    """Yield a line for each row, as an object; with `array` all of them are one JSON text."""
    last = len(answer.rows) - 1
    if array:
        yield "[" if answer.rows else "[]"
    for number, record in enumerate(answer.records()):
        text = escape_controls(json.dumps(record, ensure_ascii=False, default=plain))
        yield f"  {text}{',' if number < last else ''}" if array else text
    if array and answer.rows:
        yield "]"


def write_csv(answer: Answer, out: IO[str], *, raw: bool) -> None:
    """Write CSV (RFC 4180 with line feeds).

    Args:
        raw: Write cells as they are, even if a spreadsheet would take them for formulas.
    """
    writer = csv.writer(out, lineterminator="\n")
    text = str if raw else spreadsheet_cell
    writer.writerow([text(name) for name in answer.names])
    writer.writerows([_field(value, text) for value in row] for row in answer.rows)


def markdown_table(names: Sequence[str], columns: Sequence[list[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table, as GitHub reads it."""
    yield f"| {' | '.join(map(markdown_text, names))} |"
    yield f"|{'---|' * len(names)}"
    for row in zip(*columns, strict=True):
        yield f"| {' | '.join(map(markdown_text, row))} |"


def write_parquet(answer: Answer, out: IO[bytes]) -> None:
    """Write a Parquet file; a column without a value is text."""
    import pyarrow as pa  # noqa: PLC0415 - the other formats start without it
    import pyarrow.parquet as pq  # noqa: PLC0415

    columns: Sequence[Sequence[Any]] = list(zip(*answer.rows, strict=True)) or [()] * len(answer.names)
    types = answer.types or ("",) * len(answer.names)
    arrays = [_array(pa, column, kind) for column, kind in zip(columns, types, strict=True)]
    pq.write_table(pa.Table.from_arrays(arrays, names=list(answer.names)), out)


def _array(pa: Any, values: Sequence[Any], kind: str) -> Any:
    known = {
        "TIMESTAMP": pa.timestamp("us"),
        "BIGINT": pa.int64(),
        "INTEGER": pa.int32(),
        "DOUBLE": pa.float64(),
        "BOOLEAN": pa.bool_(),
        "VARCHAR": pa.string(),
        "VARCHAR[]": pa.list_(pa.string()),
    }
    try:
        array = pa.array(values, known.get(kind))
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # values of several types
        array = pa.array([None if value is None else str(value) for value in values])
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array


def plain(value: object) -> str:
    """Return a value that JSON has no type for as text."""
    return value.isoformat() if isinstance(value, (datetime, date)) else str(value)


def _field(value: object, text: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, (list, dict, tuple)):
        return text(json.dumps(value, ensure_ascii=False, default=plain))
    return plain(value) if isinstance(value, (datetime, date)) else value
