"""Names of any length: stored up to a limit, distinct, with a gap."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

from eventlog_lineage.lineage.results.lineage_names import LONGEST, short_name, with_short_names
from eventlog_lineage.lineage.trace_statement import trace_texts
from support.event_logs import UI, line, log_text


def plan(table: str, column: str) -> str:
    return (
        "== Physical Plan ==\nExecute InsertIntoHadoopFsRelationCommand (2)\n+- Scan parquet "
        f"{table} (1)\n\n\n"
        f"(1) Scan parquet {table}\nOutput [2]: [{column}1#1, {column}2#2]\n"
        f"Batched: true\nLocation: InMemoryFileIndex [file:/w/t]\nReadSchema: struct<{column}1:int,{column}2:int>\n\n"
        f"(2) Execute InsertIntoHadoopFsRelationCommand\nInput [2]: [{column}1#1, {column}2#2]\n"
        f"Arguments: file:/w/out, false, Parquet, [path=file:/w/out], Append, [{column}1, {column}2]\n\n"
    )


def test_long_names_are_shortened_and_stay_distinct() -> None:
    lineage = with_short_names(trace_texts(plan(f"db.{'t' * 100_000}", "c" * 100_000)))
    names = {(edge.source_column, edge.target_column) for edge in lineage.edges}
    assert len(names) == 2
    assert {len(name) for pair in names for name in pair} == {LONGEST}
    assert all(source == target for source, target in names)
    assert max(len(edge.source_dataset) for edge in lineage.edges) == LONGEST
    assert {each.name for each in lineage.datasets} >= {edge.source_dataset for edge in lineage.edges}
    assert [gap.detail for gap in lineage.gaps] == ["a name is longer than 1000 characters"]


def test_other_lineages_stay_as_they_are() -> None:
    lineage = trace_texts(plan("db.t", "c"))
    assert with_short_names(lineage) is lineage
    assert short_name("c" * LONGEST) == "c" * LONGEST


def test_the_new_name_of_a_table_is_shortened_too() -> None:
    arguments = f"`db`.`t`, `db`.`{'n' * 5000}`, false"
    text = "== Physical Plan ==\nExecute AlterTableRenameCommand (1)\n\n\n(1) Execute AlterTableRenameCommand\n"
    lineage = with_short_names(trace_texts(f"{text}Arguments: {arguments}\n\n"))
    assert [len(each.new_name) for each in lineage.observations] == [LONGEST]
    assert [gap.detail for gap in lineage.gaps] == ["a name is longer than 1000 characters"]


HARVESTED = """
import re, resource, sys
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.extract import extract_split
from eventlog_lineage.harvest.extract import SplitPart
from eventlog_lineage.harvest.statement_rows import trace_statements
from eventlog_lineage.harvest.checkpoints import Batch, NewStatement
from eventlog_lineage.events.read_options import DEFAULT
resource.setrlimit(resource.RLIMIT_DATA, (700 << 20, 700 << 20))
(log,) = find_logs(sys.argv[1:])
records = list(extract_split([SplitPart(log, 0, (0,))], {}))
records += trace_statements([each for each in records if isinstance(each, NewStatement)], DEFAULT)
sizes = [len(each.payload) for each in records if isinstance(each, Batch)]
print(sum(sizes), re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize("names", [30, 100])
def test_a_small_log_of_long_names_is_harvested_in_bounded_memory(names: int, tmp_path: Path) -> None:
    """What the worker takes has a limit, whatever the names; what it hands to the driver is small."""
    columns = [f"{'x' * 100_000}{number}#{number}" for number in range(names)]
    listed = ", ".join(columns)
    text = (
        "== Physical Plan ==\n* Project (2)\n+- Scan parquet db.t (1)\n\n\n"
        f"(1) Scan parquet db.t\nOutput [{names}]: [{listed}]\nLocation: InMemoryFileIndex [file:/w/t]\n\n"
        f"(2) Project\nOutput [{names}]: [{listed}]\nInput [{names}]: [{listed}]\n\n"
    )
    start = {"description": "d", "physicalPlanDescription": text, "sparkPlanInfo": {}, "time": 1}
    content = log_text(
        line("SparkListenerLogStart", Spark_Version="3.5.9"),
        line("SparkListenerApplicationStart", App_Name="a", App_ID="i", Timestamp=1),
        line(f"{UI}SQLExecutionStart", executionId=0, **start),
    )
    packed = zstandard.compress(content)
    assert len(packed) < len(content) / 1000
    (tmp_path / "local-1").write_bytes(packed)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    call = [sys.executable, "-c", HARVESTED, str(tmp_path / "local-1")]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)
    sent, peak = map(int, done.stdout.split())
    assert sent < 1_000_000
    assert peak < 600_000
