"""How answers are written: tables on a terminal, plain text in a pipe, JSON, CSV, drawings."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, TextIO

from eventlog_lineage.safe_text import escape_controls, spreadsheet_cell

from .drawing import draw_dot, draw_mermaid

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer

_WIDEST = 60
"""The widest a column of plain text gets, in characters; JSON and CSV cut nothing."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer and how to write it; what a command returns.

    Attributes:
        answer: The rows.
        form: `table`, `json` or `csv`; for traces also `mermaid` and `dot`.
        empty: What a table without rows says.
        hidden: Columns that a table leaves out; JSON and CSV have them all.
    """

    answer: Answer
    form: str = "table"
    empty: str = "nothing"
    hidden: tuple[str, ...] = ()


def show(shown: Shown, out: TextIO | None = None, *, raw: bool = False) -> None:
    """Write an answer to a stream.

    Args:
        shown: The answer and its format.
        out: The stream; by default the standard output.
        raw: Write CSV cells as they are, even if a spreadsheet would take them for formulas.
    """
    out = out or sys.stdout
    answer = shown.answer
    if shown.form == "json":
        _write_json(answer, out)
    elif shown.form == "csv":
        _write_csv(answer, out, raw=raw)
    elif shown.form == "mermaid":
        out.writelines(f"{line}\n" for line in draw_mermaid(answer.records()))
    elif shown.form == "dot":
        out.writelines(f"{line}\n" for line in draw_dot(answer.records()))
    elif not answer.rows:
        out.write(f"{escape_controls(shown.empty)}\n")
    else:
        names, columns = _visible(answer, shown.hidden)
        _write_table(names, [_texts(column) for column in columns], out)


def _visible(answer: Answer, hidden: Sequence[str]) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
    """The names and the columns of an answer, without some of them."""
    columns = list(zip(*answer.rows, strict=True))
    places = [place for place, name in enumerate(answer.names) if name not in hidden]
    return [answer.names[place] for place in places], [columns[place] for place in places]


def _write_json(answer: Answer, out: TextIO) -> None:
    """An array with an object a line."""
    out.write("[")
    for number, record in enumerate(answer.records()):
        out.write(
            f"{',' if number else ''}\n  {escape_controls(json.dumps(record, ensure_ascii=False, default=_plain))}"
        )
    out.write("\n]\n" if answer.rows else "]\n")


def _write_csv(answer: Answer, out: TextIO, *, raw: bool) -> None:
    writer = csv.writer(out, lineterminator="\n")
    text = str if raw else spreadsheet_cell
    writer.writerow([text(name) for name in answer.names])
    writer.writerows([_field(value, text) for value in row] for row in answer.rows)


def _field(value: object, text: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, (list, dict, tuple)):
        return text(json.dumps(value, ensure_ascii=False, default=_plain))
    return _plain(value) if isinstance(value, (datetime, date)) else value


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, (datetime, date)) else str(value)


def _texts(values: Sequence[object]) -> list[str]:
    """A column's values as texts; long traces repeat theirs, and each is made once."""
    try:
        known = {value: _text(value) for value in set(values)}
    except TypeError:  # lists and mappings
        return list(map(_text, values))
    return list(map(known.__getitem__, values))


def _text(value: object) -> str:
    if isinstance(value, str):
        return value if value.isprintable() else escape_controls(" ".join(value.split()))
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(_text(each) for each in value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _write_table(names: Sequence[str], columns: Sequence[list[str]], out: TextIO) -> None:
    if out.isatty():
        _write_rich(names, columns, out)
        return
    padded = [_padded(name, column) for name, column in zip(names, columns, strict=True)]
    out.write("".join([f"{'  '.join(row).rstrip()}\n" for row in zip(*padded, strict=True)]))


def _padded(name: str, column: list[str]) -> list[str]:
    """A column with its name on top, all of one width."""
    cut = {cell: cell if len(cell) <= _WIDEST else f"{cell[: _WIDEST - 1]}…" for cell in {name, *column}}
    width = max(map(len, cut.values()))
    wide = {cell: short.ljust(width) for cell, short in cut.items()}
    return [wide[name], *map(wide.__getitem__, column)]


def _write_rich(names: Sequence[str], columns: Sequence[list[str]], out: TextIO) -> None:
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(header_style="bold")
    for name, column in zip(names, columns, strict=True):
        numbers = all(cell.lstrip("-").isdigit() or not cell for cell in column)
        table.add_column(name, overflow="fold", justify="right" if numbers else "left")
    for row in zip(*columns, strict=True):
        table.add_row(*(Text(cell) for cell in row))
    Console(file=out).print(table)
