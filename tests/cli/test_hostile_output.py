"""Names from a log reach no terminal, document or spreadsheet as anything but text."""

from __future__ import annotations

import csv
import io
import json

import pytest

from eventlog_lineage.cli.drawing import Trace
from eventlog_lineage.cli.output import Shown, show
from eventlog_lineage.safe_text import escape_controls, spreadsheet_cell
from eventlog_lineage.store.queries.inventory import _quoted
from eventlog_lineage.store.queries.open_store import Answer

ESCAPE, BIDI, NEXT_LINE = "\x1b[2J", "gnp\u202eexe", "a\x85b"
TAG, SELECTOR, ZERO_WIDTH = "a\U000e0041", "b\ufe0f\U000e0100", "c\u200bd"
NAMES = [
    ESCAPE,
    BIDI,
    NEXT_LINE,
    TAG,
    SELECTOR,
    ZERO_WIDTH,
    "=cmd|'/c calc'!A0",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "line\nfeed",
    'plain, "quoted"',
]
EDGES = ("source_dataset", "source_column", "target_dataset", "target_column", "dependency", "transformation")


def written(form: str, *, raw: bool = False) -> str:
    out = io.StringIO()
    rows: list[tuple[object, ...]] = [(name, name, name, name, "DIRECT", name) for name in NAMES]
    trace = Trace(NAMES[0], NAMES[0], up=False) if form in {"tree", "mermaid", "dot"} else None
    show(Shown(Answer(EDGES, rows), form, trace=trace), out, raw=raw)
    return out.getvalue()


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "markdown", "mermaid", "dot", "tree"])
def test_no_format_writes_a_control_or_bidirectional_or_invisible_character(form: str) -> None:
    hidden = set("\x7f\x85\u202e\u200b\ufe0f\U000e0041\U000e0100")
    assert not {char for char in written(form) if char != "\n" and (ord(char) < 32 or char in hidden)}


def test_markdown_has_neither_html_nor_links_nor_cells_of_a_name() -> None:
    hostile = "<img src=x>|[a](http://evil) `code` @somebody"
    out = io.StringIO()
    show(Shown(Answer(("name",), [(hostile,)]), "markdown"), out)
    line = out.getvalue().splitlines()[2]
    assert line == "| &lt;img src=x&gt;\\|\\[a\\](http&#58;//evil) \\`code\\` &#64;somebody |"


def test_json_gives_back_every_character() -> None:
    assert [row["source_column"] for row in json.loads(written("json"))] == NAMES


def test_no_csv_cell_is_a_formula() -> None:
    cells = [row[0] for row in csv.reader(io.StringIO(written("csv")))][1:]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]
    assert cells[6] == "'=cmd|'/c calc'!A0"


def test_raw_csv_is_what_the_store_has() -> None:
    rows = list(csv.reader(io.StringIO(written("csv", raw=True), newline="")))
    assert [row[0] for row in rows][1:] == NAMES


def test_a_name_of_an_erd_is_escaped() -> None:
    assert _quoted(f"{ESCAPE}{TAG}") == '"\\u001b[2Ja\\U000e0041"'


def test_ordinary_text_stays_as_it_is() -> None:
    for text in ("spark_catalog.sales.daily", "größe, 日本語, café", "a - b"):
        assert escape_controls(text) == spreadsheet_cell(text) == text


@pytest.mark.parametrize("sign", ["=", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_full_width_signs_begin_no_formula(sign: str) -> None:
    assert spreadsheet_cell(f"{sign}1+1") == f"'{sign}1+1"
