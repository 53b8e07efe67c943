"""`show`: logs to a page, without a store, Spark or Java."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import eventlog_lineage as el
from eventlog_lineage.cli.main import run
from support.pages.report import blocks, edges

LOGS = Path(__file__).resolve().parents[2] / "sample_logs"
LOG = LOGS / "nightly-sales-3-5.zstd"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "one.html"
    assert run(["show", str(LOG), "--out", str(out)]) == 0
    return out


def test_the_page_has_the_lineage_that_explain_prints(page: Path) -> None:
    traced = {
        (f"{edge.source_dataset}.{edge.source_column}", f"{edge.target_dataset}.{edge.target_column}")
        for statement in el.explain(LOG)
        for edge in statement.lineage.edges
        if edge.dependency == "DIRECT" and edge.target_dataset and statement.root.status == "succeeded"
    }
    place = "file:///tmp/sample_warehouse/warehouse/sales.db/sales_rollup"  # a statement reads the table by its path
    named = {(source.replace(place, "spark_catalog.sales.sales_rollup"), target) for source, target in traced}
    owner = "@nightly-sales"  # in a store, a temporary view is its application's
    assert {
        (source, target.replace(owner, "")) for source, target, kind, *_ in edges(page) if kind == "DIRECT"
    } == named
    assert blocks(page)["about"]["harvests"] == 1


def test_several_logs_are_one_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "some.html"
    assert run(["show", str(LOG), str(LOGS / "hourly-clicks-4-0.zstd.inprogress"), "--out", str(out)]) == 0
    assert len(blocks(out)["facts"]["jobs"]["rows"]) > 60
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{out}: ")
    assert last == f"Open it in a browser: {out.as_uri()}"
    assert [path.name for path in tmp_path.iterdir()] == ["some.html"]


def test_neither_spark_nor_java_is_needed(tmp_path: Path) -> None:
    words = ["show", str(LOG), "--out", str(tmp_path / "page.html")]
    start = "import sys; sys.modules['pyspark'] = None; from eventlog_lineage.cli.main import run"
    code = f"{start}; sys.exit(run({words!r}))"
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": "/nowhere"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "page.html").exists()


def test_a_log_that_cannot_be_read_is_named_and_the_others_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    shutil.copy(LOG, folder / "app-1.zstd")
    (folder / "app-2.zstd").write_bytes(b"\x28\xb5\x2f\xfd damaged")
    assert run(["show", str(folder), "--out", str(tmp_path / "page.html")]) == 3
    assert "app-2.zstd: cannot be read: " in capsys.readouterr().err
    assert (tmp_path / "page.html").exists()


def test_literals_are_left_out_on_request(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert run(["show", str(LOG), "--mask-literals", "--out", str(out)]) == 0
    assert not any("0.00" in expression for expression in blocks(out)["expressions"])


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["/nowhere"], 2, "/nowhere"),
        ([str(LOG), "--focus", "no.such.table"], 2, "no.such.table"),
        ([str(LOG), "--out", "/nowhere/page.html"], 2, "/nowhere/page.html"),
    ],
)
def test_what_is_wrong_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, message: str
) -> None:
    assert run(["show", *words]) == code
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error


def test_the_library_shows_logs(tmp_path: Path) -> None:
    out = el.show(LOG, tmp_path / "page.html", focus="sales.daily_sales")
    assert out == tmp_path / "page.html"
    assert blocks(out)["about"]["focus"] == "spark_catalog.sales.daily_sales"
