"""What `why` found, as text for a terminal, and as an evidence sheet in Markdown or HTML."""

from __future__ import annotations

import html
import sys
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

from eventlog_lineage.safe_text import escape_controls, markdown_text

from .output import as_text
from .writers import markdown_table

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.evidence import Evidence

_WIDEST = 100
_TABLES = {
    "step": ("text", "job_name", "happened_at", "app_id", "execution_id", "snapshot_id", "log_path", "confidence"),
    "condition": ("text", "job_name", "confidence"),
    "run": ("happened_at", "text", "user_name", "app_name", "app_id", "execution_id", "snapshot_id", "log_path"),
    "version": ("happened_at", "text"),
    "change": ("happened_at", "text", "user_name", "app_name", "job_name", "app_id", "execution_id", "log_path"),
    "gap": ("text", "job_name", "app_id", "execution_id"),
}
"""The columns of each section of a sheet."""

_STYLE = (
    "body{font:14px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%;font-size:12px}"
    "td,th{border:1px solid #bbb;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
    "@media print{body{margin:0;max-width:none}}"
)


def sentence_lines(found: Evidence) -> Iterator[str]:
    """Yield the sentences, then the derivation and the conditions, a line each."""
    from eventlog_lineage.store.queries.evidence import SECTIONS  # noqa: PLC0415 - help needs none of it

    for sentence in found.sentences:
        yield from in_lines(sentence)
    for section in ("step", "condition", "change"):
        rows = [row for row in found.rows if row["section"] == section]
        if rows:
            yield ""
            yield f"{SECTIONS[section]}:"
        for row in rows:
            when = f"{as_text(row['happened_at'])}  " if section == "change" else ""
            yield from in_lines(f"{when}{row['text']}", "  ", "    ")


def in_lines(text: str, first: str = "", others: str = "") -> list[str]:
    """Return a text in lines of the terminal's width, a hundred letters at most."""
    width = min(get_terminal_size().columns, _WIDEST) if sys.stdout.isatty() else _WIDEST
    return wrap(escape_controls(text), width, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)


def markdown_sheet(found: Evidence, about: Sequence[str]) -> Iterator[str]:
    """Yield an evidence sheet in Markdown.

    Args:
        about: Where it comes from: the store, its newest harvest, the program's version.
    """
    yield f"# Evidence: {markdown_text(found.target.name)}"
    yield ""
    yield from (f"{markdown_text(sentence)}  " for sentence in found.sentences)
    for title, names, columns in _tables(found):
        yield from ("", f"## {title}", "")
        yield from markdown_table(names, columns)
    yield from ("", "## Source of this sheet", "", *(f"{markdown_text(line)}  " for line in about))


def html_sheet(found: Evidence, about: Sequence[str]) -> Iterator[str]:
    """Yield an evidence sheet as one HTML page that prints; the arguments are those of `markdown_sheet`."""
    name = html.escape(found.target.name)
    yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Evidence: {name}</title>'
    yield f"<style>{_STYLE}</style></head><body><h1>Evidence: {name}</h1>"
    yield f"<p>{'<br>'.join(map(_escaped, found.sentences))}</p>"
    for title, names, columns in _tables(found):
        yield f"<h2>{title}</h2><table><tr>{''.join(f'<th>{_escaped(each)}</th>' for each in names)}</tr>"
        for row in zip(*columns, strict=True):
            yield f"<tr>{''.join(f'<td>{_escaped(cell)}</td>' for cell in row)}</tr>"
        yield "</table>"
    yield f"<h2>Source of this sheet</h2><p>{'<br>'.join(map(_escaped, about))}</p></body></html>"


def _escaped(text: str) -> str:
    return html.escape(escape_controls(text))


def _tables(found: Evidence) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield title, names and columns of each section with rows; columns without a value are left out."""
    from eventlog_lineage.store.queries.evidence import SECTIONS  # noqa: PLC0415 - help needs none of it

    for section, names in _TABLES.items():
        rows = [row for row in found.rows if row["section"] == section]
        columns = {name: [as_text(row.get(name)) for row in rows] for name in names}
        kept = {name: values for name, values in columns.items() if any(values)}
        if rows:
            yield SECTIONS[section], list(kept), list(kept.values())
