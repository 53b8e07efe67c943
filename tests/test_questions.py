"""docs/questions.md and docs/newcomer.md: questions with the answers of a store of the sample logs."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
NEWCOMER = (ROOT / "docs" / "newcomer.md").read_text(encoding="utf-8")


@pytest.mark.spark
def test_every_answer_is_that_of_a_store_of_the_sample_logs(tmp_path: Path) -> None:
    """Else run `./scripts/demo` and `scripts/make_docs.py --store .demo`, and read the difference."""
    assert run(["harvest", str(ROOT / "tests" / "sample_logs"), "--store", str(tmp_path / "store"), "--quiet"]) == 0
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    assert spec is not None
    assert spec.loader is not None
    make_docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_docs)
    assert make_docs.questions_page(str(tmp_path / "store")) == PAGE
    assert make_docs.newcomer_page(str(tmp_path / "store")) == NEWCOMER


def test_there_are_twenty_questions_and_nearly_all_take_one_command() -> None:
    questions = re.split(r"^## \d+\. ", PAGE, flags=re.MULTILINE)[1:]
    assert len(questions) == 20
    queries = [question for question in questions if "$ eventlog-lineage sql " in question]
    assert all("$ eventlog-lineage " in question for question in questions)
    assert len(queries) <= 3
