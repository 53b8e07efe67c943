"""Columns of tables of which relations list the first ones only (`spark.sql.debug.maxToStringFields`)."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import WideRelation, pack_fact, unpack_fact

RELATION = "Relation[a#5L,b#6,... 3 more fields] parquet"
SCAN = "FileScan parquet d.t[a#5L,b#6,... 3 more fields] Batched: true, Format: Parquet, ReadSchema: struct<{}>"
WHOLE = SCAN.format("a:bigint,b:int,c:int,e:int")


def text(optimized: str, physical: str, view: str = "") -> str:
    alias = f"SubqueryAlias `d`.`t`\n{'   ' * view.count(chr(10))}   +- {RELATION}"
    analyzed = f"{view}{'   ' * (view.count(chr(10)) - 1)}{'+- ' if view else ''}{alias}"
    return (
        f"== Analyzed Logical Plan ==\na: bigint, b: int, ... 3 more fields\n{analyzed}\n\n"
        f"== Optimized Logical Plan ==\n{optimized}\n\n== Physical Plan ==\n{physical}"
    )


def found(plan: str) -> list[WideRelation]:
    return [fact for fact in PlanText(plan).facts if isinstance(fact, WideRelation)]


@pytest.mark.parametrize(
    ("physical", "columns"),
    [
        (WHOLE, ("a", "b", "c", "e", "")),
        (f"Filter (p#9 > 1)\n+- {WHOLE}", ("a", "b", "c", "e", "p")),
        (f"Filter (the p#9 > 1)\n+- {WHOLE}", ("a", "b", "c", "e", "")),  # a part of a name
        (SCAN.format("a:bigint,b:int,c..."), ("a", "b", "", "", "")),
        (SCAN.format("a:bigint,x:int,c:int,e:int"), ("a", "b", "", "", "")),  # a list that does not fit
        (f"Filter (e#8 > 1)\n+- {WHOLE.replace('3 more', '2 more')}", ("a", "b", "", "e", "")),
    ],
)
def test_ids_and_schemas_of_scans_show_columns(physical: str, columns: tuple[str, ...]) -> None:
    (fact,) = found(text(RELATION, physical))
    assert fact == WideRelation("spark_catalog.d.t", columns)
    assert unpack_fact(pack_fact(fact)) == fact


VIEW = "View (`d`.`v`, [a#25L,b#26,c#27,e#28,f#29])\n+- Project [a#5L, b#6, ... 3 more fields]\n"
CACHE = "InMemoryRelation [a#5L, b#6, ... 3 more fields], StorageLevel(disk)\n      +- {}" + SCAN.format("a:bigint,...")


@pytest.mark.parametrize(
    ("optimized", "columns"),
    [
        (f"Filter (b#6 > 1)\n+- {CACHE.format('*(1) ')}", ("a", "b", "c", "e", "f")),
        (f"Project [a#5L, b#6, (c#7 * 2) AS c#27, ... 2 more fields]\n+- {RELATION}", ("a", "b", "c", "", "")),
        (f"Project [a#5L]\n+- {RELATION}", ("a", "b", "", "", "")),
        (CACHE.format("*(1) Project [a#5L, b#6, ... 3 more fields]\n         +- *(1) "), ("a", "b", "", "", "")),
        ("", ("a", "b", "", "", "")),
    ],
)
def test_a_view_shows_columns_if_the_optimizer_removes_its_projection(optimized: str, columns: tuple[str, ...]) -> None:
    facts = found(text(optimized, SCAN.format("a:bigint,..."), VIEW))
    assert facts == [WideRelation("spark_catalog.d.t", columns)]


def test_a_text_whose_lists_are_whole_has_no_such_facts() -> None:
    assert found(text("Relation[a#5L] parquet", "FileScan").replace(RELATION, "Relation[a#5L] parquet")) == []


def test_a_write_prints_the_schema_of_its_table() -> None:
    columns = tuple(f"c{number}" for number in range(30))
    schema = "".join(f"-- {name}: decimal(10,2) (nullable = true)\n" for name in columns)
    schema += "-- s: struct (nullable = true)\n |    |-- inner: integer (nullable = true)\n"
    table = f"CatalogTable(\nDatabase: d\nTable: w\nProvider: orc\nSchema: root\n{schema}), x@1, [c0]"
    plan = text(RELATION, f"Execute InsertIntoHadoopFsRelationCommand file:/w, false, ORC, Append, {table}")
    assert found(plan)[1:] == [WideRelation("spark_catalog.d.w", (*columns, "s"))]
