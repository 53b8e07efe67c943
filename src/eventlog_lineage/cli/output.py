"""How answers are written: for people on a terminal, for programs in a pipe or a file."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from eventlog_lineage.errors import UsageError
from eventlog_lineage.safe_text import escape_controls

from .drawing import draw_dot, draw_mermaid
from .table import drop_catalog, fitted_table, plain_table
from .tree import Trace, draw_tree
from .writers import json_lines, markdown_table, write_csv, write_parquet

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer

FORMATS = ("table", "json", "jsonl", "csv", "markdown", "parquet")
SUFFIXES = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".md": "markdown",
            ".parquet": "parquet", ".dot": "dot", ".mmd": "mermaid"}  # fmt: skip
"""Formats of files that are named without `--format`."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer and how to write it; what a command returns.

    Attributes:
        answer: The rows.
        form: One of `FORMATS`; for traces also `tree`, `mermaid` and `dot`.
        empty: The text for a table without rows.
        hidden: Columns that a table leaves out; the other formats have them all.
        table: The rows as a table has them, in fewer columns; None for those of `answer`.
        trace: What a trace was asked for; None for other answers.
        detail: What drawings show: `auto`, `columns` or `tables`.
        markdown: The lines of the Markdown format, where it is more than a table.
        output: The file to write; empty for the standard output.
        code: The exit code.
    """

    answer: Answer
    form: str = "table"
    empty: str = "nothing"
    hidden: tuple[str, ...] = ()
    table: Answer | None = None
    trace: Trace | None = None
    detail: str = "auto"
    markdown: Callable[[], Iterable[str]] | None = None
    output: str = ""
    code: int = 0


def show(shown: Shown, out: TextIO | None = None, *, raw: bool = False) -> None:
    """Write an answer to its file, or to a stream.

    Args:
        shown: The answer and its format.
        out: The stream; by default the standard output.
        raw: Write CSV cells as they are, even if a spreadsheet would take them for formulas.

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
    """Write a file; what was there before stays if that fails.

    Args:
        shown: The answer.
        path: The file.
        raw: Whether to keep control characters.
    """
    written = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if shown.form == "parquet":
            with written.open("wb") as file:
                write_parquet(shown.answer, file)
        else:
            with written.open("w", encoding="utf-8", newline="") as text:
                show(replace(shown, output=""), text, raw=raw)
        written.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the answer: {error.strerror}", str(path), "check the path") from None
    finally:
        written.unlink(missing_ok=True)


def _write_terminal(shown: Shown, out: TextIO) -> None:
    """Write lines that fit the terminal, through a pager if they are too many for it.

    Args:
        shown: The answer.
        out: The terminal.
    """
    size = shutil.get_terminal_size()
    lines = list(_lines(shown, size.columns))
    if len(lines) < size.lines or out is not sys.stdout or not sys.stdin.isatty():
        out.writelines(f"{line}\n" for line in lines)
        return
    import click  # noqa: PLC0415

    os.environ.setdefault("LESS", "-FRX")
    click.echo_via_pager("\n".join(lines) + "\n")


def _lines(shown: Shown, width: int | None) -> Iterator[str]:
    """Yield the lines of a text format; `width` is that of the terminal, None in a pipe.

    Args:
        shown: The answer.
        width: The width of the terminal; None in a pipe.
    """
    answer = shown.answer
    form = shown.form
    if form in {"json", "jsonl"}:
        return json_lines(answer, array=form == "json")
    if form == "mermaid":
        return draw_mermaid(answer.records(), shown.trace, shown.detail)
    if form == "dot":
        return draw_dot(answer.records(), shown.trace, shown.detail)
    if form == "markdown" and shown.markdown is not None:
        return iter(shown.markdown())
    if not answer.rows:
        return iter([escape_controls(shown.empty)])
    if shown.trace is not None and (form == "tree" or (form == "table" and width is not None)):
        return draw_tree(list(answer.records()), shown.trace, width)
    names, columns = _texts(shown.table or answer, shown.hidden)
    if form == "markdown":
        return markdown_table(names, columns)
    if width is None:
        return plain_table(names, columns)
    return _styled(fitted_table(names, drop_catalog(names, columns), width))


def _styled(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines with the title in bold, unless NO_COLOR is set (no-color.org) or the terminal is dumb."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return lines
    found = list(lines)
    rule = next((at for at, line in enumerate(found) if line.startswith("─")), 0)
    return iter([*(f"\x1b[1m{line}\x1b[0m" for line in found[:rule]), *found[rule:]])


def _texts(answer: Answer, hidden: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the names and the columns of an answer as texts, without some of them.

    Args:
        answer: The answer.
        hidden: The columns to leave out.
    """
    columns = list(zip(*answer.rows, strict=True))
    places = [place for place, name in enumerate(answer.names) if name not in hidden]
    names = [escape_controls(answer.names[place]) for place in places]
    return names, [_column(columns[place]) for place in places]


def _column(values: Sequence[object]) -> list[str]:
    """Return a column's values as texts; long traces repeat theirs, and each is made once."""
    try:
        known = {value: as_text(value) for value in set(values)}
    except TypeError:  # lists and mappings
        return list(map(as_text, values))
    return list(map(known.__getitem__, values))


def as_text(value: object) -> str:
    """Return a value as a table shows it: on one line, safe for a terminal."""
    if isinstance(value, str):
        return value if value.isprintable() else escape_controls(" ".join(value.split()))
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(as_text(each) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {as_text(each)}" for key, each in value.items())
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escape_controls(str(value))


def format_of(form: str | None, output: str, forms: Sequence[str]) -> str:
    """Return the format to write: the one asked for, else that of the file's name, else a table.

    Args:
        form: What was asked for; None for nothing.
        output: The file; empty for the standard output.
        forms: The formats of the command.
    """
    named = SUFFIXES.get(Path(output).suffix.lower(), "") if output else ""
    return form or (named if named in forms else "table")
