"""Everyday SQL that was read wrong once, against its lineage, written by hand; plan texts of real Sparks."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FIXTURES = sorted((Path(__file__).parent / "everyday_statements").glob("*.txt"))


@pytest.fixture(scope="module", autouse=True)
def _benchmarks() -> None:
    if str(BENCHMARKS) not in sys.path:
        sys.path.append(str(BENCHMARKS))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_everyday_sql_has_the_lineage_that_its_author_wrote_down(path: Path) -> None:
    from everyday_sql import differences  # noqa: PLC0415 - a program of benchmarks
    from everyday_truth import parse  # noqa: PLC0415

    statement, _, plan = path.read_text(encoding="utf-8").partition("\n==== Plan ====\n")
    (truth,) = parse(statement)
    lineage = trace_texts(plan)
    assert list(differences(lineage, truth)) == []
    assert lineage.gaps == ()
