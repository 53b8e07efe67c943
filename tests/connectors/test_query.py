"""SQL that Spark sends to a database: its tables, the sources of its columns, its conditions, in bounded time."""

from __future__ import annotations

import random
import time

import pytest

from eventlog_lineage.connectors.identify import dialect_of_quotes
from eventlog_lineage.connectors.query import read_query
from eventlog_lineage.connectors.query_lineage import Query
from eventlog_lineage.model import INFERRED


def sources(query: Query) -> dict[str, set[str]]:
    return {
        column.name: {f"{'.'.join(source.table)}.{source.column} {kind}" for source, kind in column.uses}
        for column in query.columns
    }


def conditions(query: Query) -> set[str]:
    return {f"{source.table[-1]}.{source.column} {each.kind}" for each in query.conditions for source, _ in each.uses}


@pytest.mark.parametrize(
    ("sql", "dialect", "columns", "rows"),
    [
        (
            "(select o.id, o.amount - o.discount as net from sales.orders o where o.status = 'open') SPARK_GEN_SUBQ_0",
            "postgres",
            {
                "id": {"sales.orders.id IDENTITY"},
                "net": {"sales.orders.amount TRANSFORMATION", "sales.orders.discount TRANSFORMATION"},
            },
            {"orders.status FILTER"},
        ),
        (
            "select c.city, count(*) n, sum(o.amount) s from o, c where o.cid = c.id group by 1 having sum(o.x) > 1",
            "",
            {"city": {"c.city IDENTITY"}, "n": set(), "s": {"o.amount AGGREGATION"}},
            {"o.cid JOIN", "c.id JOIN", "c.city GROUP_BY", "o.x FILTER"},
        ),
        (
            (
                "with recursive t as (select id, boss from emp union all select e.id, t.boss from emp e join t "
                "on e.boss = t.id) select id, boss from t"
            ),
            "postgres",
            {"id": {"emp.id IDENTITY"}, "boss": {"emp.boss IDENTITY"}},
            {"emp.boss JOIN", "emp.id JOIN"},
        ),
        (
            "select a, row_number() over (partition by b order by c) r, case when d > 1 then e else 0 end f from t",
            "",
            {
                "a": {"t.a IDENTITY"},
                "r": {"t.b WINDOW", "t.c WINDOW"},
                "f": {"t.d CONDITIONAL", "t.e TRANSFORMATION"},
            },
            set(),
        ),
        (
            (
                "select id from a where id in (select a_id from b where k = 1) and "
                "exists (select 1 from c where c.id = a.id)"
            ),
            "",
            {"id": {"a.id IDENTITY"}},
            {"a.id JOIN", "b.a_id JOIN", "b.k FILTER", "c.id JOIN"},
        ),
        (
            "SELECT TOP 5 [Order Id] FROM [dbo].[Order Notes] ORDER BY [Note] DESC",
            "tsql",
            {"Order Id": {"dbo.Order Notes.Order Id IDENTITY"}},
            {"Order Notes.Note SORT"},
        ),
        (
            "select id from a except select id from b",
            "",
            {"id": {"a.id IDENTITY"}},
            {"b.id JOIN"},
        ),
        (
            "select distinct x.k from t cross join lateral (select t.v as k) x",
            "postgres",
            {"k": {"t.v IDENTITY"}},
            {"t.v GROUP_BY"},
        ),
        (
            "select distinct on (a) a, sum(b) over w s from t window w as (partition by c order by d)",
            "postgres",
            {"a": {"t.a IDENTITY"}, "s": {"t.b AGGREGATION", "t.c WINDOW", "t.d WINDOW"}},
            {"t.a GROUP_BY"},
        ),
        (
            "select string_agg(a, ',' order by b) l, percentile_cont(0.5) within group (order by c) m from t",
            "postgres",
            {"l": {"t.a AGGREGATION", "t.b SORT"}, "m": {"t.c AGGREGATION"}},
            set(),
        ),
        (
            "select o.id, l.sku, o.addr.city from `acme.shop.orders` o, unnest(o.lines) l",
            "bigquery",
            {
                "id": {"acme.shop.orders.id IDENTITY"},
                "sku": {"acme.shop.orders.lines TRANSFORMATION"},
                "city": {"acme.shop.orders.addr.city IDENTITY"},
            },
            set(),
        ),
        (
            "select addr.city from acme.orders",
            "bigquery",
            {"city": {"acme.orders.addr.city IDENTITY"}},
            set(),
        ),
        (
            "select ename, level from emp where rownum < 5 start with job = 'x' connect by prior id = mgr",
            "oracle",
            {"ename": {"emp.ename IDENTITY"}, "level": {"emp.level IDENTITY"}},
            {"emp.id JOIN", "emp.mgr JOIN", "emp.job FILTER"},
        ),
        (
            "select id, v from shop.orders final array join vals as v where d > 1",
            "clickhouse",
            {"id": {"shop.orders.id IDENTITY"}, "v": {"shop.orders.vals TRANSFORMATION"}},
            {"orders.d FILTER"},
        ),
        (
            "select id, sysdate d, b.x from a, b where a.id = b.id(+) and ts < systimestamp",
            dialect_of_quotes("(+)"),
            {"id": {"a.id IDENTITY", "b.id IDENTITY"}, "d": set(), "x": {"b.x IDENTITY"}},
            {"a.id JOIN", "b.id JOIN", "a.ts FILTER", "b.ts FILTER"},
        ),
        (
            'select top (3) "id" from "sales"."orders" order by "amount"',
            dialect_of_quotes('top (3) "id"'),
            {"id": {"sales.orders.id IDENTITY"}},
            {"orders.amount SORT"},
        ),
        (
            "select id from a minus select k from b",
            "",
            {"id": {"a.id IDENTITY"}},
            {"b.k JOIN"},
        ),
        (
            "select x.i, q.v from x join (a p join b q on p.k = q.k) on x.i = p.i",
            "",
            {"i": {"x.i IDENTITY"}, "v": {"b.v IDENTITY"}},
            {"a.k JOIN", "b.k JOIN", "x.i JOIN", "a.i JOIN"},
        ),
        (
            (
                "select v from (select k, v from a) x natural join (select k, w from b) y "
                "natural join (select w z from c) u"
            ),
            "",
            {"v": {"a.v IDENTITY"}},
            {"a.k JOIN", "b.k JOIN"},
        ),
        (
            "select k, v, w from a full join (select k, v, w from b) b using (k) join c using (v)",
            "",
            {
                "k": {"a.k TRANSFORMATION", "b.k TRANSFORMATION", "a.k CONDITIONAL", "b.k CONDITIONAL"},
                "v": {"b.v IDENTITY"},
                "w": {"b.w IDENTITY"},
            },
            {"a.k JOIN", "b.k JOIN", "b.v JOIN", "c.v JOIN"},
        ),
        (
            "select * from (select x, k from a) a right join (select k, y from b) b using (k)",
            "",
            {"k": {"b.k IDENTITY"}, "x": {"a.x IDENTITY"}, "y": {"b.y IDENTITY"}},
            {"a.k JOIN", "b.k JOIN"},
        ),
        (
            "select a, b from t union all by name select b, c, a from u",
            "snowflake",
            {"a": {"t.a IDENTITY", "u.a IDENTITY"}, "b": {"t.b IDENTITY", "u.b IDENTITY"}, "c": {"u.c IDENTITY"}},
            set(),
        ),
        (
            "select a, b from t union select * from u",
            "",
            {"a": {"t.a IDENTITY", "u.a IDENTITY"}, "b": {"t.b IDENTITY", "u.b IDENTITY"}},
            set(),
        ),
        (
            "select a as b, b as a from t where a > 1",
            "",
            {"b": {"t.a IDENTITY"}, "a": {"t.b IDENTITY"}},
            {"t.a FILTER"},
        ),
        ("select a * 2 as b from t where b > 1", "snowflake", {"b": {"t.a TRANSFORMATION"}}, {"t.a FILTER"}),
        (
            "select a from t where (b, c) in (select d, e from u)",
            "",
            {"a": {"t.a IDENTITY"}},
            {"t.b JOIN", "t.c JOIN", "u.d JOIN", "u.e JOIN"},
        ),
        (
            "select x.max from (select max(a), min(b) from t) x",
            "postgres",
            {"max": {"t.a AGGREGATION"}},
            set(),
        ),
        ("select max_by(a, b) m from t", "snowflake", {"m": {"t.a AGGREGATION", "t.b CONDITIONAL"}}, set()),
        ("select argMin(a, b) m from t", "clickhouse", {"m": {"t.a AGGREGATION", "t.b CONDITIONAL"}}, set()),
        ("select j ->> 'x' as x from t where j @> '{}'", "", {"x": {"t.j TRANSFORMATION"}}, {"t.j FILTER"}),
        ("select group_concat(a separator ';') l from t", "", {"l": {"t.a AGGREGATION"}}, set()),
        (
            "select jsonb_agg(a) j, upper(agg) u from t",
            "postgres",
            {"j": {"t.a AGGREGATION"}, "u": {"t.agg TRANSFORMATION"}},
            set(),
        ),
        (
            "select `k`, collect_set(v) s from t tablesample (10 percent) u group by `k`",
            "mysql",
            {"k": {"t.k IDENTITY"}, "s": {"t.v AGGREGATION"}},
            {"t.k GROUP_BY"},
        ),
        (
            "select * except (k) replace (a + c as a) from (select k, a, c from t)",
            "bigquery",
            {"a": {"t.a TRANSFORMATION", "t.c TRANSFORMATION"}, "c": {"t.c IDENTITY"}},
            set(),
        ),
        (
            "select * rename (a as b) from (select k, a from t)",
            "snowflake",
            {"k": {"t.k IDENTITY"}, "b": {"t.a IDENTITY"}},
            set(),
        ),
        ("(select a from t) union all (select b from u)", "", {"a": {"t.a IDENTITY", "u.b IDENTITY"}}, set()),
    ],
)
def test_the_lineage_of_a_query(sql: str, dialect: str, columns: dict[str, set[str]], rows: set[str]) -> None:
    query = read_query(sql, dialect)
    assert query.unparsed == ""
    assert sources(query) == columns
    assert conditions(query) == rows


@pytest.mark.parametrize(
    "sql", ["select v from a natural left join b", "select v from x, (a natural join b) where x.i = v"]
)
def test_the_keys_of_a_natural_join_of_tables_are_reported_as_unknown(sql: str) -> None:
    query = read_query(sql)
    assert query.unresolved == ("the keys of NATURAL JOIN b, the columns that both tables have",)
    assert not query.unparsed
    assert not read_query("select v from a join b using (k)").unresolved


def test_the_columns_after_a_star_that_a_union_pairs_by_position_are_reported_as_unknown() -> None:
    query = read_query("select * from a union all select id, k from b")
    assert query.unresolved == ("the columns that a star in the first part of a UNION has before its other columns",)


def test_a_name_that_several_tables_can_have_is_of_all_and_inferred() -> None:
    (column,) = read_query("select price from a.orders o join a.lines l on l.order_id = o.id").columns
    assert {source.table[-1] for source, _ in column.uses} == {"orders", "lines"}
    assert all(use.confidence == INFERRED for use in column.uses.values())


@pytest.mark.parametrize(
    ("sql", "name", "expected"),
    [
        ("select k, max(v) from t group by k", "max", {"v": False}),  # PostgreSQL
        ("select k, max( v ), min(w) from t group by k", "max(v)", {"v": False}),  # MySQL
        ("select k, max(v) + min(w) from t group by k", "?column?", {"v": False, "w": False}),
        (
            "select sum(v) over w, max(u) over w from t window w as (order by k)",
            "other",
            {"v": True, "u": True, "k": True},
        ),
        ("select v::int from t", "v", {"v": False}),
        ('select "?column?" from (select k, v + w from t) q', "?column?", {"v": False, "w": False}),
    ],
)
def test_an_expression_without_a_name_is_found_by_the_name_that_its_database_gives_it(
    sql: str, name: str, expected: dict[str, bool]
) -> None:
    found = read_query(sql, "postgres").column(name)
    assert {source.column: use.confidence == INFERRED for (source, _), use in found.uses.items()} == expected


def test_a_star_of_a_join_is_of_the_only_table_that_is_known_to_have_the_column() -> None:
    query = read_query("a.orders o join a.lines l on l.order_id = o.id")
    known = {("a", "orders"): frozenset({"id", "amount"})}
    assert [source.table for source, _ in query.column("amount", known).uses] == [("a", "orders")]
    assert len(query.column("price", known).uses) == 2


@pytest.mark.parametrize(
    ("column", "dialect", "masks"),
    [
        ("count(email)", "", True),
        ("md5(email)", "", True),
        ("sha256(email)", "postgres", True),
        ("to_base64(sha512(email))", "bigquery", True),
        ("md5(email)", "trino", True),
        ("standard_hash(email)", "oracle", True),
        ("farm_fingerprint(email)", "bigquery", True),
        ("siphash64(email)", "clickhouse", True),
        ("email", "", False),
        ("upper(hash)", "", False),
        ("concat('md5', email)", "", False),
    ],
)
def test_a_count_masks_and_a_hash_too(column: str, dialect: str, masks: bool) -> None:
    (found,) = read_query(f"select {column} as x from people", dialect).columns
    assert [use.masking for use in found.uses.values()] == [masks]


@pytest.mark.parametrize(
    ("sql", "dialect", "table", "column"),
    [
        ("select x.* from p.d.t t, t.items x", "bigquery", "t", "items"),
        ("select s.* from (select struct(a) s from d.t)", "bigquery", "t", "a"),
        ("select * replace (b as a) from d.t", "bigquery", "t", "b"),
        ("select * rename (b as a) from d.t", "snowflake", "t", "b"),
    ],
)
def test_a_column_that_a_star_changes_or_takes_from_a_structure(
    sql: str, dialect: str, table: str, column: str
) -> None:
    ((source, _),) = read_query(sql, dialect).column("a").uses
    assert (source.table[-1], source.column) == (table, column)


@pytest.mark.parametrize("column", ["o", "row_to_json(o) as o", "count(o)"])
def test_the_columns_of_a_row_are_reported_as_unknown(column: str) -> None:
    assert read_query(f"select {column} from sales.orders o", "postgres").unresolved == ("the columns of the row o",)
    assert not read_query(f"select {column} from sales.o", "postgres").unresolved
    assert not read_query(f"select {column} from sales.orders o", "oracle").unresolved


@pytest.mark.parametrize(("dialect", "column"), [("postgres", "s"), ("oracle", "s"), ("tsql", "s"), ("mysql", "id")])
def test_having_names_columns_of_tables_where_the_dialect_says_so(dialect: str, column: str) -> None:
    query = read_query("select id as s from t group by id having min(s) > 'a'", dialect)
    assert conditions(query) == {"t.id GROUP_BY", f"t.{column} FILTER"}


def test_a_value_of_another_row_is_no_aggregate() -> None:
    query = read_query("select lag(a) over (order by d) l, sum(a) over (order by d) s from t")
    assert sources(query) == {"l": {"t.a TRANSFORMATION", "t.d WINDOW"}, "s": {"t.a AGGREGATION", "t.d WINDOW"}}


def test_a_column_that_the_text_does_not_list_is_reported_as_unknown() -> None:
    assert read_query("select q.b from (select a from t) q").unresolved == ("a column b",)
    assert read_query("select b from (select a from t) q").unresolved == ("a column b",)
    assert read_query("select a from t").lacks("b")
    for sql in ("select * from t", "select a + 1 from t", "select b from t", "select q.b from (select 1 as b) q", "b"):
        query = read_query(sql)
        assert not query.lacks("b")
        assert not query.unresolved


@pytest.mark.parametrize(
    "sql",
    [
        "select * from frob where (",
        "select " + "(" * 10_000 + "1" + ")" * 10_000 + " from shop.orders",
        "select " + "case when a then " * 5_000 + "1" + " end" * 5_000 + " from shop.orders",
        "select " + "not " * 20_000 + "a from shop.orders",
        "select a" + " + a" * 60_000 + " from shop.orders",
        "select a from shop.orders where a in (" + ",".join(["'x'"] * 64_000) + ")",
        "with "
        + ", ".join(f"c{n} as (select * from c{n - 1} a, c{n - 1} b)" for n in range(1, 40))
        + " select 1 from c39",
        "select k from shop.orders " + " ".join(f"full join t{n} using (k)" for n in range(1500)),
        "call frob(1)",
        "\0" * 1000,
    ],
    ids=range(10),
)
def test_hostile_sql_is_a_gap_in_bounded_time(sql: str) -> None:
    started = time.process_time()
    query = read_query(sql)
    assert time.process_time() - started < 20
    assert query.unparsed or query.tables or "from shop" not in sql


def test_the_tables_of_sql_that_cannot_be_parsed_are_known() -> None:
    query = read_query("select frob(( from sales.orders o join [x].[Order Notes] n on")
    assert query.unparsed
    assert query.tables == (("sales", "orders"), ("x", "Order Notes"))


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("select columns('x.*') from a.t", (("a", "t"),)),
        ("select * from (select id, v from a.t) s pivot (sum(v) for id in (1, 2)) p", (("a", "t"),)),
        ("select * from sales.get_orders(1)", (("sales", "get_orders"),)),
        ("{call get_orders(1)}", ()),
        ("exec dbo.get_orders 1", ()),
    ],
)
def test_sql_whose_columns_are_not_in_its_text_is_a_gap(sql: str, tables: tuple[tuple[str, ...], ...]) -> None:
    query = read_query(sql)
    assert query.unparsed
    assert query.tables == tables


WORDS = (
    "select from where group by order having join on left outer union all except with as ( ) , . * = < 'x' \"Q\" [t] "
    "case when then else end in exists not null count sum over partition distinct limit 1 2.5 -- /* */ :: || ; a b t u"
).split()


@pytest.mark.parametrize("seed", range(200))
def test_no_text_is_an_error_of_ours(seed: int) -> None:
    chosen = random.Random(seed)
    text = " ".join(chosen.choice(WORDS) for _ in range(chosen.randint(1, 60)))
    query = read_query(f"select {text}", chosen.choice(["", "postgres", "mysql", "tsql", "oracle", "snowflake"]))
    assert isinstance(query, Query)
    assert not query.unparsed.startswith(("AttributeError", "KeyError", "IndexError", "TypeError", "AssertionError"))
