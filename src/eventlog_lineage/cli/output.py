"""How answers are written: tables on a terminal, plain text in a pipe, JSON, CSV, drawings."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, TextIO

from .drawing import draw_dot, draw_mermaid

if TYPE_CHECKING:
    from ..store.reading import Answer

_WIDEST = 60
"""The widest a column of plain text gets, in characters; JSON and CSV cut nothing."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer and how to write it; what a command returns.

    Attributes:
        answer: The rows.
        form: `table`, `json` or `csv`; for traces also `mermaid` and `dot`.
        trace: The rows are edges of a trace.
        empty: What a table without rows says.
        hidden: Columns that a table leaves out; JSON and CSV have them all.
    """

    answer: Answer
    form: str = "table"
    trace: bool = False
    empty: str = "nothing"
    hidden: tuple[str, ...] = ()


def show(shown: Shown, out: TextIO | None = None) -> None:
    """Write an answer to a stream, by default the standard output."""
    out = out or sys.stdout
    answer = shown.answer
    if shown.form == "json":
        _write_json(answer, out)
    elif shown.form == "csv":
        _write_csv(answer, out)
    elif shown.form == "mermaid":
        out.writelines(f"{line}\n" for line in draw_mermaid(answer.records()))
    elif shown.form == "dot":
        out.writelines(f"{line}\n" for line in draw_dot(answer.records()))
    elif not answer.rows:
        out.write(f"{shown.empty}\n")
    else:
        names, rows = _short_trace(answer) if shown.trace else _visible(answer, shown.hidden)
        _write_table(names, [[_text(value) for value in row] for row in rows], out)


def _visible(answer: Answer, hidden: Sequence[str]) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
    """An answer without some of its columns."""
    places = [place for place, name in enumerate(answer.names) if name not in hidden]
    return [answer.names[place] for place in places], [[row[place] for place in places] for row in answer.rows]


def _short_trace(answer: Answer) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
    """A trace with fewer, wider columns."""
    rows = [
        (
            edge["depth"],
            _place(edge["source_dataset"], edge["source_column"]),
            _place(edge["target_dataset"], edge["target_column"]),
            edge["transformation"] or edge["dependency"],
            edge["expression"],
            edge["job_name"],
        )
        for edge in answer.records()
    ]
    return ("depth", "source", "target", "how", "expression", "job"), rows


def _place(dataset: object, column: object) -> str:
    return f"{dataset}.{column}" if column else str(dataset)


def _write_json(answer: Answer, out: TextIO) -> None:
    """An array with an object a line."""
    out.write("[")
    for number, record in enumerate(answer.records()):
        out.write(f"{',' if number else ''}\n  {json.dumps(record, ensure_ascii=False, default=_plain)}")
    out.write("\n]\n" if answer.rows else "]\n")


def _write_csv(answer: Answer, out: TextIO) -> None:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(answer.names)
    writer.writerows([_field(value) for value in row] for row in answer.rows)


def _field(value: object) -> object:
    if isinstance(value, (list, dict, tuple)):
        return json.dumps(value, ensure_ascii=False, default=_plain)
    return _plain(value) if isinstance(value, (datetime, date)) else value


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, (datetime, date)) else str(value)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value if value.isprintable() else " ".join(value.split())
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(_text(each) for each in value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _write_table(names: Sequence[str], rows: list[list[str]], out: TextIO) -> None:
    if out.isatty():
        _write_rich(names, rows, out)
        return
    cut = [[cell if len(cell) <= _WIDEST else f"{cell[: _WIDEST - 1]}…" for cell in row] for row in (names, *rows)]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    for row in cut:
        out.write("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() + "\n")


def _write_rich(names: Sequence[str], rows: list[list[str]], out: TextIO) -> None:
    from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(header_style="bold")
    for place, name in enumerate(names):
        numbers = all(row[place].lstrip("-").isdigit() or not row[place] for row in rows)
        table.add_column(name, overflow="fold", justify="right" if numbers else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(file=out).print(table)
