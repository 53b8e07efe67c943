"""The workloads of table formats: SQL files with front matter, functions for what SQL cannot express."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.lakehouse.medallions import workloads

if TYPE_CHECKING:
    from collections.abc import Iterator

LOADER = workloads()
TESTS = Path(__file__).resolve().parents[1]
VARIANTS = [
    (path.parent.name, variant)
    for path in sorted(LOADER.FOLDER.glob("*/workload.toml"))
    for variant in LOADER.read_toml(path)["variants"]
]
SQL = """-- name: scores
-- only: 4-1
-- set: spark.sql.ui.explainMode = extended
-- writes: append scores
-- columns: id < orders.*; {1..3: d{n} < orders.c{n+1}};
--   all < orders.c{1..2}
-- conditions: FILTER orders.day; JOIN orders.id
-- writes: create others
INSERT INTO gold.scores
SELECT id, {1..3: c{n+1} AS d{n}} FROM {ns}.orders;

-- name: a stream

-- elsewhere: helper
-- writes: append scores
"""


@pytest.fixture
def functions() -> Iterator[None]:
    """Make the modules of the workloads importable for a test."""
    sys.path.insert(0, str(LOADER.FOLDER.parent))
    yield
    sys.path.remove(str(LOADER.FOLDER.parent))
    for name in [each for each in sys.modules if each.partition(".")[0] == "lakehouse"]:
        sys.modules.pop(name)


def test_front_matter_continues_and_ranges_are_written_out(tmp_path: Path) -> None:
    (tmp_path / "steps.sql").write_text(SQL)
    scores, stream, elsewhere = LOADER.parse(tmp_path / "steps.sql")
    assert scores.sql == "INSERT INTO gold.scores SELECT id, c2 AS d1, c3 AS d2, c4 AS d3 FROM {ns}.orders"
    assert (scores.only, scores.settings) == ("4-1", (("spark.sql.ui.explainMode", "extended"),))
    assert [each.writes for each in scores.truths] == ["append scores", "create others"]
    assert scores.truths[0].columns.startswith("id < orders.*; d1 < orders.c2; d2 < orders.c3; d3 < orders.c4; all <")
    assert (stream.name, stream.sql, stream.truths) == ("a stream", "", ())
    assert (elsewhere.name, elsewhere.elsewhere) == ("helper", True)


def test_layers_become_catalog_and_database_but_not_in_paths_and_longer_names() -> None:
    named = LOADER.layered({"raw": "ice.raw", "gold": "jdb.pub"}, {"root": "/tmp"})
    text = (
        "SELECT draw.x, '{root}/raw.csv' FROM raw.ships JOIN gold.`a b` CALL {gold.catalog}.system.f('{gold.database}')"
    )
    assert named(text) == "SELECT draw.x, '/tmp/raw.csv' FROM ice.raw.ships JOIN jdb.pub.`a b` CALL jdb.system.f('pub')"


def test_an_unknown_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "steps.sql").write_text("-- name: a\n-- colums: id <\nSELECT 1;\n")
    with pytest.raises(ValueError, match="unknown key in front matter: -- colums: id <"):
        list(LOADER.parse(tmp_path / "steps.sql"))


@pytest.mark.usefixtures("functions")
@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_each_statement_has_sql_or_a_function(name: str, variant: str) -> None:
    runner = importlib.import_module("lakehouse.runner")
    workload = LOADER.load(name, variant)
    missing = []
    for file in {each.file for each in workload.steps}:
        module = runner._module(name, workload.module or file)
        known = module.frames(runner.Names(workload.format, workload.named)) if module else {}
        steps = [each for each in workload.steps if each.file == file and not each.sql and not each.elsewhere]
        missing += [each.name for each in steps if (each.frame or each.name) not in known]
    assert workload.steps
    assert not missing


def test_each_listed_log_is_committed() -> None:
    listed = LOADER.read_toml(LOADER.FOLDER / "logs.toml")
    assert [log for log in listed if not list(TESTS.glob(f"*_logs/{log}.zstd"))] == []
    assert {(each["workload"], each["variant"]) for each in listed.values()} <= set(VARIANTS)
