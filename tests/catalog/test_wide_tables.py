"""Wide tables of Spark 2.4 and 3.0: a plan lists the first columns, other plans of the application the others."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, ExecutionSummary
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.plan.plan_text import PlanText

RELATION = "SubqueryAlias `d`.`t`\n   +- Relation[{a}#{0}L,{b}#{1},... 2 more fields] parquet"
TEXT = """== Parsed Logical Plan ==
UnresolvedRelation

== Analyzed Logical Plan ==
{}

== Optimized Logical Plan ==
{}

== Physical Plan ==
{}"""


def relation(first: int, names: str = "ab") -> str:
    return RELATION.format(first, first + 1, a=names[0], b=names[1])


def scan(first: int, schema: str, listed: str = "ab") -> str:
    columns = f"{listed[0]}#{first}L,{listed[1]}#{first + 1},... 2 more fields"
    return f"*(1) FileScan parquet d.t[{columns}] Batched: true, Format: Parquet, ReadSchema: struct<{schema}"


def read(schema: str, partition: str = "", names: str = "ab") -> str:
    """A query of the whole table; one of its partition column."""
    where = f"Filter (day#13 = {partition})\n+- " if partition else ""
    condition = f"a: bigint, b: int, ... 2 more fields\n{where}{relation(10, names)}"
    return TEXT.format(condition, f"{where}Relation[x#1] parquet", scan(10, schema, names))


def cached(first: int = 20, again: int = 20, chosen: str = "") -> str:
    """A write of the table's cache; the cached plan prints 100 characters of the schema."""
    listed = f"[a#{again}L, b#{again + 1}, ... 2 more fields]"
    command = "InsertIntoHadoopFsRelationCommand file:/out, false, Parquet, Map(), Overwrite, [a, b, ... 2 more fields]"
    cache = f"InMemoryRelation {listed}, StorageLevel(disk)\n         +- {scan(first, 'a:bigint,b:...')}"
    return TEXT.format(
        f"{command}\n+- {chosen}{relation(again)}",
        f"{command}\n+- {chosen}{cache}",
        f"Execute InsertIntoHadoopFsRelationCommand {command}\n+- InMemoryTableScan {listed}\n"
        f"      +- {cache.replace('+-', '   +-')}\n",
    )


def copied(*texts: str) -> tuple[list[tuple[str | None, str | None, str]], list[str]]:
    """The columns of the last statement, and its gaps."""
    plans = [PlanText(text) for text in texts]
    runs = [
        ExecutionSummary(number, number, "", number, number, plan.summary, "", None)
        for number, plan in enumerate(plans)
    ]
    found = trace(group_executions(runs, NO_SETTINGS)[-1], {plan.summary.fingerprint: plan for plan in plans})
    edges = [(each.source_column, each.target_column, str(each.confidence)) for each in found.edges]
    return edges, [str(gap.reason) for gap in found.gaps]


WHOLE = "a:bigint,b:int,c:int>"
COPIED = [("a", "a", "exact"), ("b", "b", "exact"), ("c", "c", "inferred"), ("day", "day", "inferred")]


@pytest.mark.parametrize("again", [20, 30], ids=["same ids", "new ids"])
def test_other_plans_list_the_columns_of_a_cached_table(again: int) -> None:
    edges, gaps = copied(read(WHOLE, "1"), cached(again=again))
    assert edges == COPIED
    assert gaps == []


@pytest.mark.parametrize(
    "texts",
    [
        (cached(),),
        (read(WHOLE), cached()),  # the partition column is in no plan
        (read(WHOLE, "1"), read("a:bigint,b:int,x:int>", "1"), cached()),  # two tables, one after the other
        (read(WHOLE, "1", "az"), cached()),  # another table before
        (read(WHOLE, "1"), cached(chosen="Project [a#20L, b#21, ... 2 more fields]\n+- ")),  # may be computed
    ],
)
def test_columns_that_nothing_shows_are_a_gap(texts: tuple[str, ...]) -> None:
    edges, gaps = copied(*texts)
    assert gaps
    assert {edge[0] for edge in edges} <= {"a", "b"}


def starred(parsed: str, projected: str, between: str = "") -> str:
    """A query of the table joined with a small one, whose projection is truncated."""
    small = "SubqueryAlias `d`.`s`\n{}   +- Relation[k#40,v#41] json"
    joined = f"Join Inner, (a#20L = k#40)\n   :- {between}{relation(20).replace(chr(10), chr(10) + '   :  ')}\n"
    joined += f"   +- {small.format('      ')}"
    physical = f"Project {projected}\n+- SortMergeJoin [a#20L], [k#40], Inner\n"
    physical += f"   :- {scan(20, 'a:bigint,b:int,c:int>')}\n"
    physical += "   +- FileScan json d.s[k#40,v#41] Batched: false, Format: JSON, ReadSchema: struct<k:int,v:int>\n"
    analyzed = f"v: int, a: bigint, ... 3 more fields\nProject {projected}\n+- {joined}"
    text = TEXT.format(analyzed, f"Project {projected}\n+- {joined}", physical)
    return text.replace("UnresolvedRelation", f"{parsed}\n+- 'UnresolvedRelation `d`.`t`")


ONE = "[v#41, a#20L, b#21, ... 2 more fields]"
ALL = "[a#20L, b#21, ... 4 more fields]"


@pytest.mark.parametrize(
    ("parsed", "projected", "columns"),
    [
        ("'Project ['s.v, ArrayBuffer(t).*]", ONE, ["v", "a", "b", "c", "day"]),
        ("'Project ['v, t.*]", ONE, ["v", "a", "b", "c", "day"]),
        ("'Project [*]", ALL, ["a", "b", "c", "day", "k", "v"]),
    ],
)
def test_a_star_stands_for_all_columns(parsed: str, projected: str, columns: list[str]) -> None:
    edges, gaps = copied(read(WHOLE, "1"), starred(parsed, projected))
    assert [(source, target) for source, target, _ in edges if target] == [(name, name) for name in columns]
    assert gaps == []


@pytest.mark.parametrize(
    ("parsed", "projected", "between"),
    [
        ("'Project ['s.v, 't.a, 't.b, ('t.c * 2) AS c#50, 't.day]", ONE, ""),
        ("'Project ['s.v, ArrayBuffer(t).*, 't.c]", ONE, ""),
        ("'Project ['s.v, ArrayBuffer(t).*]", ONE.replace("2 more", "3 more"), ""),
        ("'Project [*]\n+- 'Project ['a, 'b, ('c * 2) AS c#50, 'day, 'k, 'v]", ALL, ""),
        ("'Project [*]", ALL, "Project [a#20L, b#21, ... 2 more fields]\n   :  +- "),
    ],
)
def test_a_projection_that_is_no_star_stays_a_gap(parsed: str, projected: str, between: str) -> None:
    _, gaps = copied(read(WHOLE, "1"), starred(parsed, projected, between))
    assert "truncated_fields" in gaps
