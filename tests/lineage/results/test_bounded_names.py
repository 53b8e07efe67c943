"""Names of any length: stored up to a limit, distinct, with a gap."""

from __future__ import annotations

from eventlog_lineage.lineage.results.bounded_names import LONGEST, short_name, with_short_names
from eventlog_lineage.lineage.trace_statement import trace_texts


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
