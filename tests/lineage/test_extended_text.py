"""Extended text with lists that Spark cut, and with views: what the analyzed plan and the operators above tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import HiddenTables, StatementContext
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText, views_of
from eventlog_lineage.plan.printed.sections import ViewRead

TEXTS = Path(__file__).parent / "extended_text"
VERSIONS = ("3.0", "3.5", "4.3")
V, W = "spark_catalog.default.v", "spark_catalog.default.w"

WIDE = {
    "wide: rollup": "f<f g<g x<a y<b z<e *<f *<g",
    "wide: ordered": "id<id g<g *<f",
    "wide: projected": "ag<a ag<g *<a *<b *<f",
    "wide: window": "id<id a<a n<f n<g",
    "wide: cached": "a<a g<g",
}
"""Edges of statements on a table of eight columns, of which Spark prints four or five."""

VIEWS = {
    "view: read": {V: ("id", "g", "ab")},
    "view: nested": {W: ("id", "ab"), V: ("id", "ab")},
    "view: temporary": {"tv": ("id",), V: ("id", "g", "ab"), W: ("id",)},
    "view: global": {"global_temp.gv": ("id",)},
    "view: subquery": {V: ("id",)},
    "view: beside a literal": {},
}


@cache
def texts(version: str) -> Mapping[str, str]:
    pieces = re.split(r"^##### (.+)\n", (TEXTS / f"{version}.plans").read_text(), flags=re.MULTILINE)
    return {name: text.rstrip("\n") + "\n" for name, text in zip(pieces[1::2], pieces[2::2], strict=True)}


def lineage(version: str, case: str) -> StatementLineage:
    return trace_texts(texts(version)[case])


def edges(lineage: StatementLineage) -> set[str]:
    return {f"{edge.target_column or '*'}<{edge.source_column}" for edge in lineage.edges}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", WIDE)
def test_what_the_operators_above_name_is_found_in_a_cut_list(version: str, case: str) -> None:
    found = lineage(version, case)
    assert edges(found) == set(WIDE[case].split())
    assert found.gaps == ()


@pytest.mark.parametrize("version", VERSIONS)
def test_what_nobody_names_and_spark_cut_is_a_truncated_list_and_no_dangling_attribute(version: str) -> None:
    found = lineage(version, "wide: many sums")
    assert {"a<a", "b<b", "c<c", "d<d"} <= edges(found)
    assert [gap.reason for gap in found.gaps] == [GapReason.TRUNCATED_FIELDS]
    assert re.fullmatch(r"[23] of 7 columns are truncated", found.gaps[0].detail)


def test_an_attribute_that_stood_in_a_cut_list_is_no_dangling_one() -> None:
    text = """== Physical Plan ==
*(1) Filter (isnotnull(lost#9) AND (lost#9 > 1))
+- *(1) Project [cast(a#1 as bigint) AS x#3L, ... 4 more fields]
   +- *(1) FileScan parquet db.t[a#1,b#2] Batched: true, Format: Parquet, Location: InMemoryFileIndex[file:/t]
"""
    reasons = {gap.reason for gap in trace_texts(text).gaps}
    assert reasons == {GapReason.TRUNCATED_FIELDS}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", VIEWS)
def test_a_view_that_is_read_through_is_a_use_of_its_own(version: str, case: str) -> None:
    told = VIEWS[case]
    if version == "3.0":  # temporary views have no node of their own before 3.1
        told = {name: columns for name, columns in told.items() if name.startswith("spark_catalog.")}
    found = lineage(version, case)
    views = {use.dataset.name: use.columns for use in found.accesses if use.mode == "view"}
    assert views == told
    assert {edge.source_dataset for edge in found.edges} <= {"spark_catalog.default.wide", None}


def test_a_view_of_a_view_reads_the_inner_one() -> None:
    plan = """== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- Project (4)
            +- SubqueryAlias (5)
               +- View (6)
                  +- LogicalRelation (7)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `spark_catalog`.`db`.`outer`, SELECT a FROM inner, false, false, PersistedView, true

(4) Project
Arguments: [a#1]

(5) SubqueryAlias
Arguments: spark_catalog.db.inner

(6) View
Arguments: `spark_catalog`.`db`.`inner`, [a#1]

(7) LogicalRelation
Arguments: parquet, [a#1], `spark_catalog`.`db`.`t`, org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe, false

"""
    uses = {(use.dataset.name, use.direction, use.mode) for use in trace_texts(plan).accesses}
    assert ("spark_catalog.db.inner", "read", "view") in uses


def test_the_thrift_servers_plan_tells_the_views_of_formatted_text() -> None:
    views = PlanText(texts("3.5")["view: read"]).views
    assert views_of(views) == views == (ViewRead("`spark_catalog`.`default`.`v`", ("id", "g", "ab")),)
    text = "== Physical Plan ==\nLocalTableScan (1)\n\n\n(1) LocalTableScan\nOutput [1]: [a#1]\n"
    found = trace_texts(text, context=StatementContext(hidden=HiddenTables(views)))
    assert [use.dataset.name for use in found.accesses] == [V]


def test_the_schema_above_the_analyzed_plan_counts_the_columns_of_a_list_with_ambiguous_names() -> None:
    project = (
        "Project [w#1 AS k#11, add_months(cast(a#2 as date), slice(filter(array(length(w#1)), lambdafunction("
        "(lambda e#9 > length(a#2)), lambda e#9, false)), 1, 2)[0]) AS [k#12, u#3 AS u#13, sequence(cast("
        "array_position(z#4, if () as int), (cast(array_position(z#4, if () as int) + 3), None) AS it, em#14, "
        "z#4 AS total#15]"
    )
    logical = f"{project}\n+- Relation spark_catalog.default.t[w#1,a#2,u#3,z#4] parquet\n"
    schema = "k: string, [k: date, u: double, it, em: array<int>, total: array<string>"
    text = (
        f"== Parsed Logical Plan ==\n'Project ['w]\n+- 'UnresolvedRelation [t], [], false\n\n"
        f"== Analyzed Logical Plan ==\n{schema}\n{logical}\n== Optimized Logical Plan ==\n{logical}\n"
        f"== Physical Plan ==\n*(1) {project}\n+- *(1) ColumnarToRow\n   +- FileScan parquet "
        "spark_catalog.default.t[w#1,a#2,u#3,z#4] Batched: true, ReadSchema: struct<w:string,a:string,u:double>\n"
    )
    found = {(edge.target_column, edge.source_column) for edge in trace_texts(text).edges}
    assert found == {("k", "w"), ("[k", "a"), ("[k", "w"), ("u", "u"), ("it, em", "z"), ("total", "z")}


def inlined(columns: str) -> list[tuple[str, str, str]]:
    text = (
        "== Physical Plan ==\n"
        f"*(1) Generate inline(items#58), false, [{columns}]\n"
        "+- *(1) ColumnarToRow\n   +- FileScan parquet t[items#58] Batched: true, "
        "ReadSchema: struct<items:array<struct<sku:string,qty:i...\n"
    )
    lineage = trace_texts(text)
    return [(edge.target_column or "", edge.source_column or "", str(edge.confidence)) for edge in lineage.edges]


def test_a_renamed_field_of_a_truncated_type_depends_on_the_whole_array() -> None:
    known = [("sku", "items.sku", "exact"), ("qty", "items.qty", "exact")]
    assert inlined("sku#1, qty#2, note#3") == [*known, ("note", "items.note", "inferred")]
    renamed = [("name", "items.sku", "exact"), ("n", "items.qty", "exact")]
    assert inlined("name#1, n#2, x#3") == [*renamed, ("x", "items", "exact")]
