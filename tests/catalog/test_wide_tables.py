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
        ("'Project ['s.v, 't.a, 't.b, ('t.c * 2) AS c#50, 't.day]", ONE, ["v", "a", "b", "c", "day"]),
        ("'Project [*]", ALL, ["a", "b", "c", "day", "k", "v"]),
    ],
)
def test_a_truncated_projection_has_the_items_of_its_parsed_plan(
    parsed: str, projected: str, columns: list[str]
) -> None:
    edges, gaps = copied(read(WHOLE, "1"), starred(parsed, projected))
    assert [(source, target) for source, target, _ in edges if target] == [(name, name) for name in columns]
    assert gaps == []


@pytest.mark.parametrize(
    ("parsed", "projected", "between"),
    [
        ("'Project ['s.v, ArrayBuffer(t).*, 't.c]", ONE, ""),
        ("'Project ['s.v, ArrayBuffer(t).*]", ONE.replace("2 more", "3 more"), ""),
        ("'Project [*]\n+- 'Project ['a, 'b, ('c * 2) AS c#50, 'day, 'k, 'v]", ALL, ""),
        ("'Project [*]", ALL, "Project [a#20L, b#21, ... 2 more fields]\n   :  +- "),
    ],
)
def test_a_projection_that_its_parsed_plan_does_not_explain_stays_a_gap(
    parsed: str, projected: str, between: str
) -> None:
    _, gaps = copied(read(WHOLE, "1"), starred(parsed, projected, between))
    assert "truncated_fields" in gaps


DEFINED = "`d`.`v`, SELECT * FROM d.t WHERE b > 0, false, false, PersistedView"
QUERY = "Project [*]\n      +- 'Filter ('b > 0)\n         +- 'UnresolvedRelation `d`.`t`"
BLOCKS = """== Physical Plan ==
Execute {0} (1)
   +- {0} (2)
         +- {1}


(1) Execute {0}
Output: []

"""
SCHEMA = "Database: d\nTable: t\nSchema: root\n-- a: long (nullable = true)\n-- b: integer (nullable = true)\n"
SCHEMA += "-- c: struct (nullable = true)\n |    |-- x: integer (nullable = true)\n-- day: integer (nullable = true)\n"


def defined(view: str = DEFINED, query: str = QUERY, command: str = "CreateViewCommand") -> str:
    tree = f"{command} {view}\n   +- '{query}"
    return TEXT.format(tree, tree, f"Execute {command}\n   +- {tree.replace(chr(10), chr(10) + '      ')}")


def defined_in_blocks() -> str:
    tree = "Project (5)\n            +- Filter (4)\n               +- UnresolvedRelation (3)"
    details = f"(2) CreateViewCommand\nArguments: {DEFINED}\n\n(3) UnresolvedRelation\nArguments: [d, t], [], false\n\n"
    details += "(4) Filter\nArguments: ('b > 0)\n\n(5) Project\nArguments: [*]\n"
    return BLOCKS.format("CreateViewCommand", tree) + details


def folder(columns: str = "a#50L,b#51,c#52,day#53", between: str = "") -> str:
    """A folder that is written from the view: the plan prints the command's query as it was analyzed."""
    tree = "InsertIntoDataSourceDirCommand Storage(Location: /out), parquet, true\n   +- Project [c#52, a#50L]\n"
    tree += f"      +- SubqueryAlias `d`.`v`\n         +- View (`d`.`v`, [{columns}])\n"
    tree += f"            +- Project [a#60L, b#61, ... 2 more fields]\n               +- {between}Filter (b#61 > 0)\n"
    tree += f"                  +- {relation(60).replace(chr(10), chr(10) + ' ' * 18)}\n"
    physical = f"Execute InsertIntoDataSourceDirCommand\n   +- {tree.replace(chr(10), chr(10) + '      ')}"
    return TEXT.format(tree, tree, physical)


def folder_in_blocks() -> str:
    tree = "Aggregate (7)\n            +- View (6)\n               +- Project (5)\n                  +- Filter (4)\n"
    tree += "                     +- LogicalRelation (3)"
    arguments = {
        "(2) InsertIntoDataSourceDirCommand": "Storage(Location: /out), parquet, true",
        "(3) LogicalRelation": f"parquet, [a#60L, b#61, ... 2 more fields], CatalogTable(\n{SCHEMA}), false",
        "(4) Filter": "(b#61 > 0)",
        "(5) Project": "[a#60L, b#61, ... 2 more fields]",
        "(6) View": "`d`.`v`, org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe, false, "
        "[a#50L, b#51, ... 2 more fields]",
        "(7) Aggregate": "[a#50L], [max(c#52) AS c#40, a#50L]",
    }
    details = "\n\n".join(f"{header}\nArguments: {text}" for header, text in arguments.items())
    return BLOCKS.format("InsertIntoDataSourceDirCommand", tree) + details


@pytest.mark.parametrize(
    "texts", [(defined(), folder()), (defined_in_blocks(), folder_in_blocks())], ids=["2.4 and 3.0", "3.1"]
)
def test_a_stored_view_is_all_columns_of_its_relation(texts: tuple[str, ...]) -> None:
    edges, gaps = copied(*texts)
    assert gaps == []
    assert [edge for edge in edges if edge[1]] == [("c", "c", "inferred"), ("a", "a", "exact")]
    assert ("b", None, "exact") in edges


@pytest.mark.parametrize(
    "texts",
    [
        (folder(),),
        (defined(DEFINED.replace("`v`", "`w`")), folder()),
        (defined(DEFINED.replace("SELECT", "[(x,None), (y,None)], SELECT")), folder()),
        (defined(DEFINED.replace("false, false", "true, false")), folder()),
        (defined(query=QUERY.replace("[*]", "['a, 'b, 'day, 'c]")), folder()),
        (defined(query=QUERY.replace("'Filter", "'Generate explode('b)\n      +- 'Filter")), folder()),
        (defined(), defined("`d`.`v`, SELECT 1", "Project [1 AS c#1]", "AlterViewAsCommand"), folder()),
        (defined(), folder("a#50L,b#51,c#52")),
        (defined(), folder("a#50L,x#51,c#52,day#53")),
        (defined(), folder(between="Project [a#60L, b#61, ... 2 more fields]\n               +- ")),
    ],
)
def test_a_view_that_may_be_another_query_stays_a_gap(texts: tuple[str, ...]) -> None:
    edges, gaps = copied(*texts)
    assert gaps
    assert not [edge for edge in edges if edge[1] == "c" and edge[0] not in {"c", None}]


def test_truncated_columns_of_an_aggregate_are_no_answer_from_metadata() -> None:
    _, gaps = copied(folder_in_blocks())
    assert set(gaps) == {"truncated_fields"}
