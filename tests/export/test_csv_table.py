"""`export csv` writes RFC 4180 that a spreadsheet can open safely."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.cli.main import run
from eventlog_lineage.export.dashboards import csv_lines
from eventlog_lineage.safe_text import spreadsheet_cell
from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.schema.tables import COLUMN_LINEAGE, PUBLIC_TABLES
from support.stores.exports import PATH, RAW, SOLD, WAREHOUSE, night_of
from support.stores.rows import rows

HOSTILE = (
    '=HYPERLINK("http://evil")',
    "+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1",
    'say "a, b"\r\nand c',
    "exe.\u202egnp",
    "nul\x00 esc\x1b[31m",
    "zero\u200bwidth",
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("csv")
    edges = [(f"{RAW}!c{n}", f"c{n}", "TRANSFORMATION", text) for n, text in enumerate(HOSTILE)]
    night = night_of(*edges, (f"{PATH}!k", "", "JOIN", "k"))
    night.place(SOLD, f"{WAREHOUSE}/sales.db/daily")
    night.harvest(path)
    return path


def written(store: Path, *words: str) -> str:
    """What the command writes, byte by byte."""
    out = store / "out.csv"
    assert run(["export", "csv", "--store", str(store), "--out", str(out), *words]) == 0
    return out.read_bytes().decode()


def records(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_the_columns_are_those_of_column_lineage_then_openlineages_names_of_both_ends(store: Path) -> None:
    header = written(store).split("\r\n")[0].split(",")
    assert header == [
        *COLUMN_LINEAGE.column_names,
        *("source_namespace", "source_name", "target_namespace", "target_name", "source_system", "target_system"),
    ]
    join = next(row for row in records(written(store)) if row["transformation"] == "JOIN")
    assert (join["source_namespace"], join["source_name"]) == ("s3://lake", "landing/orders")
    assert (join["target_namespace"], join["target_name"]) == ("s3://lake", "warehouse/sales.db/daily")
    assert (join["source_system"], join["target_system"]) == ("s3", "parquet")
    assert (join["target_column"], join["masking"], join["run_count"]) == ("", "false", "1")
    assert join["first_seen"] == "2026-11-18T01:01:00"


def test_raw_texts_come_back_as_they_are_in_the_store(store: Path) -> None:
    found = {row["expression"] for row in records(written(store, "--raw"))}
    assert found == {*HOSTILE, "k"} == {text for (text,) in rows(store, "SELECT expression FROM column_lineage")}


def test_no_cell_is_a_formula_and_none_has_a_character_that_hides(store: Path) -> None:
    found = [row["expression"] for row in records(written(store)) if row["expression"] != "k"]
    assert sorted(found) == sorted(
        [
            '\'=HYPERLINK("http://evil")',
            "'+1",
            "'-1+1",
            "'@SUM(A1)",
            r"'\t=1",
            r'say "a, b"\r\nand c',
            r"exe.\u202egnp",
            r"nul\u0000 esc\u001b[31m",
            r"zero\u200bwidth",
        ]
    )


def test_every_line_ends_in_crlf_and_quotes_are_doubled(store: Path) -> None:
    text = written(store)
    assert text.count("\r\n") == text.count("\n") == len(records(text)) + 1
    assert '"say ""a, b""' in text


@given(st.lists(st.lists(st.text(), min_size=2, max_size=4), max_size=5))
def test_any_texts_can_be_read_back_and_none_is_a_formula(table: list[list[str]]) -> None:
    for row in table:
        line = io.StringIO()
        csv.writer(line, lineterminator="\r\n").writerow([spreadsheet_cell(text) for text in row])
        (read,) = csv.reader(io.StringIO(line.getvalue(), newline=""), strict=True)
        assert not [text for text in read if text.startswith(("=", "+", "-", "@"))]
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "".join(read))


@given(st.text(st.characters(codec="ascii", min_codepoint=32, exclude_characters="=+-@\x7f")))
def test_a_harmless_text_stays_as_it_is(text: str) -> None:
    assert spreadsheet_cell(text) == text


def test_past_rows_can_be_left_out(tmp_path: Path) -> None:
    for day, source in enumerate(("amount", "price")):
        night = night_of((f"{RAW}!{source}", "total", "IDENTITY"))
        for table in ("applications", "executions"):
            for row in night.rows[table]:
                row["app_id"] = f"app-{day}"
                row["started_at"] = row["started_at"].replace(day=18 + day)
        night.harvest(tmp_path)
    assert [row["is_current"] for row in records(written(tmp_path))] == ["false", "true"]
    assert [row["source_column"] for row in records(written(tmp_path, "--current"))] == ["price"]


@pytest.mark.parametrize("table", [table.name for table in PUBLIC_TABLES])
def test_every_public_table_can_be_written(store: Path, table: str) -> None:
    declared = next(each for each in PUBLIC_TABLES if each.name == table)
    with open_store(store) as opened:
        header = "".join(csv_lines(opened, table, current=True)).split("\r\n")[0]
    assert header.split(",")[: len(declared.columns)] == list(declared.column_names)


def test_another_word_than_a_table_is_wrong_usage(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "csv", "--table", "sqlite_master", "--store", str(store)]) == 2
    assert "Invalid value for '--table'" in capsys.readouterr().err
