"""A filter that a database applies names a column of the relation: the query's, if the relation is a query."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

JOIN = "(SELECT o.id, c.city AS town FROM shop.orders o JOIN shop.customers c ON o.customer = c.id) q"
RENAMED = "(SELECT amount AS a, 'x' AS kind FROM shop.orders) q"


def filters(relation: str, output: str, pushed: str) -> set[str]:
    name = f"Scan JDBCRelation({relation}) [numPartitions=1] "
    text = f"== Physical Plan ==\n* {name} (1)\n\n\n(1) {name}\nOutput [1]: [{output}]\nPushedFilters: [{pushed}]\n\n"
    edges = trace_texts(text).edges
    return {f"{each.source_dataset}.{each.source_column}" for each in edges if each.transformation == "FILTER"}


@pytest.mark.parametrize(
    ("relation", "output", "pushed", "expected"),
    [
        ("shop.orders", "id#1", "*GreaterThan(amount,5)", {"jdbc:shop.orders.amount"}),
        (RENAMED, "A#1", "*IsNotNull(A), *GreaterThan(A,5)", {"jdbc:shop.orders.amount"}),
        (RENAMED, "kind#1", "*GreaterThan(A,5)", {"jdbc:shop.orders.amount"}),
        (RENAMED, "a#1", "*EqualTo(kind,x)", set()),
        (JOIN, "id#1", "*EqualTo(town,Rome)", {"jdbc:shop.customers.city"}),
        (JOIN, "id#1", "EqualTo(town,Rome)", set()),
    ],
)
def test_a_filter_that_the_database_applies_is_of_the_column_behind_it(
    relation: str, output: str, pushed: str, expected: set[str]
) -> None:
    assert filters(relation, output, pushed) == expected


JOINED = """== Physical Plan ==
SortMergeJoin {kind} (3)
:- Scan {left} (1)
+- Scan JDBCRelation(b) [numPartitions=1]  (2)


(1) Scan {left}
Output [1]: [k#1L]
PushedFilters: [{pushed}]

(2) Scan JDBCRelation(b) [numPartitions=1]
Output [1]: [k#2L]
PushedFilters: [*IsNotNull(k)]

(3) SortMergeJoin
Left keys [1]: [k#1L]
Right keys [1]: [k#2L]
Join type: {kind}
Join condition: None

"""
TABLE = "JDBCRelation(a) [numPartitions=1] "
QUERY = "JDBCRelation((select k from a where k is not null) q) [numPartitions=1] "


@pytest.mark.parametrize(
    ("left", "pushed", "kind", "expected"),
    [
        (TABLE, "*IsNotNull(k)", "Inner", set()),
        (TABLE, "*IsNotNull(k), *GreaterThan(k,5)", "Inner", {"a"}),
        (TABLE, "*IsNotNull(k)", "LeftOuter", {"a"}),
        (TABLE, "*IsNotNull(k)", "RightOuter", {"b"}),
        (TABLE, "", "FullOuter", {"b"}),
        (QUERY, "", "Inner", {"a"}),
    ],
)
def test_a_null_test_of_a_key_is_no_filter_below_a_join_that_needs_a_match(
    left: str, pushed: str, kind: str, expected: set[str]
) -> None:
    edges = trace_texts(JOINED.format(left=left, pushed=pushed, kind=kind)).edges
    found = {each.source_dataset for each in edges if each.transformation == "FILTER"}
    assert found == {f"jdbc:{name}" for name in expected}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("PushedGroupByExpressions: [kind]", {"kind GROUP_BY"}),
        ("PushedAggregates: []\nPushedGroupByExpressions: [kind]", {"kind GROUP_BY"}),
        (
            "PushedFilters: [(kg > 5) OR (kind LIKE 'a%' ESCAPE '\\'), NOT (fee = 3)]",
            {"kg FILTER", "kind FILTER", "fee FILTER"},
        ),
    ],
)
def test_a_distinct_and_a_pattern_that_a_catalogs_table_applies_are_conditions(fields: str, expected: set[str]) -> None:
    name = "Scan JDBC v1 Relation from v2 scan pg.logi.parcels"
    text = f"== Physical Plan ==\n* {name} (1)\n\n\n(1) {name}\nOutput [1]: [kind#1]\n{fields}\n\n"
    edges = trace_texts(text).edges
    assert {f"{e.source_column} {e.transformation}" for e in edges if e.target_column is None} == expected
    assert {e.source_column for e in edges if e.target_column == "kind"} == {"kind"}


FILTERED = """== Physical Plan ==
Project (3)
+- Filter (2)
   +- Scan parquet  (1)


(1) Scan parquet
Output [3]: [addr#1, items#2, b#3L]
Location: InMemoryFileIndex [file:/lake/src]
ReadSchema: struct<addr:struct<city:string,zip:bigint>,items:array<struct<sku:string>>,b:bigint>

(2) Filter
Input [3]: [addr#1, items#2, b#3L]
Condition : {condition}

(3) Project
Output [1]: [b#3L]
Input [3]: [addr#1, items#2, b#3L]

"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("(isnotnull(addr#1) AND (addr#1.city = x))", {"addr.city"}),
        ("(isnotnull(items#2) AND (items#2[0].sku = x))", {"items.sku"}),
        ("((isnotnull(addr#1) AND isnotnull(b#3L)) AND (addr#1.zip > b#3L))", {"addr.zip", "b"}),
        ("(isnotnull(addr#1) AND isnotnull(addr#1.city))", {"addr.city"}),
        ("(isnotnull(addr#1) AND ((addr#1.city = x) AND (addr#1 = [x,1])))", {"addr", "addr.city"}),
        ("isnotnull(addr#1)", {"addr"}),
        ("(isnotnull(addr#1) AND (b#3L > 1))", {"addr", "b"}),
    ],
)
def test_a_null_test_of_a_struct_is_no_filter_next_to_a_condition_on_its_fields(
    condition: str, expected: set[str]
) -> None:
    edges = trace_texts(FILTERED.format(condition=condition)).edges
    assert {each.source_column for each in edges if each.transformation == "FILTER"} == expected


EXPLODED = """== Physical Plan ==
Project (4)
+- Filter (3)
   +- Generate (2)
      +- Scan parquet  (1)


(1) Scan parquet
Output [1]: [addr#1]
Location: InMemoryFileIndex [file:/lake/src]
ReadSchema: struct<addr:struct<notes:array<struct<k:string,v:struct<w:string>>>>>

(2) Generate
Input [1]: [addr#1]
Arguments: explode(addr#1.notes), false, [n#2]

(3) Filter
Input [1]: [n#2]
Condition : {condition}

(4) Project
Output [1]: [n#2.k AS k#3]
Input [1]: [n#2]

"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("(isnotnull(n#2) AND NOT (n#2.k = x))", {"addr.notes.k"}),
        ("(isnotnull(n#2) AND (n#2.v.w = x))", {"addr.notes.v.w"}),
        ("isnotnull(n#2)", {"addr.notes"}),
    ],
)
def test_a_null_test_of_an_element_is_no_filter_next_to_a_condition_on_its_fields(
    condition: str, expected: set[str]
) -> None:
    edges = trace_texts(EXPLODED.format(condition=condition)).edges
    assert {each.source_column for each in edges if each.transformation == "FILTER"} == expected


def test_a_null_test_of_a_struct_that_the_analyzed_plan_has_is_the_users() -> None:
    text = FILTERED.format(condition="(isnotnull(addr#1) AND (addr#1.city = x))")
    analyzed = """== Parsed Logical Plan ==
'Filter (isnotnull('addr) AND ('addr.city = x))

== Analyzed Logical Plan ==
b: bigint
Project [b#3L]
+- Filter (isnotnull(addr#1) AND (addr#1.city = x))
   +- Relation [addr#1,items#2,b#3L] parquet

== Optimized Logical Plan ==
Project [b#3L]

== Physical Plan ==
*(1) Project [b#3L]
+- *(1) Filter (isnotnull(addr#1) AND (addr#1.city = x))
   +- *(1) FileScan parquet [addr#1,items#2,b#3L] Batched: false, DataFilters: [isnotnull(addr#1), (addr#1.city = x)], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/src], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<addr:struct<city:string,zip:bigint>,items:array<struct<sku:string>>,b:bigint>
"""  # noqa: E501
    for each, expected in ((text, {"addr.city"}), (analyzed, {"addr", "addr.city"})):
        edges = trace_texts(each).edges
        assert {edge.source_column for edge in edges if edge.transformation == "FILTER"} == expected


SCALED = """== Physical Plan ==
* Project (2)
+- * Scan JDBCRelation((
    select {expression} as y1   -- the key (1)
    from src s
) SPARK_GEN_SUBQ_0) [numPartitions=1]  (1)


(1) Scan JDBCRelation((
    select {expression} as y1   -- the key (1)
    from src s
) SPARK_GEN_SUBQ_0) [numPartitions=1]  [codegen id : 1]
Output [1]: [Y1#1]
ReadSchema: struct<Y1:int>

(2) Project [codegen id : 1]
Output [1]: [(Y1#1 * 2) AS y2#4]
Input [1]: [Y1#1]

"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("s.y + 1", "((s.y + 1) * 2)"),
        ("s.y - s.x", "((s.y - s.x) * 2)"),
        ("abs(s.y)", "(ABS(s.y) * 2)"),
        ("case when s.y > 1 then s.x else 0 end", "(CASE WHEN s.y > 1 THEN s.x ELSE 0 END * 2)"),
        ("s.y", "(jdbc:src.y * 2)"),
    ],
)
def test_an_expression_of_the_databases_query_is_an_operand_of_sparks(expression: str, expected: str) -> None:
    (text,) = {each.expression for each in trace_texts(SCALED.format(expression=expression)).edges}
    assert text == expected


KEYED = """== Physical Plan ==
* SortMergeJoin {kind} (4)
:- * Filter (2)
:  +- Scan parquet  (1)
+- Scan parquet spark_catalog.s.b (3)


(1) Scan parquet
Output [2]: [addr#1, v#2L]
Location: InMemoryFileIndex [file:/lake/src]
ReadSchema: struct<addr:struct<city:string,zip:bigint>,v:bigint>

(2) Filter
Input [2]: [addr#1, v#2L]
Condition : isnotnull(addr#1)

(3) Scan parquet spark_catalog.s.b
Output [1]: [k#3L]
ReadSchema: struct<k:bigint>

(4) SortMergeJoin
Left keys [1]: [{key}]
Right keys [1]: [k#3L]
Join type: {kind}
Join condition: None

"""
TESTED = KEYED.replace("isnotnull(addr#1)", "isnotnull(v#2L)")


def filtered(text: str) -> set[str]:
    """The columns of a plan's FILTER edges."""
    return {each.source_column or "" for each in trace_texts(text).edges if each.transformation == "FILTER"}


@pytest.mark.parametrize(
    ("key", "kind", "expected"),
    [
        ("addr#1.zip", "Inner", set()),
        ("(addr#1.zip + 1)", "Inner", set()),
        ("upper(addr#1.city)", "LeftSemi", set()),
        ("addr#1.zip", "LeftOuter", {"addr"}),
        ("v#2L", "Inner", {"addr"}),
    ],
)
def test_a_null_test_of_a_keys_struct_is_no_filter_below_a_join_that_needs_a_match(
    key: str, kind: str, expected: set[str]
) -> None:
    assert filtered(KEYED.format(key=key, kind=kind)) == expected


@pytest.mark.parametrize(
    ("key", "kind", "expected"),
    [
        ("(v#2L + 1)", "Inner", set()),
        ("((v#2L * 2) - 1)", "LeftSemi", set()),
        ("(cast(v#2L as double) / 2.0)", "Inner", set()),
        ("(v#2L + addr#1.zip)", "Inner", set()),
        ("upper(v#2L)", "Inner", set()),
        ("substring(upper(v#2L), 1, 2)", "Inner", set()),
        ("substring_index(v#2L, -, 1)", "Inner", set()),
        ("concat_ws(-, v#2L)", "Inner", {"v"}),
        ("trim(v#2L, None)", "Inner", {"v"}),
        ("round(v#2L, 2)", "Inner", {"v"}),
        ("(v#2L + 1)", "LeftOuter", {"v"}),
        ("coalesce(v#2L, 0)", "Inner", {"v"}),
        ("(coalesce(v#2L, 0) + 1)", "Inner", {"v"}),
        ("CASE WHEN (v#2L > 1) THEN 1 ELSE 2 END", "Inner", {"v"}),
        ("(addr#1.zip + 1)", "Inner", {"v"}),
    ],
)
def test_a_null_test_of_an_operand_of_a_key_is_no_filter_below_a_join_that_needs_a_match(
    key: str, kind: str, expected: set[str]
) -> None:
    assert filtered(TESTED.format(key=key, kind=kind)) == expected


def test_a_null_test_of_a_computed_column_is_known_by_its_attribute_whose_name_has_brackets() -> None:
    text = TESTED.replace("v#2L", "(2 * v)#2L").replace(",v:", ",(2 * v):")
    assert filtered(text.format(key="upper((2 * v)#2L)", kind="Inner")) == set()
    assert filtered(text.format(key="addr#1.zip", kind="Inner")) == {"(2 * v)"}


@pytest.mark.parametrize(
    ("condition", "kind", "expected"),
    [
        ("(v#2L < k#3L)", "Inner", set()),
        ("(k#3L >= v#2L)", "LeftSemi", set()),
        ("NOT (v#2L = k#3L)", "Inner", set()),
        ("Contains(v#2L, k#3L)", "Inner", set()),
        ("v#2L LIKE concat(k#3L, %)", "Inner", set()),
        ("(abs((v#2L - k#3L)) < 10)", "Inner", set()),
        ("((v#2L - k#3L) > addr#1.zip)", "Inner", set()),
        ("(v#2L < k#3L)", "LeftOuter", {"v"}),
        ("NOT (v#2L <=> k#3L)", "Inner", {"v"}),
        ("(coalesce(v#2L, 0) < k#3L)", "Inner", {"v"}),
        ("((v#2L < k#3L) OR (addr#1.zip = k#3L))", "Inner", {"v"}),
        ("((v#2L - k#3L) <=> 3)", "Inner", {"v"}),
        ("close(v#2L, k#3L)", "Inner", {"v"}),
        ("(addr#1.zip < k#3L)", "Inner", {"v"}),
    ],
)
def test_a_null_test_of_a_value_that_a_condition_compares_is_no_filter_below_a_join_that_needs_a_match(
    condition: str, kind: str, expected: set[str]
) -> None:
    text = TESTED.replace("[1]: [{key}]", "[0]: []").replace("[1]: [k#3L]\nJoin", "[0]: []\nJoin")
    text = text.replace("condition: None", "condition: {condition}").replace("SortMergeJoin", "BroadcastNestedLoopJoin")
    assert filtered(text.format(condition=condition, kind=kind)) == expected


GENERATED = """== Physical Plan ==
* Generate (3)
+- * Filter (2)
   +- Scan parquet spark_catalog.s.b (1)


(1) Scan parquet spark_catalog.s.b
Output [2]: [k#3L, tags#4]
ReadSchema: struct<k:bigint,tags:array<string>>

(2) Filter
Input [2]: [k#3L, tags#4]
Condition : {condition}

(3) Generate
Input [2]: [k#3L, tags#4]
Arguments: {generator}, [k#3L], {outer}, [tag#5]
"""
NOT_EMPTY = "((size(tags#4, true) > 0) AND isnotnull(tags#4))"


@pytest.mark.parametrize(
    ("condition", "generator", "outer", "expected"),
    [
        (NOT_EMPTY, "explode(tags#4)", "false", set()),
        (f"({NOT_EMPTY} AND (k#3L > 1))", "explode(tags#4)", "false", {"k"}),
        (NOT_EMPTY.replace("tags#4", "split(tags#4, ,, -1)"), "explode(split(tags#4, ,, -1))", "false", set()),
        (NOT_EMPTY, "explode(tags#4)", "true", {"tags"}),
        (NOT_EMPTY, "explode(array_distinct(tags#4))", "false", {"tags"}),
        ("(size(tags#4, true) > 1)", "explode(tags#4)", "false", {"tags"}),
    ],
)
def test_a_test_that_a_generators_array_has_entries_is_no_filter(
    condition: str, generator: str, outer: str, expected: set[str]
) -> None:
    assert filtered(GENERATED.format(condition=condition, generator=generator, outer=outer)) == expected


def test_a_line_of_a_scan_has_the_keys_and_the_order_that_the_database_applies() -> None:
    line = (
        "*(1) Scan JDBC v1 Relation from v2 scan pg.sales.orders[status#1,max#2] PushedAggregates: [MAX(amount)], "
        "PushedFilters: [], PushedGroupByExpressions: [status], PushedTopN: ORDER BY [status ASC NULLS FIRST] LIMIT 2, "
        "ReadSchema: struct<status:string,max:decimal(12,2)>"
    )
    lineage = trace_texts(f"== Physical Plan ==\n{line}\n")
    found = {f"{each.target_column} {each.source_column} {each.transformation}" for each in lineage.edges}
    assert found == {
        "status status IDENTITY",
        "max amount AGGREGATION",
        "None status GROUP_BY",
        "None status SORT",
    }


LINE = (
    "*(1) Scan JDBC v1 Relation from v2 scan pg.sales.orders[id#1,name#2] PushedFilters: [], {}, ReadSchema: struct<>"
)


def test_a_line_of_a_join_that_the_database_makes_has_both_tables_with_a_gap() -> None:
    sides = "\n[L]: Relation: pg.sales.orders\n     PushedFilters: [status = 'open']\n[R]: Relation: pg.sales.people"
    lineage = trace_texts(f"== Physical Plan ==\n{LINE.format(f'PushedJoins: {sides}')}\n")
    assert {each.dataset.name for each in lineage.accesses} == {"pg.sales.orders", "pg.sales.people"}
    assert {each.confidence for each in lineage.edges} == {"opaque"}
    assert [each.reason for each in lineage.gaps] == ["unparsed_query"]


def test_an_order_that_spark_abbreviates_is_a_gap() -> None:
    order = "PushedTopN: ORDER BY [amount DESC NULLS LAST, discou..."
    lineage = trace_texts(f"== Physical Plan ==\n{LINE.format(order)}\n")
    assert [each.reason for each in lineage.gaps] == ["unparsed_query"]
