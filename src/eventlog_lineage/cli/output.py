"""How answers are written: for people on a terminal, for programs in a pipe or a file."""

from __future__ import annotations

import csv
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO

from eventlog_lineage.cli.drawing import drop_catalog, fitted_table, plain_table
from eventlog_lineage.errors import UsageError, os_errors_as
from eventlog_lineage.safe_text import escape_controls, escape_json, markdown_text, plain, replaced, spreadsheet_cell

from .drawing import Trace, draw_dot, draw_mermaid, draw_tree

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer


def json_lines(answer: Answer, *, array: bool) -> Iterator[str]:
    """Yield a line for each row, as an object; with `array` all of them are one JSON text."""
    last = len(answer.rows) - 1
    if array:
        yield "[" if answer.rows else "[]"
    for number, record in enumerate(answer.records()):
        text = escape_json(json.dumps(record, ensure_ascii=False, default=plain))
        yield f"  {text}{',' if number < last else ''}" if array else text
    if array and answer.rows:
        yield "]"


def write_csv(answer: Answer, out: IO[str], *, raw: bool) -> None:
    """Write CSV (RFC 4180 with line feeds)."""
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


def _field(value: object, text: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, (list, dict, tuple)):
        return text(json.dumps(value, ensure_ascii=False, default=plain))
    return plain(value) if isinstance(value, (datetime, date)) else value


FORMATS = ("table", "json", "jsonl", "csv", "markdown", "parquet")
SUFFIXES = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".md": "markdown",
            ".parquet": "parquet", ".dot": "dot", ".mmd": "mermaid", ".html": "html"}  # fmt: skip
"""Formats of files that are named without `--format`."""
_TEXTS = ("", ".txt", ".text", ".log", ".out", ".tmp")
"""Files of tables."""


_COUNTED = 20
"""A table with as many rows ends with their number."""
_LISTED = 2
"""Items of a list that a terminal's table shows."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer and how to write it; what a command returns.

    Attributes:
        form: One of `FORMATS`; for traces also `tree`, `mermaid` and `dot`.
        empty: The text for a table without rows.
        hidden: Columns that a table leaves out; the other formats have them all.
        table: The rows as a table has them, in fewer columns; None for those of `answer`.
        trace: What a trace was asked for; None for other answers.
        detail: What drawings show: `auto`, `columns` or `tables`.
        writers: Format to the lines of it, where that is more than a table of the rows.
        output: The file to write; empty for the standard output.
        total: The rows before `--limit`; None for those of the answer.
        unmatched: Warning about an option that the store has nothing for, to its details.
    """

    answer: Answer
    form: str = "table"
    empty: str = "nothing"
    hidden: tuple[str, ...] = ()
    table: Answer | None = None
    trace: Trace | None = None
    detail: str = "auto"
    writers: Mapping[str, Callable[[], Iterable[str]]] = field(default_factory=dict)
    output: str = ""
    code: int = 0
    total: int | None = None
    unmatched: Mapping[str, str] = field(default_factory=dict)


def show(shown: Shown, out: TextIO | None = None, *, raw: bool = False) -> None:
    """Write an answer to its file, or to a stream.

    Raises:
        UsageError: Parquet would be written to a terminal.
    """
    if shown.output:
        _write_file(shown, Path(shown.output), raw=raw)
        return
    out = out or sys.stdout
    if shown.form == "parquet":
        if out.isatty():
            raise UsageError("Parquet is not for a terminal", hint="name a file with --output")
        write_parquet(shown.answer, out.buffer)
    elif shown.form == "csv":
        write_csv(shown.answer, out, raw=raw)
    elif out.isatty():
        _write_terminal(shown, out)
    else:
        out.writelines(f"{line}\n" for line in _lines(shown, None))


def _write_file(shown: Shown, path: Path, *, raw: bool) -> None:
    """Write a file; what was there before stays if that fails."""
    with os_errors_as(UsageError, "cannot write the answer", path, "check the path"), replaced(path) as written:
        if shown.form == "parquet":
            with written.open("wb") as file:
                write_parquet(shown.answer, file)
        else:
            with written.open("w", encoding="utf-8", newline="") as text:
                show(replace(shown, output=""), text, raw=raw)


def _write_terminal(shown: Shown, out: TextIO) -> None:
    """Write lines that fit the terminal, through a pager if they are too many for it."""
    size = shutil.get_terminal_size()
    lines = list(_lines(shown, size.columns))
    if len(lines) < size.lines or out is not sys.stdout or not sys.stdin.isatty():
        out.writelines(f"{line}\n" for line in lines)
        return
    import click  # noqa: PLC0415

    os.environ.setdefault("LESS", "-FRX")
    click.echo_via_pager("\n".join(lines) + "\n")


def _lines(shown: Shown, width: int | None) -> Iterator[str]:
    """Yield the lines of a text format; `width` is that of the terminal, None in a pipe."""
    answer = shown.answer
    form = shown.form
    if form in {"json", "jsonl"}:
        return json_lines(answer, array=form == "json")
    if form in shown.writers:
        return iter(shown.writers[form]())
    if form in _DRAWINGS:
        return _DRAWINGS[form](answer.records(), shown.trace, shown.detail)
    if not answer.rows:
        return iter([escape_controls(shown.empty)])
    is_tree = form == "tree" or (form == "table" and width is not None)
    if shown.trace is not None and is_tree:
        return draw_tree(list(answer.records()), shown.trace, width)
    return _table(shown, width)


_DRAWINGS = {"mermaid": draw_mermaid, "dot": draw_dot}


def _table(shown: Shown, width: int | None) -> Iterator[str]:
    names, columns = _texts(shown.table or shown.answer, shown.hidden, short=width is not None)
    if shown.form == "markdown":
        return markdown_table(names, columns)
    if width is None:
        return plain_table(names, columns)
    return chain(_styled(fitted_table(names, drop_catalog(names, columns), width)), _summary(shown))


def _summary(shown: Shown) -> Iterator[str]:
    """Yield how many rows a long or limited table has."""
    rows = len(shown.answer.rows)
    if shown.total is not None and shown.total > rows:
        yield f"{rows:,} of {shown.total:,} rows"
    elif rows >= _COUNTED:
        yield f"{rows:,} rows"


def _styled(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines with the title in bold, unless NO_COLOR is set (no-color.org) or the terminal is dumb."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return lines
    found = list(lines)
    rule = next((at for at, line in enumerate(found) if line.startswith("─")), 0)
    return iter([*(f"\x1b[1m{line}\x1b[0m" for line in found[:rule]), *found[rule:]])


def _texts(answer: Answer, hidden: Sequence[str], *, short: bool) -> tuple[list[str], list[list[str]]]:
    """Return the names and the columns of an answer as texts, without some of them."""
    columns = list(zip(*answer.rows, strict=True))
    places = [place for place, name in enumerate(answer.names) if name not in hidden]
    names = [escape_controls(answer.names[place]) for place in places]
    return names, [_column(columns[place], short=short) for place in places]


def _column(values: Sequence[object], *, short: bool) -> list[str]:
    """Return a column's values as texts; long traces repeat theirs, and each is made once."""
    try:
        known = {value: as_text(value) for value in set(values)}
    except TypeError:  # lists and mappings
        return [_counted(value) if short and isinstance(value, list) else as_text(value) for value in values]
    return list(map(known.__getitem__, values))


def _counted(items: Sequence[object]) -> str:
    """Return a list as a terminal shows it: the first items, and how many more there are."""
    shown = list(map(as_text, items[:_LISTED] if len(items) > _LISTED + 1 else items))
    return ", ".join([*shown, *([f"{len(items) - len(shown):,} more"] if len(items) > len(shown) else [])])


def as_text(value: object) -> str:
    """Return a value as a table shows it: on one line, safe for a terminal."""
    text = _TEXTS_OF.get(type(value))
    return escape_controls(str(value)) if text is None else text(value)


_TEXTS_OF: dict[type, Callable[[Any], str]] = {
    str: lambda text: escape_controls(text if text.isprintable() else " ".join(text.split())),
    type(None): lambda _: "",
    list: lambda items: ", ".join(map(as_text, items)),
    dict: lambda items: ", ".join(f"{key}: {as_text(each)}" for key, each in items.items()),
    datetime: lambda time: time.isoformat(sep=" ", timespec="seconds"),
    bool: lambda flag: "yes" if flag else "no",
}


def format_of(form: str | None, output: str, forms: Sequence[str]) -> str:
    """Return the format to write: the one asked for, else that of the file's name, else a table.

    Raises:
        UsageError: The file's name is one of a format that the command does not have.
    """
    suffix = Path(output).suffix.lower() if output else ""
    named = SUFFIXES.get(suffix, "")
    if form or named in forms:
        return form or named
    if suffix not in _TEXTS and suffix[1:].isalpha():
        listed = ", ".join(each for each, form in SUFFIXES.items() if form in forms)
        raise UsageError(f"no format for files named {suffix}", output, f"name it {listed}, or give --format")
    return "table"
