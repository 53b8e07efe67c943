"""`report` from the words on the command line to the file and what is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from support.stores import shop


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("shop")
    shop.open_shop(made)
    return str(made)


def test_report_writes_the_page_and_prints_where_it_is(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "shop page.html"
    assert run(["report", "--store", store, "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"<!doctype html>")
    first, last = capsys.readouterr().out.splitlines()
    assert first == f"{out}: 5 datasets, 16 columns, 16 edges, {out.stat().st_size / 1e6:.1f} MB"
    assert last == f"Open it in a browser: {out.as_uri()}"


def test_report_prints_what_the_page_leaves_out(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "page.html")
    assert run(["report", "--store", store, "--out", out, "--focus", "daily_sales", "--depth", "1"]) == 0
    assert "  left out: 1 dataset that is more than 1 hop from" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--depth", "1"], 2, "name a dataset or a column with --focus"),
        (["--focus", "dayly_sales"], 2, "dayly_sales"),
        (["--due", "sales.daily"], 2, "invalid rule 'sales.daily'"),
        (["--due", "sales.daily=26x"], 2, "NAME=SPAN"),
        (["--store", "/nowhere"], 1, "/nowhere"),
        (["--out", "/nowhere/page.html"], 2, "/nowhere/page.html"),
    ],
)
def test_report_says_in_one_line_what_is_wrong(  # noqa: PLR0913, PLR0917 - cases
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, message: str
) -> None:
    assert run(["report", "--store", store, "--out", str(tmp_path / "page.html"), *words]) == code
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
    assert list(tmp_path.iterdir()) == []
