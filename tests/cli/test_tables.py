"""Tables fit the terminal: names wrap at dots, and what does not fit side by side is written one below the other."""

from __future__ import annotations

import io
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.cli.drawing import cells, drop_catalog, fitted_table, wrapped
from eventlog_lineage.cli.output import Shown, show
from eventlog_lineage.store.queries.open_store import Answer


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        """Claim to be one."""
        return True


def screen(answer: Answer, width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a terminal of a width shows."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    out = Terminal()
    show(Shown(answer), out)
    return out.getvalue()


NAMES = ("depth", "source", "target", "how", "empty", "seen")
ROWS: list[tuple[object, ...]] = [
    (
        1,
        "spark_catalog.staging.orders.amount",
        "spark_catalog.sales.daily.revenue",
        "SUM",
        None,
        datetime(2026, 1, 2, 3, 4, 5),
    ),
    (2, "spark_catalog.landing.orders.amount", "spark_catalog.staging.orders.amount", "CAST", "", None),
]


def test_at_120_columns_the_catalog_and_empty_columns_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert screen(Answer(NAMES, ROWS), 120, monkeypatch) == (
        "depth  source                 target                 how   seen\n"
        "─────  ─────────────────────  ─────────────────────  ────  ───────────────────\n"
        "    1  staging.orders.amount  sales.daily.revenue    SUM   2026-01-02 03:04:05\n"
        "    2  landing.orders.amount  staging.orders.amount  CAST\n"
    )


def test_at_70_columns_times_are_shorter_and_names_wrap_at_dots(monkeypatch: pytest.MonkeyPatch) -> None:
    assert screen(Answer(NAMES, ROWS), 70, monkeypatch) == (
        "depth  source               target              how   seen\n"
        "─────  ───────────────────  ──────────────────  ────  ────────────────\n"
        "    1  staging.orders.      sales.daily.        SUM   2026-01-02 03:04\n"
        "       amount               revenue\n"
        "    2  landing.orders.      staging.orders.     CAST\n"
        "       amount               amount\n"
    )


def test_at_40_columns_a_row_is_lines_of_name_and_value(monkeypatch: pytest.MonkeyPatch) -> None:
    assert screen(Answer(NAMES, ROWS), 40, monkeypatch) == (
        "depth   1\n"
        "source  staging.orders.amount\n"
        "target  sales.daily.revenue\n"
        "how     SUM\n"
        "seen    2026-01-02 03:04\n"
        "\n"
        "depth   2\n"
        "source  landing.orders.amount\n"
        "target  staging.orders.amount\n"
        "how     CAST\n"
    )


def test_no_color_means_no_escape_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in screen(Answer(NAMES, ROWS), 120, monkeypatch)
    monkeypatch.delenv("NO_COLOR")
    out = Terminal()
    show(Shown(Answer(NAMES, ROWS)), out)
    assert out.getvalue().startswith("\x1b[1mdepth")


def test_names_keep_their_catalog_where_there_are_several() -> None:
    column = ["spark_catalog.a.t", "ice.a.t", "s3://bucket/x.y.z"]
    assert drop_catalog(["dataset"], [column]) == [column]
    assert drop_catalog(["dataset"], [["ice.a.t", "ice.b.u.c", "t"]]) == [["a.t", "b.u.c", "t"]]
    assert drop_catalog(["expression"], [["ice.a.t"]]) == [["ice.a.t"]]


def test_a_long_name_breaks_within_its_parts_only_if_it_must() -> None:
    assert wrapped("spark_catalog.staging.orders.amount", 16) == ["spark_catalog.", "staging.orders.", "amount"]
    assert wrapped("sales.loyal_customers", 16) == ["sales.", "loyal_customers"]
    assert wrapped("orders.discount (AGGREGATION)", 18) == ["orders.discount", "(AGGREGATION)"]
    assert wrapped("a_long_name", 7) == ["a_long_", "name"]
    assert wrapped("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrapped("日本語テーブル", 6) == ["日本語", "テーブ", "ル"]


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1), min_size=1),
    st.integers(40, 200),
)
def test_every_line_fits_and_no_letter_is_lost(texts: list[str], width: int) -> None:
    lines = list(fitted_table(["name", "text"], [texts, [text[::-1] for text in texts]], width))
    assert all(cells(line) <= width for line in lines)
    letters = "".join(lines)
    assert all(letters.count(char) >= sum(text.count(char) for text in texts) for text in texts for char in text)
