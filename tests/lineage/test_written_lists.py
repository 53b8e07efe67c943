"""Lists that Spark truncates are those of the parsed plan or of the SQL text that the SQL shell logs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from eventlog_lineage.events.decoding.core_events import STATEMENT_LENGTH
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage import application
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.model import Confidence
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan, walk
from eventlog_lineage.plan.unresolved import query_lists
from eventlog_lineage.plan.unresolved.query_lists import with_query_lists
from eventlog_lineage.plan.unresolved.sql_expressions import select_lists

LOGS = Path(__file__).parents[1] / "sql_shell_logs"
NUMBERS = range(1, 31)


def columns(lineage: StatementLineage) -> dict[str, set[str]]:
    """The target columns in their order, with their DIRECT sources."""
    found: dict[int, tuple[str, set[str]]] = {}
    for edge in lineage.edges:
        if edge.target_ordinal is not None:
            _, sources = found.setdefault(edge.target_ordinal, (edge.target_column or "", set()))
            if edge.source_column and edge.dependency == "DIRECT":
                sources.add(f"{(edge.source_dataset or '').rpartition('.')[2]}.{edge.source_column}")
    return {name: sources for _, (name, sources) in sorted(found.items())}


def traced(version: str) -> dict[str, StatementLineage]:
    """The lineages of the statements that read tables, by the start of their SQL."""
    (log,) = find_logs([str(LOGS / f"{version}.zstd")])
    own = [each for each in trace_log(read_log(log)) if each.lineage.edges and "VALUES" not in each.root.description]
    return {" ".join(each.root.described_sql.split())[:30]: each.lineage for each in own}


def of_survey(*names: str) -> set[str]:
    return {f"survey.{name}" for name in names}


@pytest.mark.parametrize("version", ["2.4", "3.0", "3.5"])
def test_lists_have_the_items_of_the_sql_text(version: str) -> None:
    known = traced(version)
    doubled = known["CREATE TABLE inn.doubled USING"]
    assert columns(doubled) == {"guest_id": of_survey("guest_id")} | {f"d{n}": of_survey(f"q{n}") for n in NUMBERS}
    summed = known["CREATE TABLE inn.sums USING pa"]
    assert columns(summed) == {"remark": of_survey("remark")} | {f"s{n}": of_survey(f"q{n}") for n in NUMBERS}
    joined = known["CREATE TABLE inn.joined USING "]
    assert columns(joined) == {
        "guest_id": of_survey("guest_id"),
        **{f"q{n}": of_survey(f"q{n}") for n in NUMBERS},
        "remark": of_survey("remark"),
        "country": {"guests.country"},
        "who": {"guests.name"},
        "mixed": of_survey("q2", "q30"),
    }
    top = known["SELECT id, a * 1 AS a1, a * 2 "]
    assert columns(top) == {
        "id": of_survey("guest_id"),
        **{f"a{n}": of_survey("q1") for n in range(1, 29)},
        "u": of_survey("q29"),
        "z": of_survey("q30"),
    }
    assert not any(each.gaps for each in (doubled, summed, joined, top))
    inferred = {edge.target_column for edge in doubled.edges if edge.confidence is Confidence.INFERRED}
    assert {f"d{n}" for n in range(24, 31)} <= inferred
    assert inferred.isdisjoint({f"d{n}" for n in range(1, 24)})


@pytest.mark.parametrize("version", ["2.4", "3.0"])
def test_an_insert_renames_the_items_of_the_sql_text(version: str) -> None:
    known = traced(version)
    inserted = known["INSERT OVERWRITE TABLE inn.dou"]
    expected = {"guest_id": of_survey("guest_id")} | {f"d{n}": of_survey(f"q{n}", f"q{31 - n}") for n in NUMBERS}
    assert columns(inserted) == expected
    of_view = known["WITH w AS (SELECT id, a + b AS"]
    assert columns(of_view) == {
        "guest_id": of_survey("guest_id"),
        **{f"d{n}": of_survey("q1", "q2") for n in range(1, 29)},
        "d29": of_survey("q29"),
        "d30": of_survey("q29", "q30"),
    }
    assert not inserted.gaps
    assert not of_view.gaps


def test_a_cut_sql_text_has_no_lists() -> None:
    (log,) = find_logs([str(LOGS / "3.5.zstd")])
    known = [each for each in read_log(log).executions if application._written_lists(each)]
    assert known
    for execution in known:
        cut = f"{execution.described_sql} -- {'x' * STATEMENT_LENGTH}"[:STATEMENT_LENGTH]
        assert not application._written_lists(replace(execution, described_sql=cut, sql_text=""))


ANALYZED = "Project [a#1, (a#1 + b#2) AS x#4, ... 2 more fields]\n+- Relation[a#1,b#2,c#3] parquet\n"


@pytest.mark.parametrize(
    ("sql", "whole"),
    [
        ("SELECT a, a + b AS x, c, upper(c) AS y FROM t", "c#3, upper(c#3) AS y#"),
        ("CREATE TABLE u AS SELECT a, b + a AS x, c, 1 AS one FROM t", "c#3, 1 AS one#"),
        (
            "SELECT a, a + b AS x, c, if(a > 1, b, c) AS y FROM t",
            "c#3, CASE WHEN (a#1 > 1) THEN b#2 ELSE c#3 END AS y#",
        ),
        ("SELECT a, a + b AS x, c, decode(a, 1, b) AS y FROM t", ""),
        ("SELECT a, a + c AS x, c, b FROM t", ""),  # another list: the printed items differ
        ("SELECT a, a + b AS z, c, b FROM t", ""),
        ("SELECT a, a + b AS x, c FROM t", ""),  # and the number of items
        ("SELECT a, a + b AS x, c, d FROM t", ""),  # a name that the relation does not have
        ("SELECT a, a + b AS x, (SELECT max(b) FROM t), c FROM t", ""),  # not translated
        ("SELECT a, a + b AS x, c, b FROM t UNION SELECT a, a + b AS x, b, c FROM t", ""),  # two lists fit
    ],
)
def test_a_list_fits_by_its_printed_items_and_its_length(sql: str, whole: str) -> None:
    found = with_query_lists(ANALYZED, "", select_lists(sql), ())
    assert (f"Project [a#1, (a#1 + b#2) AS x#4, {whole}" in found) if whole else found == ANALYZED


def test_stars_of_the_parsed_plan_are_the_columns_of_their_relations() -> None:
    parsed = "'Project [ArrayBuffer(s).*, 'upper('g.n) AS u#9]\n+- 'Join Inner\n"
    analyzed = (
        "Project [a#1, b#2, ... 2 more fields]\n+- Join Inner\n   :- SubqueryAlias s\n"
        "   :  +- Relation[a#1,b#2,c#3] parquet\n   +- SubqueryAlias g\n      +- Relation[n#7,a#8] parquet\n"
    )
    assert "Project [a#1, b#2, c#3, upper(n#7) AS u#9]" in with_query_lists(analyzed, parsed, (), ())


def test_an_insert_of_a_star_has_the_names_of_the_table() -> None:
    parsed = "'InsertIntoStatement 'UnresolvedRelation [t]\n+- 'Project [*, unresolvedalias(('c - 1), None)]\n"
    analyzed = (
        "InsertIntoHadoopFsRelationCommand file:/t, CatalogTable(\nTable: t\nSchema: root\n |-- a: long\n |-- b: long\n"
        " |-- c: long\n |-- d: long\n), [a, b, ... 2 more fields]\n+- Project [a#1, b#2, ... 2 more fields]\n"
        "   +- Project [a#1, b#2, ... 2 more fields]\n      +- Relation[a#1,b#2,c#3] parquet\n"
    )
    found = with_query_lists(analyzed, parsed, (), ())
    assert "\n+- Project [a#1, b#2, c#3 AS c#" in found
    assert ", (c - 1)#1000000000000000 AS d#" in found
    assert "   +- Project [a#1, b#2, c#3, (c#3 - 1) AS (c - 1)#1000000000000000]" in found


def test_a_list_below_a_window_has_the_other_items() -> None:
    over = "'rank() windowspecdefinition('b, 'c ASC NULLS FIRST, unspecifiedframe$()) AS r#5"
    parsed = f"'Project [*, upper('b) AS u#4, {over}]\n+- 'UnresolvedRelation [t]\n"
    analyzed = (
        "Project [a#1, b#2, ... 3 more fields]\n+- Project [a#1, b#2, ... 4 more fields]\n"
        "   +- Window [rank(c#3) windowspecdefinition(b#2, c#3 ASC NULLS FIRST) AS r#5], [b#2], [c#3 ASC NULLS FIRST]\n"
        "      +- Project [a#1, b#2, ... 2 more fields]\n         +- Relation[a#1,b#2,c#3] parquet\n"
    )
    lists = [line.partition("Project ")[2] for line in with_query_lists(analyzed, parsed, (), ()).split("\n")]
    assert list(filter(None, lists)) == [
        "[a#1, b#2, c#3, u#4, r#5]",
        "[a#1, b#2, c#3, u#4, r#5, r#5]",
        "[a#1, b#2, c#3, upper(b#2) AS u#4]",
    ]


def test_a_relation_of_files_has_the_names_of_a_scan_of_all_its_columns() -> None:
    parsed = "'Project ['g.n, ArrayBuffer(f).*]\n+- 'Join Inner\n"
    analyzed = (
        "Project [n#7, a#1, ... 2 more fields]\n+- Join Inner\n   :- SubqueryAlias f\n"
        "   :  +- Relation[a#1,... 2 more fields] parquet\n   +- SubqueryAlias g\n      +- Relation[n#7] parquet\n"
    )
    found = with_query_lists(analyzed, parsed, (), (), [["a", "b", "c"], ["n"]])
    assert "Project [n#7, a#1, b#2, c#3]" in found
    assert "Relation[a#1,b#2,c#3] parquet" in found
    assert with_query_lists(analyzed, parsed, (), (), [["a", "b"], ["n"]]) == analyzed


def test_a_plan_with_truncated_sort_keys_keeps_its_gaps() -> None:
    analyzed = f"Sort [a#1 ASC NULLS FIRST, ... 2 more fields], true\n+- {ANALYZED.replace('+-', '   +-')}"
    assert with_query_lists(analyzed, "", select_lists("SELECT a, a + b AS x, c, b FROM t"), ()) == analyzed


VIEW_COPIED = """== Parsed Logical Plan ==
'InsertIntoDir false, Storage(Location: /out), parquet, true
+- 'Project [*]
   +- 'UnresolvedRelation [d, v]

== Analyzed Logical Plan ==

InsertIntoDataSourceDirCommand Storage(Location: /out), parquet, true
   +- Project [a#5, b#6, ... 2 more fields]
      +- SubqueryAlias spark_catalog.d.v
         +- View (`d`.`v`, [a#5,b#6,c#7,e#8])
            +- Project [a#1, b#2, ... 2 more fields]
               +- Filter (b#2 > 1)
                  +- SubqueryAlias spark_catalog.d.t
                     +- Relation[a#1,b#2,... 2 more fields] parquet

== Optimized Logical Plan ==
InsertIntoDataSourceDirCommand Storage(Location: /out), parquet, true
== Physical Plan ==
Execute InsertIntoDataSourceDirCommand
   +- InsertIntoDataSourceDirCommand Storage(Location: /out), parquet, true
"""


def test_the_star_of_a_query_is_not_that_of_its_view() -> None:
    known, unknown = (PlanText(VIEW_COPIED, wide).written for wide in ((("spark_catalog.d.v", ("*",)),), ()))
    assert _lists(known) == [("a#5", "b#6", "c#7", "e#8")] * 2 + [("a#1", "b#2", "c#3", "e#4")] * 2
    assert _lists(unknown) == [("a#5", "b#6", "c#7", "e#8")] * 2 + [("a#1", "b#2")] * 2


def _lists(plan: Plan | None) -> list[tuple[str, ...]]:
    nodes = walk(plan.root) if plan is not None else ()
    found = (node.listed("Output").items or node.listed("columns").items for node in nodes)
    return [each for each in found if each]


def in_levels(levels: int, *, has_aliases: bool) -> tuple[str, str]:
    """A chain of `SELECT *, c + 1 AS y1`, each over the one before, as analyzed and as parsed."""
    passed = ", ".join(f"c{number}#{number}L" for number in range(24))
    analyzed, parsed = [], []
    for level in range(levels, 0, -1):
        alias = [f"SubqueryAlias r{level}"] if has_aliases else []
        analyzed += [*alias, f"Project [{passed}, ... {6 + level} more fields]"]
        parsed += [*alias, f"'Project [*, ('c{level % 24} + 1) AS y{level}#{1000 + level}]"]
    analyzed.append("Relation[" + ",".join(f"c{number}#{number}L" for number in range(30)) + "] parquet")
    return as_tree(analyzed), as_tree([*parsed, "'UnresolvedRelation [t]"])


def as_tree(labels: list[str]) -> str:
    return "".join(f"{'   ' * (at - 1)}{'+- ' if at else ''}{label}\n" for at, label in enumerate(labels))


def test_the_work_grows_with_the_number_of_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Counter[bool]()
    agrees = query_lists._agrees

    def counted(printed: str, item: str) -> bool:
        calls[has_aliases] += 1
        return agrees(printed, item)

    monkeypatch.setattr(query_lists, "_agrees", counted)
    for has_aliases in (True, False):
        work = []
        for levels in (40, 80, 160):
            calls.clear()
            found = with_query_lists(*in_levels(levels, has_aliases=has_aliases), (), ())
            work.append(calls[has_aliases] / levels)
            assert (" more fields" in found) != has_aliases
        assert max(work) <= 1.5 * min(work) + 24
