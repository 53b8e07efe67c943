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
from eventlog_lineage.lineage.trace_statement import trace_texts

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


SCAN = (
    "FileScan parquet spark_catalog.d.t[{columns}] Batched: true, DataFilters: [], Format: Parquet, "
    "Location: InMemoryFileIndex(1 paths)[file:/w/t], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<a:..."
)


def extended(columns: str, logical: str, physical: str) -> str:
    """An extended text with the same analyzed and optimized plan."""
    plans = f"== Analyzed Logical Plan ==\n{columns}\n{logical}\n\n== Optimized Logical Plan ==\n{logical}\n"
    return f"== Parsed Logical Plan ==\n'Project [*]\n\n{plans}\n== Physical Plan ==\n{physical}\n"


def sources(lineage: StatementLineage) -> list[tuple[str | None, str | None]]:
    return [(edge.target_column, edge.source_column) for edge in lineage.edges if edge.target_column]


def test_a_truncated_list_has_the_items_that_it_prints() -> None:
    items = "Project [a#1 AS k#7L#11, b#2 AS Scan parquet#12, c#3 AS y#13, ... 2 more fields]"
    relation = "Relation spark_catalog.d.t[a#1,b#2,c#3,d#4,e#5] parquet"
    schema = "k#7L: int, Scan parquet: int, y: int, ... 2 more fields"
    scan = SCAN.format(columns="a#1,b#2,c#3,d#4,e#5")
    found = trace_texts(extended(schema, f"{items}\n+- {relation}", f"*(1) {items}\n+- *(1) {scan}"))
    assert sources(found) == [("k#7L", "a"), ("Scan parquet", "b"), ("y", "c")]
    assert [gap.reason for gap in found.gaps] == ["truncated_fields"]


def test_an_attribute_in_a_literal_is_no_truncated_column() -> None:
    items = "Project [concat(a#5, Input [1]: [k#1], d#8) AS x#11]"
    relation = "Relation spark_catalog.d.t[a#5,b#6,p[q#7,... 2 more fields] parquet"
    scan = SCAN.format(columns="a#5,p[q#7,... 1 more fields")
    found = trace_texts(extended("x: string", f"{items}\n+- {relation}", f"*(1) {items}\n+- *(1) {scan}"))
    assert {source for _, source in sources(found)} == {"a", "d"}


def test_truncated_columns_of_a_limit_are_not_those_of_an_input_that_lacks_some() -> None:
    items = "[a#1 AS x#11, b#2 AS y#12, a#1 AS z#13, ... 3 more fields]"
    columns = "x: int, y: int, z: int, ... 2 more fields"
    sort = f"Sort [k#6 ASC NULLS FIRST], true\n+- Project {items}"
    relation = "   +- Relation spark_catalog.d.t[a#1,b#2,c#3,d#4,e#5,k#6] parquet"
    top = "TakeOrderedAndProject(limit=3, orderBy=[k#6 ASC NULLS FIRST], output=[x#11,y#12,z#13,... 2 more fields])"
    physical = f"{top}\n+- *(1) Project {items}\n   +- *(1) {SCAN.format(columns='a#1,b#2,k#6,... 2 more fields')}"
    found = trace_texts(extended(columns, f"GlobalLimit 3\n+- {sort}\n{relation}", physical))
    assert sources(found) == [("x", "a"), ("y", "b"), ("z", "a")]
    assert {gap.reason for gap in found.gaps} == {"truncated_fields"}


MORE = "... 2 more fields"
OVER = "windowspecdefinition(b#2, a#1 ASC NULLS FIRST)"


@pytest.mark.parametrize(
    "line",
    [
        f"Sort [a#1 ASC NULLS FIRST, {MORE}], true, 0",
        f"Sort [a#1 ASC NULLS FIRST, {MORE}], false, 0",
        f"TakeOrderedAndProject(limit=3, orderBy=[a#1 ASC NULLS FIRST,{MORE}], output=[a#1])",
        f"Window [rank(a#1) {OVER} AS r#9], [b#2, {MORE}], [a#1 ASC NULLS FIRST]",
        f"Window [rank(a#1) {OVER} AS r#9], [b#2], [a#1 ASC NULLS FIRST, {MORE}]",
        f"FlatMapGroupsInPandas [a#1, {MORE}], f(a#1, b#2)#5, [a#6]",
        f"AggregateInPandas [a#1, {MORE}], [f(b#2)#5], [a#1, f(b)#5 AS m#6]",
        f"StreamingDeduplicate [a#1, {MORE}], state info [ checkpoint = <unknown>, runId = 0, opId = 0 ]",
        f"Expand [[a#1], [b#2], {MORE}], [v#9]",
    ],
)
def test_a_truncated_list_of_keys_is_a_gap(line: str) -> None:
    text = f"== Physical Plan ==\n{line}\n+- *(1) {SCAN.format(columns='a#1,b#2,c#3,d#4')}\n"
    assert {gap.reason for gap in trace_texts(text).gaps} == {"truncated_fields"}


def test_truncated_keys_of_a_join_are_a_gap_and_those_of_its_sorts_are_none() -> None:
    right = SCAN.format(columns="e#5,f#6").replace("d.t[", "d.u[")
    text = (
        f"== Physical Plan ==\n*(3) SortMergeJoin [a#1, {MORE}], [e#5, {MORE}], Inner\n"
        f":- *(1) Sort [a#1 ASC NULLS FIRST, {MORE}], false, 0\n:  +- *(1) {SCAN.format(columns='a#1,b#2,c#3')}\n"
        f"+- *(2) Sort [e#5 ASC NULLS FIRST, {MORE}], false, 0\n   +- *(2) {right}\n"
    )
    assert {gap.detail for gap in trace_texts(text).gaps} == {"2 of 3 keys are truncated"}
    assert {gap.operator for gap in trace_texts(text).gaps} == {"SortMergeJoin"}


def test_the_last_step_of_an_aggregation_with_hidden_functions_is_a_gap() -> None:
    scan = SCAN.format(columns="a#1,b#2,... 1 more fields")
    items = "Aggregate [((sum(a#1) + sum(b#2)) + sum(c#3)) AS k#9L]"
    physical = (
        "HashAggregate(keys=[], functions=[sum(a#1), sum(b#2), ... 1 more fields], output=[k#9L])\n"
        "+- Exchange SinglePartition, ENSURE_REQUIREMENTS, [plan_id=1]\n"
        "   +- HashAggregate(keys=[], functions=[partial_sum(a#1), partial_sum(b#2), ... 1 more fields], "
        f"output=[sum#11L, sum#12L, ... 1 more fields])\n      +- {scan}"
    )
    logical = f"{items}\n+- Relation spark_catalog.d.t[a#1,b#2,... 1 more fields] parquet"
    found = trace_texts(extended("k: bigint", logical, physical))
    assert "1 of 3 functions are truncated" in {gap.detail for gap in found.gaps}


def test_the_columns_of_a_limit_name_what_a_scan_hides() -> None:
    relation = "Relation spark_catalog.d.t[a#1,b#2,... 4 more fields] parquet"
    logical = (
        "GlobalLimit 3\n+- LocalLimit 3\n   +- Project [x#9]\n      +- Sort [a#1 ASC NULLS FIRST], true\n"
        f"         +- Project [(d#4 + b#2) AS x#9, a#1]\n            +- {relation}"
    )
    top = "TakeOrderedAndProject(limit=3, orderBy=[a#1 ASC NULLS FIRST], output=[x#9])"
    found = trace_texts(
        extended("x: int", logical, f"{top}\n+- *(1) {SCAN.format(columns='a#1,b#2,... 1 more fields')}")
    )
    assert set(sources(found)) == {("x", "b"), ("x", "d")}
    assert not found.gaps


def test_truncated_fields_of_a_struct_are_a_gap_where_no_list_shows_the_limit() -> None:
    """A limit of 4 fields truncates the struct alone: no list has as many items."""
    lineage = trace_texts(
        """== Physical Plan ==
* Project (2)
+- Scan parquet d.t (1)

(1) Scan parquet d.t
Output [2]: [qty#1, addr#2]
Location: InMemoryFileIndex [file:/d/t]
ReadSchema: struct<qty:int,addr:struct<city:string,zip:string>>

(2) Project
Output [1]: [struct(city, addr#2.city, zip, addr#2.zip, ... 2 more fields) AS s#3]
Input [2]: [qty#1, addr#2]
"""
    )
    assert [gap.detail for gap in lineage.gaps] == ["2 arguments of struct are truncated"]
