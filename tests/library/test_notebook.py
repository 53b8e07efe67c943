"""examples/lineage.ipynb: a notebook whose cells run as plain Python, with outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.docs.notebook import run_cells
from support.stores.shop import open_shop

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = json.loads((ROOT / "examples" / "lineage.ipynb").read_text(encoding="utf-8"))


def test_the_cells_run_over_a_store_and_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "sample_logs").symlink_to(ROOT / "tests" / "sample_logs")
    open_shop(tmp_path / ".demo")
    monkeypatch.chdir(tmp_path)
    ran = list(run_cells(NOTEBOOK))
    assert len(ran) >= 5
    silent = [cell["source"] for cell, outputs in ran[1:] if not outputs]
    assert silent == []


def test_it_is_a_notebook_that_was_executed() -> None:
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in NOTEBOOK["cells"]}) == len(NOTEBOOK["cells"])
    code = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all(cell["outputs"] for cell in code[1:])
