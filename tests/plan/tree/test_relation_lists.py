"""Lists that Spark truncates where the logical plans show what is in them: all columns of a relation, in order."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import read_plan
from eventlog_lineage.plan.tree.nodes import walk

CACHED = "InMemoryRelation [a#5, b#6, ... 2 more fields], StorageLevel(disk)"
SCANNED = (
    "FileScan parquet d.t[a#5,b#6,... 2 more fields] Batched: true, Format: Parquet, "
    "ReadSchema: struct<a:int,b:int,c:int,d:int>"
)
RELATION = "Relation[a#5,b#6,... 2 more fields] parquet"
PROJECT = "Project [a#5, b#6, ... 2 more fields]"


def extended(physical: str, optimized: str, analyzed: str = RELATION) -> str:
    return (
        f"== Parsed Logical Plan ==\n'UnresolvedRelation [t]\n\n== Analyzed Logical Plan ==\na: int\n{analyzed}\n\n"
        f"== Optimized Logical Plan ==\n{optimized}\n\n== Physical Plan ==\n{physical}\n"
    )


@pytest.mark.parametrize(
    ("optimized", "analyzed", "is_whole"),
    [
        (f"Filter (a#5 > 1)\n+- {RELATION}", f"{PROJECT}\n+- {RELATION}", True),
        (f"{PROJECT}\n+- {RELATION}", RELATION, True),
        (f"{PROJECT}\n+- {RELATION}", f"{PROJECT}\n+- {RELATION}", False),
        (f"{PROJECT}\n+- {RELATION}", "Relation[a#9,b#10,... 2 more fields] parquet", False),
    ],
)
def test_a_projection_of_the_planner_outputs_all_columns(optimized: str, analyzed: str, is_whole: bool) -> None:
    """`FileSourceStrategy` adds it; one of the user may compute what is hidden."""
    physical = f"*(1) {PROJECT}\n+- *(1) Filter (a#5 > 1)\n   +- *(1) ColumnarToRow\n      +- {SCANNED}"
    root = read_plan(extended(physical, optimized, analyzed)).root
    assert root is not None
    names = [item.partition("#")[0] for item in root.items("Output")]
    assert names == (["a", "b", "c", "d"] if is_whole else [])


@pytest.mark.parametrize("between", ["", "Exchange hashpartitioning(b#6, 2), false", "*(2) Sort [b#6 ASC NULLS FIRST]"])
@pytest.mark.parametrize(("analyzed", "is_whole"), [(RELATION, True), (f"{PROJECT}\n+- {RELATION}", False)])
def test_a_cache_outputs_all_columns_of_its_relation_unless_the_user_projects(
    between: str, analyzed: str, is_whole: bool
) -> None:
    """The optimized plan has no projections of a cached plan: one in the analyzed plan may have another order."""
    lines = [
        f"InMemoryTableScan {PROJECT.removeprefix('Project ')}",
        CACHED,
        *filter(None, [between]),
        f"*(1) {PROJECT}",
    ]
    tree = "".join(f"{'   ' * depth}+- {line}\n" for depth, line in enumerate([*lines, SCANNED]))
    plan = read_plan(extended(tree.removeprefix("+- "), CACHED, analyzed))
    assert plan.root is not None
    names = [item.partition("#")[0] for item in plan.root.items("Output")]
    assert names[:2] == ["a", "b"]
    assert (names[2:] == ["c", "d"]) == is_whole


@pytest.mark.parametrize(("requested", "is_column"), [("d#8", True), ("d#9", False)])
def test_an_attribute_of_another_id_is_not_in_a_relations_list(requested: str, is_column: bool) -> None:
    """The ids of a relation's columns follow each other: a column of its name with another id is computed."""
    cached = f"   +- {CACHED}\n         +- *(1) {PROJECT}\n            +- {SCANNED}"
    plan = read_plan(extended(f"InMemoryTableScan [{requested}]\n{cached}", CACHED))
    assert plan.root is not None
    (scan,) = (node for node in walk(plan.root) if node.operator == "FileScan")
    assert (requested in scan.items("Output")) == is_column


def test_a_relation_in_a_logical_tree_has_the_columns_that_the_plan_names() -> None:
    """`INSERT OVERWRITE DIRECTORY … USING` prints the logical tree, without the names of hidden columns."""
    lineage = trace_texts(
        "== Physical Plan ==\nExecute InsertIntoDataSourceDirCommand (1)\n   +- InsertIntoDataSourceDirCommand (2)\n"
        "         +- Project (5)\n            +- Filter (4)\n               +- LogicalRelation (3)\n\n\n"
        "(1) Execute InsertIntoDataSourceDirCommand\nOutput: []\n\n"
        "(2) InsertIntoDataSourceDirCommand\nArguments: Storage(Location: /out), parquet, true\n\n"
        "(3) LogicalRelation\nArguments: parquet, [a#5, b#6, ... 3 more fields], `d`.`t`, false\n\n"
        "(4) Filter\nArguments: (d#8 > 1)\n\n(5) Project\nArguments: [a#5, upper(e#9) AS x#20]\n\n"
    )
    found = {(edge.target_column, edge.source_column) for edge in lineage.edges}
    assert (found, lineage.gaps) == ({("a", "a"), ("x", "e"), (None, "d")}, ())


def cached(columns: str) -> str:
    """A scan of a cached table whose `ReadSchema` Spark abbreviates, as in 2.4."""
    scan = SCANNED.replace("b:int,c:int,d:int>", "b:i...")
    return f"InMemoryTableScan [{columns}]\n      +- {CACHED}\n            +- *(1) {scan}"


def test_a_cached_tables_hidden_columns_pass_to_the_operators_that_name_them() -> None:
    text = f"*(1) Filter ((c#7 > 1) && (d#8 > 1))\n+- {cached('a#5, b#6, ... 2 more fields')}"
    lineage = trace_texts(extended(text, CACHED))
    columns = {(edge.target_column, edge.source_column) for edge in lineage.edges if edge.target_column}
    assert columns == {(name, name) for name in "abcd"}
    assert lineage.gaps == ()


@pytest.mark.parametrize(
    ("above", "gaps"), [("Filter (c#7 > 1)", ["1 of 4 columns are truncated"]), ("Project [c#7]", [])]
)
def test_hidden_columns_that_no_operator_names_are_a_gap(above: str, gaps: list[str]) -> None:
    lineage = trace_texts(extended(f"*(1) {above}\n+- {cached('a#5, b#6, ... 2 more fields')}", CACHED))
    assert [gap.detail for gap in lineage.gaps] == gaps


def grouped(columns: str = "d:int,e:int", functions: str = "max(e#9)", between: str = "") -> str:
    """A table grouped by four keys, of which `a#5, b#6` are printed; the last step outputs the third."""
    keys, size = "keys=[a#5, b#6, ... 2 more fields]", columns.count(":") + 1
    scan = SCANNED.replace("... 2", f"... {size}").replace("d:int", columns)
    relation = RELATION.replace("... 2", f"... {size}")
    return extended(
        f"*(2) HashAggregate({keys}, functions=[{functions}], output=[c#7, top#20])\n"
        "+- Exchange hashpartitioning(a#5, b#6, ... 3 more fields)\n"
        f"   +- *(1) HashAggregate({keys}, functions=[partial_{functions}], output=[a#5, b#6, ... 3 more fields])\n"
        f"      +- {between}{scan}",
        f"Aggregate [a#5, b#6, ... 2 more fields], [c#7, max(e#9) AS top#20]\n+- {relation}",
        relation,
    )


def test_hidden_keys_are_the_columns_that_nothing_else_uses() -> None:
    lineage = trace_texts(grouped())
    columns = {(edge.target_column, edge.source_column) for edge in lineage.edges if edge.target_column}
    keyed = {(edge.source_column, str(edge.confidence)) for edge in lineage.edges if edge.target_column is None}
    assert columns == {("c", "c"), ("top", "e")}
    assert keyed == {("a", "exact"), ("b", "exact"), ("c", "inferred"), ("d", "inferred")}
    assert lineage.gaps == ()


@pytest.mark.parametrize(
    "text",
    [
        grouped("d:int,e:int,f:int"),  # the key is an expression of two columns
        grouped(functions="max(e#9), ... 1 more fields"),
        grouped(between="Project [a#5, b#6, c#7, ... 2 more fields]\n         +- "),
    ],
)
def test_hidden_keys_that_may_be_others_are_a_gap(text: str) -> None:
    lineage = trace_texts(text)
    keyed = {edge.source_column for edge in lineage.edges if edge.target_column is None}
    assert keyed == {"a", "b", "c"}
    assert "1 of 4 keys are truncated" in {gap.detail for gap in lineage.gaps}


def test_partition_columns_follow_those_that_are_read() -> None:
    scan = SCANNED.replace(",d:int", "").replace(
        "ReadSchema", "PartitionFilters: [isnotnull(d#8), (d#8 = 1)], ReadSchema"
    )
    root = read_plan(extended(f"*(1) {PROJECT}\n+- {scan}", RELATION)).root
    assert root is not None
    assert [item.partition("#")[0] for item in root.items("Output")] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("literal", ["x", "x ("])
def test_truncated_arguments_of_a_generator_are_a_gap(literal: str) -> None:
    generator = f"stack(3, {literal}, a#5, {literal}, ... 3 more fields), false, [name#20, v#21]"
    lineage = trace_texts(extended(f"Generate {generator}\n+- {SCANNED}", RELATION))
    assert [gap.detail for gap in lineage.gaps] == ["3 arguments of stack are truncated"]


def test_partition_filters_of_an_escaped_hive_relation_are_read() -> None:
    """A literal with a bracket makes the relation's brackets ambiguous."""
    relation = (
        "HiveTableRelation [`d`.`t`, serde, Data Cols: [a#5], Partition Cols: [p#6], Pruned Partitions: [(p=york (1))]]"
    )
    physical = f"Project [concat((, a#5) AS x#9]\n+- Scan hive d.t [a#5], {relation}, [NOT p#6 IN (a,b (c,[e])]"
    lineage = trace_texts(f"== Physical Plan ==\n{physical}\n")
    assert {edge.source_column for edge in lineage.edges if edge.target_column is None} == {"p"}


def test_a_partition_column_that_only_an_escaped_hive_relation_lists_is_a_filter() -> None:
    relation = (
        "HiveTableRelation [`d`.`t`, serde, Data Cols: [a#5], Partition Cols: [ds#6, p#7], "
        "Pruned Partitions: [(ds=2022-01-01, p=york (1))]]"
    )
    conditions = "[isnotnull(ds#6), (ds#6 >= 2021-12-01), NOT p#7 IN (a,b (c,, d,[e])]"
    lineage = trace_texts(
        "== Physical Plan ==\n* Project (2)\n+- Scan hive d.t (1)\n\n\n(1) Scan hive d.t\nOutput [2]: [a#5, p#7]\n"
        f"Arguments: [a#5, p#7], {relation}, {conditions}\n\n"
        "(2) Project [codegen id : 1]\nOutput [1]: [a#5]\nInput [2]: [a#5, p#7]\n\n"
    )
    assert {edge.source_column for edge in lineage.edges if edge.target_column is None} == {"ds", "p"}


def test_a_key_that_a_truncated_projection_computes_is_in_the_truncated_part_of_a_list() -> None:
    scan = "FileScan parquet d.t[{0}] Batched: true, Format: Parquet, Location: InMemoryFileIndex[file:/t]"
    physical = (
        "*(2) Project [v#9, b#2, n#6]\n+- *(2) BroadcastHashJoin [v#9], [k#5], LeftOuter, BuildRight\n"
        f"   :- *(2) Project [a#1, b#2, ... 1 more fields]\n   :  +- {scan.format('a#1,b#2,c#3')}\n"
        f"   +- BroadcastExchange HashedRelationBroadcastMode(List(input[0]))\n      +- {scan.format('k#5,n#6')}"
    )
    gaps = trace_texts(f"== Physical Plan ==\n{physical}\n").gaps
    assert {(gap.operator, gap.detail) for gap in gaps if gap.reason is GapReason.TRUNCATED_FIELDS} == {
        ("BroadcastHashJoin", "v#9 is in the truncated part of a list"),
        ("Project", "v#9 is in the truncated part of a list"),
    }
    assert len(gaps) == 2


FLOATS = [f"k{n}#{n}" for n in range(1, 7)]


def normalized(key: str) -> str:
    return f"knownfloatingpointnormalized(normalizenanandzero({key})) AS {key}"


def test_hidden_keys_of_normalized_numbers_are_those_that_later_steps_output() -> None:
    """`NormalizeFloatingNumbers` keeps the id of a key; a step without functions outputs its keys."""
    keys, results = [FLOATS[each] for each in (4, 0, 5)], [FLOATS[each] for each in (0, 1, 2)]
    listed = ", ".join(keys)
    relation = "Relation[k1#1,k2#2,k3#3,... 3 more fields] parquet"
    project = f"Project [{', '.join(results)}, ... 3 more fields]"
    physical = (
        f"*(2) HashAggregate(keys=[{listed}, ... 3 more fields], functions=[], "
        f"output=[{', '.join(results)}, ... 3 more fields])\n"
        f"+- Exchange hashpartitioning({listed}, ... 4 more fields), true\n"
        f"   +- *(1) HashAggregate(keys=[{', '.join(map(normalized, keys))}, ... 3 more fields], functions=[], "
        f"output=[{listed}, ... 3 more fields])\n"
        f"      +- *(1) {project}\n"
        "         +- FileScan parquet d.t[k1#1,k2#2,k3#3,... 3 more fields] Batched: true, Format: Parquet, "
        "Location: InMemoryFileIndex[file:/t], ReadSchema: struct<k1:double,k2:double,k3:double,...>"
    )
    aggregate = f"Aggregate [{listed}, ... 3 more fields], [{', '.join(results)}, ... 3 more fields]"
    lineage = trace_texts(extended(physical, f"{aggregate}\n+- {project}\n   +- {relation}"))
    own = {(edge.target_column, edge.source_column) for edge in lineage.edges if edge.target_column}
    assert own == {(name, name) for name in ("k1", "k2", "k3")}
    grouped = {edge.source_column for edge in lineage.edges if not edge.target_column}
    assert grouped == {"k1", "k2", "k3", "k5", "k6"}
    assert [gap.detail for gap in lineage.gaps] == ["1 of 6 keys are truncated", "3 of 6 columns are truncated"]


def test_the_last_step_of_an_aggregation_has_the_hidden_keys_of_the_first() -> None:
    listed = ", ".join(FLOATS[:3])
    schema = ",".join(f"k{n}:double" for n in range(1, 7))
    physical = (
        f"*(2) HashAggregate(keys=[{listed}, ... 3 more fields], functions=[max(v#7)], output=[k2#2, top#8])\n"
        f"+- Exchange hashpartitioning({listed}, ... 4 more fields), true\n"
        f"   +- *(1) HashAggregate(keys=[{', '.join(map(normalized, FLOATS[:3]))}, ... 3 more fields], "
        f"functions=[partial_max(v#7)], output=[{listed}, ... 4 more fields])\n"
        f"      +- FileScan parquet d.t[{','.join(FLOATS[:3])},... 4 more fields] Batched: true, Format: Parquet, "
        f"Location: InMemoryFileIndex[file:/t], ReadSchema: struct<{schema},v:double>"
    )
    lineage = trace_texts(f"== Physical Plan ==\n{physical}\n")
    grouped = {edge.source_column for edge in lineage.edges if not edge.target_column}
    assert grouped == {f"k{n}" for n in range(1, 7)}
    assert lineage.gaps == ()


KEYS = "keys=[b#6, a#5, ... 2 more fields], functions=[], output=[a#5, b#6, ... 2 more fields]"
DISTINCT = "Deduplicate [b#6, a#5, ... 2 more fields]"
WRITE = "SaveCommand file:/x, false, Parquet, [a, b, ... 2 more fields]"


@pytest.mark.parametrize(
    ("analyzed", "names"),
    [
        (f"{DISTINCT}\n+- SubqueryAlias t\n   +- {RELATION}", ["a", "b", "c", "d"]),
        (f"{WRITE}\n+- {DISTINCT}\n   +- Filter (a#5 > 1)\n      +- {RELATION}", ["a", "b", "c", "d"]),
        (f"{PROJECT}\n+- {DISTINCT}\n   +- {RELATION}", ["a", "b"]),
        (f"{DISTINCT}\n+- {PROJECT}\n   +- {RELATION}", ["a", "b"]),
    ],
)
def test_distinct_rows_have_the_columns_of_their_relation_unless_a_projection_is_next_to_them(
    analyzed: str, names: list[str]
) -> None:
    physical = f"*(1) HashAggregate({KEYS})\n+- *(1) HashAggregate({KEYS})\n   +- *(1) {SCANNED}"
    root = read_plan(extended(physical, f"Aggregate [b#6, ... 3 more fields]\n+- {RELATION}", analyzed)).root
    assert root is not None
    assert [name for item in root.items("Results") if (name := item.partition("#")[0]) in "abcd"] == names


@pytest.mark.parametrize(
    "analyzed",
    [
        f"Deduplicate [b#6]\n+- SubqueryAlias t\n   +- {RELATION}",
        f"Aggregate [b#6], [first(a#5, false) AS a#5, b#6, ... 2 more fields]\n+- {RELATION}",
    ],
)
def test_the_hidden_functions_of_an_aggregate_are_a_gap(analyzed: str) -> None:
    aggregate = "SortAggregate(key=[b#6], functions=[{0}first(a#5, false), ... 2 more fields], output=[{1}])"
    physical = (
        f"{aggregate.format('', 'a#5, b#6, ... 2 more fields')}\n+- *(2) Sort [b#6 ASC NULLS FIRST], false, 0\n"
        "   +- Exchange hashpartitioning(b#6, 1), true\n"
        f"      +- {aggregate.format('partial_', 'b#6, first#20, ... 5 more fields')}\n         +- *(1) {SCANNED}"
    )
    optimized = f"Aggregate [b#6], [first(a#5, false) AS a#5, b#6, ... 2 more fields]\n+- {RELATION}"
    lineage = trace_texts(extended(physical, optimized, analyzed))
    own = {(edge.target_column, edge.source_column) for edge in lineage.edges if edge.target_column}
    assert own == {(name, name) for name in "ab"}
    assert [edge.source_column for edge in lineage.edges if not edge.target_column] == ["b"]
    assert [gap.detail for gap in lineage.gaps] == ["2 of 4 columns are truncated"]
