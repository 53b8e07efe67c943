"""Views of V2 catalogs, whose queries the plan has as SQL text."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.lineage.results.lineage_names import render_lineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.plan.unresolved.sql_expressions import parse_query

VIEW = """== Physical Plan ==
CreateV2View (1)


(1) CreateV2View
Arguments: org.apache.iceberg.spark.SparkCatalog@4032e3df, gold.v, {query}, [{fields}], [x], false, false

"""
GAP = "gap unknown_source at CreateV2View: the plan prints the query of the view spark_catalog.gold.v as SQL text only"


def resolved(query: str, *names: str) -> list[str]:
    """Return the lineage of a view, line by line, without the line of the target."""
    fields = ", ".join(f"StructField({name},LongType,true)" for name in names)
    text = render_lineage(trace_texts(VIEW.format(query=query, fields=fields)))
    return [" ".join(line.split()) for line in text.splitlines()[1:]]


def test_columns_have_the_names_of_the_views_schema() -> None:
    assert resolved("SELECT cust, total AS money FROM jdb.gold.cust WHERE total > 3", "who", "much") == [
        "who <- jdb.gold.cust.cust DIRECT IDENTITY inferred",
        "much <- jdb.gold.cust.total DIRECT IDENTITY inferred",
        "* <- jdb.gold.cust.total INDIRECT FILTER inferred (cust.total > 3)",
    ]


def test_aggregates_without_aliases_and_keys_by_number() -> None:
    assert resolved("SELECT d.day, count(*), max(d.hours) FROM ice.gold.daily AS d GROUP BY 1", "a", "b", "c") == [
        "a <- ice.gold.daily.day DIRECT IDENTITY inferred",
        "b <- - count(1)",
        "c <- ice.gold.daily.hours DIRECT AGGREGATION inferred max(daily.hours)",
        "* <- ice.gold.daily.day INDIRECT GROUP_BY inferred daily.day",
    ]


def test_joins_qualify_their_columns_and_literals_are_no_names() -> None:
    query = (
        "SELECT concat(s.name, '-', v.agent) AS a, s.tons * 2 FROM ice.raw.ships s"
        " LEFT JOIN ice.raw.visits v ON v.ship_id = s.ship_id AND v.day LIKE 'a b'' c, d'"
    )
    assert resolved(query, "who", "tons")[:3] == [
        "who <- ice.raw.ships.name DIRECT TRANSFORMATION inferred concat(ships.name, literal, visits.agent)",
        "who <- ice.raw.visits.agent DIRECT TRANSFORMATION inferred concat(ships.name, literal, visits.agent)",
        "tons <- ice.raw.ships.tons DIRECT TRANSFORMATION inferred (ships.tons * 2)",
    ]


def test_common_table_expressions_cases_and_unions() -> None:
    query = (
        "WITH a AS (SELECT x, sum(y) AS y FROM c.d.e GROUP BY x) SELECT a.x, CASE WHEN a.y > 1 THEN a.x END AS z FROM a"
        " UNION ALL SELECT cast(f.p.q AS BIGINT), 0 FROM c.d.f WHERE f.u IN (1, 2) AND NOT f.w BETWEEN 1 AND 3"
    )
    assert [line for line in resolved(query, "x", "z") if " DIRECT " in line or "FILTER" in line] == [
        "x <- c.d.e.x DIRECT IDENTITY inferred",
        "x <- c.d.f.p.q DIRECT TRANSFORMATION inferred e.x | cast(f.p.q as bigint)",
        "z <- c.d.e.x DIRECT TRANSFORMATION inferred CASE WHEN (sum(e.y) > 1) THEN e.x END | 0",
        "* <- c.d.f.u INDIRECT FILTER inferred (f.u IN (1,2) AND NOT ((f.w >= 1) AND (f.w <= 3)))",
        "* <- c.d.f.w INDIRECT FILTER inferred (f.u IN (1,2) AND NOT ((f.w >= 1) AND (f.w <= 3)))",
    ]


def test_stars_over_a_table_and_over_common_table_expressions() -> None:
    query = (
        "WITH source AS (SELECT * FROM c.d.e WHERE y > 1),"
        " renamed AS (SELECT s.x AS id, upper(s.z) AS name FROM source s),"
        " final AS (SELECT *, id * 2 AS twice FROM renamed)"
        " SELECT id, name, twice FROM final JOIN c.d.f ON f.k = final.id"
    )
    assert [line for line in resolved(query, "a", "b", "c") if " JOIN " not in line] == [
        "a <- c.d.e.x DIRECT IDENTITY inferred",
        "b <- c.d.e.z DIRECT TRANSFORMATION inferred upper(e.z)",
        "c <- c.d.e.x DIRECT TRANSFORMATION inferred (e.x * 2)",
        "* <- c.d.e.y INDIRECT FILTER inferred (e.y > 1)",
    ]
    assert resolved("WITH source AS (SELECT * FROM c.d.e) SELECT * FROM source", "x") == [
        "x <- c.d.e.x DIRECT IDENTITY inferred"
    ]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x FROM d.e",
        "SELECT row_number() OVER w AS x FROM c.d.e WINDOW w AS (ORDER BY y)",
        "SELECT sum(x) OVER (ORDER BY y RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW) AS x FROM c.d.e",
        "SELECT x FROM c.d.e WHERE x IN (SELECT y FROM c.d.f)",
        "SELECT x FROM c.d.e LATERAL VIEW explode(t) u AS x",
        "SELECT transform(x, y -> y + 1) FROM c.d.e",
        "SELECT x FROM c.d.e VERSION AS OF 3",
        "SELECT y, x FROM c.d.e",
        "SELECT x FROM c.d.e ORDER BY 1",
    ],
)
def test_other_queries_stay_a_gap(query: str) -> None:
    assert resolved(query, "x")[-1] == GAP


def test_functions_over_windows() -> None:
    query = (
        "SELECT who, sum(fee) OVER (PARTITION BY who ORDER BY day DESC NULLS LAST, id ROWS BETWEEN 2 PRECEDING AND"
        " CURRENT ROW) AS run, rank() OVER (ORDER BY fee) AS nth FROM c.d.e"
    )
    assert [" ".join(line.split()[:5]) for line in resolved(query, "who", "run", "nth")] == [
        "who <- c.d.e.who DIRECT IDENTITY",
        "run <- c.d.e.fee DIRECT AGGREGATION",
        "run <- c.d.e.who INDIRECT WINDOW",
        "run <- c.d.e.day INDIRECT WINDOW",
        "run <- c.d.e.id INDIRECT WINDOW",
        "nth <- c.d.e.fee INDIRECT WINDOW",
    ]


STAR = """== Physical Plan ==
CreateV2View (1)


(1) CreateV2View
Arguments: org.apache.iceberg.spark.SparkCatalog@4032e3df, gold.v, {query}, \
[StructField(a,LongType,true), StructField(b,LongType,true), StructField(c,LongType,true)], {lists}, false, false

"""


@pytest.mark.parametrize(
    ("query", "lists", "columns"),
    [
        ("SELECT * FROM c.d.e WHERE x > 1", "[x, y, z]", "a < e.x; b < e.y; c < e.z"),
        ("SELECT * FROM c.d.e", "[a, b, c], [None, None, None], [x, y, z]", "a < e.x; b < e.y; c < e.z"),
        ("SELECT 1 AS one, e.* FROM c.d.e e", "[one, x, y]", "a < -; b < e.x; c < e.y"),
        ("SELECT f.w, e.* FROM c.d.e JOIN c.d.f ON e.x = f.x", "[w, x, y]", "a < f.w; b < e.x; c < e.y"),
        (
            "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY y ORDER BY z) AS n FROM c.d.e) WHERE n = 1",
            "[x, y, n]",
            "a < e.x; b < e.y; c < e.y; c < e.z",
        ),
        ("SELECT * FROM c.d.e JOIN c.d.f ON e.x = f.x", "[x, y, z]", ""),
        ("SELECT f.*, e.* FROM c.d.e JOIN c.d.f ON e.x = f.x", "[x, y, z]", ""),
        ("SELECT * FROM c.d.e", "[x, y, ... 1 more fields]", ""),
        ("SELECT * FROM c.d.e", "[x, y]", ""),
        ("SELECT * FROM c.d.e", "[x, a b, z]", ""),
    ],
)
def test_a_star_has_the_columns_that_the_command_lists(query: str, lists: str, columns: str) -> None:
    lines = render_lineage(trace_texts(STAR.format(query=query, lists=lists))).splitlines()[1:]
    found = [line.split()[:3] for line in lines if line.split()[0] not in {"*", "gap"}]
    short = "; ".join(
        f"{name} < {source.removeprefix('c.d.')}" for name, _, source in found if source != "-" or columns
    )
    assert (short if columns else lines[-1].split(":")[0].strip()) == (columns or "gap unknown_source at CreateV2View")


def test_a_column_that_two_tables_may_have_is_a_gap() -> None:
    assert any(line.startswith("gap ") for line in resolved("SELECT price AS x FROM c.d.a, c.d.b", "x"))


@given(st.text(alphabet="abSELECT FROM'`()[],.*<>=-:1\"/\\", max_size=60))
def test_any_text_is_a_lineage_or_a_gap(text: str) -> None:
    assert resolved(f"SELECT {text}", "x")


@given(st.text(max_size=40))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    with suppress(PlanSyntaxError):
        assert parse_query(text).sql() is not None


WIDE = """== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- Project (5)
            +- SubqueryAlias (4)
               +- {relation} (3)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `spark_catalog`.`mart`.`v`, SELECT d1, {sql} FROM stage.w WHERE d9 > 1, false, false, PersistedView, true

(3) {relation}
Arguments: parquet, [d1#1L, d2#2L, ... 2 more fields], `spark_catalog`.`stage`.`w`, false

(4) SubqueryAlias
Arguments: spark_catalog.stage.w

(5) Project
Arguments: [d1#1L, (d2#2L + 1) AS e2#3L, ... 2 more fields]

"""


def test_a_wide_view_has_the_columns_that_only_its_sql_lists() -> None:
    text = WIDE.format(relation="LogicalRelation", sql="d2 + 1 AS e2, d3 * 2 AS e3, d4")
    assert [" ".join(line.split()[:3]) for line in render_lineage(trace_texts(text)).splitlines()[1:]] == [
        "d1 <- spark_catalog.stage.w.d1",
        "e2 <- spark_catalog.stage.w.d2",
        "e3 <- spark_catalog.stage.w.d3",
        "d4 <- spark_catalog.stage.w.d4",
        "* <- spark_catalog.stage.w.d9",
    ]


def test_a_wide_view_of_a_view_keeps_its_plan() -> None:
    text = WIDE.format(relation="View", sql="d2 + 1 AS e2, d3 * 2 AS e3, d4")
    assert "gap truncated_fields" in render_lineage(trace_texts(text))


def test_a_star_of_the_query_itself_needs_the_columns_that_the_command_lists() -> None:
    text = VIEW.format(query="SELECT * FROM c.d.e", fields="StructField(x,LongType,true), ... 3 more fields")
    assert render_lineage(trace_texts(text)).splitlines()[-1].strip() == GAP
