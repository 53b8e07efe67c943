"""Plan texts that `spark.sql.maxPlanStringLength` truncates lose lineage, but never invent it, and say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
import zstandard

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

LOGS = Path(__file__).resolve().parent.parent
TEXT = "physicalPlanDescription"


def traced(lines: list[bytes], folder: Path) -> dict[int, StatementLineage]:
    folder.mkdir()
    path = folder / "application"
    path.write_bytes(b"\n".join(lines) + b"\n")
    (log,) = find_logs([str(path)])
    return {each.root.execution_id: each.lineage for each in trace_log(read_log(log)) if each.root}


def truncated(lines: list[bytes], length: int) -> Iterator[bytes]:
    """The lines as Spark writes them with a limit (`PlanStringConcat.toString`)."""
    for line in lines:
        event = orjson.loads(line)
        text = event.get(TEXT, "")
        if len(text) > length:
            event[TEXT] = f"{text[:length]}... {len(text) - length} more characters"
        yield orjson.dumps(event)


def edges(lineage: StatementLineage) -> set[tuple[object, ...]]:
    return {
        (edge.source_dataset, edge.source_column, edge.target_dataset, edge.target_column, edge.dependency)
        for edge in lineage.edges
        if edge.source_dataset
    }


@pytest.mark.parametrize("length", [1000, 2000, 4000])
@pytest.mark.parametrize("name", ["sample_logs/nightly-sales-3-5", "dataframe_logs/3.5-extended", "older_logs/3.1"])
def test_a_truncated_text_has_the_edges_of_the_whole_one_or_a_gap(name: str, length: int, tmp_path: Path) -> None:
    with zstandard.open(LOGS / f"{name}.zstd") as file:
        lines = file.read().splitlines()
    whole, kept = traced(lines, tmp_path / "whole"), traced(list(truncated(lines, length)), tmp_path / "truncated")
    differing = [key for key, lineage in whole.items() if edges(lineage) != edges(kept[key])]
    silent = [whole[key].command for key in differing if not kept[key].gaps]
    assert silent == []
    assert len(differing) < len(whole) / 4


def test_the_hint_names_the_length_that_is_enough(tmp_path: Path) -> None:
    with zstandard.open(LOGS / "sample_logs/nightly-sales-3-5.zstd") as file:
        lines = file.read().splitlines()
    found = traced(list(truncated(lines, 700)), tmp_path / "truncated")
    hints = {gap.hint for lineage in found.values() for gap in lineage.gaps if gap.reason == "truncated_fields"}
    assert hints
    assert all(hint.startswith("set spark.sql.maxPlanStringLength to at least ") for hint in hints)


@pytest.mark.parametrize("length", [500, 900])
@pytest.mark.parametrize("name", ["reads-4-3", "reads-3-5", "values-4-3"])
def test_attributes_that_a_truncated_text_does_not_declare_are_no_constants(
    name: str, length: int, tmp_path: Path
) -> None:
    with zstandard.open(LOGS / f"path_logs/{name}.zstd") as file:
        lines = file.read().splitlines()
    whole, kept = traced(lines, tmp_path / "whole"), traced(list(truncated(lines, length)), tmp_path / "truncated")
    silent = [key for key, lineage in whole.items() if edges(lineage) != edges(kept[key]) and not kept[key].gaps]
    assert silent == []
