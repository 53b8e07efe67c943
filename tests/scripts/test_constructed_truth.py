"""The truth of workloads that are built from values: what is committed is what the program builds."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from support.lakehouse.medallions import MEDALLION_LOGS

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.mark.parametrize(
    ("name", "root"),
    [
        ("hudi_fleet", "/tmp/lakehouse_fleet"),
        ("paimon_fleet", "/tmp/lakehouse_fleet_paimon"),
        ("kafka", "/tmp/lakehouse_topics"),
    ],
)
def test_the_truth_is_that_of_the_program(
    name: str, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    module = importlib.import_module(f"lakehouse.medallion_{name}")
    module.workload(root).write(tmp_path / "truth.json")
    for each in [each for each in sys.modules if each.partition(".")[0] == "lakehouse"]:
        sys.modules.pop(each)
    committed = MEDALLION_LOGS / f"{name}.json"
    assert json.loads((tmp_path / "truth.json").read_text()) == json.loads(committed.read_text())
