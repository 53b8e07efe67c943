"""Traces chain edges through datasets, in both directions, as macros and for the commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.inventory import columns
from eventlog_lineage.store.queries.open_store import Answer, check_name
from eventlog_lineage.store.queries.paths import shortened, trace
from support.stores.content import rows
from support.stores.memory import MemoryStore
from support.stores.nights import Night

A, B, C, D = (f"spark_catalog.db.{name}" for name in "abcd")


def store_of(store: MemoryStore, *statements: tuple[str, list[tuple[str, str, str]]], **facts: Any) -> MemoryStore:
    """A store with one succeeded statement per (target, edges)."""
    made = Night()
    made.app()
    for number, (target, edges) in enumerate(statements):
        made.statement(edges, target=target, execution=number, **facts)
    made.harvest(store)
    return store


def ends(store: MemoryStore, asked: str, direction: str = "upstream", **options: Any) -> set[tuple[Any, ...]]:
    """The far ends of a trace's edges, with their depth."""
    far = "source" if direction == "upstream" else "target"
    words = "".join(f", {name} := {value}" for name, value in options.items())
    return set(rows(store, f"SELECT depth, {far}_dataset, {far}_column FROM {direction}('{asked}'{words})"))


@pytest.fixture(scope="module")
def chain() -> Iterator[MemoryStore]:
    """A -> b -> c -> d by columns; b is filtered by a.f, c joined by b.k."""
    made = store_of(
        MemoryStore(),
        (B, [(f"{A}!x", "y", "IDENTITY"), (f"{A}!k", "k", "IDENTITY"), (f"{A}!f", "", "FILTER")]),
        (C, [(f"{B}!y", "z", "AGGREGATION"), (f"{B}!k", "", "JOIN"), ("", "load_date", "")]),
        (D, [(f"{C}!z", "w", "TRANSFORMATION"), (f"{C}!load_date", "l", "IDENTITY")]),
    )
    yield made
    made.close()


def tables(graph: str) -> list[str]:
    """The four tables of a graph, which no other one has."""
    return [f"spark_catalog.{graph}.{name}" for name in "abcd"]


Statements = list[tuple[str, list[tuple[str, str, str]]]]

GRAPHS: dict[str, Callable[[str, str, str, str], Statements]] = {
    "itself": lambda a, b, c, d: [
        (a, [(f"{a}!x", "x", "IDENTITY"), (f"{b}!y", "x", "IDENTITY"), (f"{a}!k", "", "JOIN")]),
        (b, [(f"{a}!x", "y", "IDENTITY")]),
    ],
    "struct": lambda a, b, c, d: [
        (
            b,
            [
                (f"{a}!city", "addr.city", "IDENTITY"),
                (f"{a}!zip", "addr.zip", "IDENTITY"),
                (f"{a}!n", "name", "IDENTITY"),
            ],
        ),
        (c, [(f"{b}!addr.city", "town", "IDENTITY")]),
        (d, [(f"{b}!addr", "whole", "IDENTITY")]),
    ],
    "whole": lambda a, b, c, d: [
        (b, [(f"{a}!address", "addr", "IDENTITY"), (f"{a}!x", "addr2", "IDENTITY")]),
        (c, [(f"{b}!addr.city.name", "town", "IDENTITY")]),
        (d, [(f"{b}!addr", "whole", "IDENTITY")]),
    ],
    "copied": lambda a, b, c, d: [
        (b, [(f"{a}!doc", "doc", "IDENTITY"), (f"{a}!doc.a", "a", "TRANSFORMATION")]),
        (c, [(f"{b}!doc.a", "x", "IDENTITY"), (f"{b}!doc.b", "y", "IDENTITY")]),
        (d, [(f"{a}!doc", "json", "TRANSFORMATION")]),
    ],
    "nested": lambda a, b, c, d: [
        (b, [(f"{a}!doc", "doc", "IDENTITY"), (f"{a}!doc.a", "part", "IDENTITY"), (f"{a}!doc.a.b", "b", "IDENTITY")]),
        (c, [(f"{b}!part.b", "x", "IDENTITY"), (f"{b}!part.z", "z", "IDENTITY")]),
    ],
    "alone": lambda a, b, c, d: [
        (c, [(f"{a}!doc", "doc", "IDENTITY"), (f"{a}!doc.a", "z", "IDENTITY")]),
        (b, [(f"{a}!doc", "doc", "IDENTITY"), (f"{a}!v", "doc.a", "IDENTITY")]),
    ],
    "cased": lambda a, b, c, d: [(b, [(f"{a}!x", "Amount", "IDENTITY")]), (c, [(f"{b}!amount", "total", "IDENTITY")])],
}


@pytest.fixture(scope="module")
def graphs() -> Iterator[MemoryStore]:
    """The graphs of tests that ask of one each."""
    made = store_of(MemoryStore(), *(each for name, graph in GRAPHS.items() for each in graph(*tables(name))))
    yield made
    made.close()


def test_upstream_of_a_column_goes_through_all_hops(chain: MemoryStore) -> None:
    assert ends(chain, f"{D}.w", direct_only="true") == {(1, C, "z"), (2, B, "y"), (3, A, "x")}


def test_what_influences_a_dataset_influences_each_of_its_columns(chain: MemoryStore) -> None:
    assert ends(chain, f"{D}.w") == {(1, C, "z"), (2, B, "y"), (2, B, "k"), (3, A, "x"), (3, A, "f"), (3, A, "k")}
    assert ends(chain, f"{D}.l") == {(1, C, "load_date"), (2, B, "k"), (3, A, "k"), (3, A, "f")}


def test_downstream_goes_on_from_every_column_of_an_influenced_dataset(chain: MemoryStore) -> None:
    assert ends(chain, f"{A}.f", "downstream") == {(1, B, None), (2, C, "z"), (2, C, None), (3, D, "w"), (3, D, "l")}
    assert ends(chain, f"{A}.f", "downstream", direct_only="true") == set()


def test_depth_can_be_limited(chain: MemoryStore) -> None:
    assert ends(chain, f"{D}.w", max_depth=2) == {(1, C, "z"), (2, B, "y"), (2, B, "k")}
    assert ends(chain, f"{A}.x", "downstream", max_depth=1) == {(1, B, "y")}
    assert ends(chain, D, max_depth=1) == {(1, C, None)}


def test_a_dataset_is_traced_by_datasets(chain: MemoryStore) -> None:
    assert ends(chain, D) == {(1, C, None), (2, B, None), (3, A, None)}
    assert ends(chain, A, "downstream") == {(1, B, None), (2, C, None), (3, D, None)}
    assert rows(chain, f"SELECT dependency, job_name FROM upstream('{B}')") == [
        ("DIRECT", "nightly sales: b InsertInto")
    ]


@pytest.mark.parametrize("asked", ["spark_catalog.db.d.w", "db.d.w", "d.w", "D.W", "DB.d.W", "`db`.`d`.`w`", " d.w "])
def test_a_name_can_be_an_ending_in_any_case(chain: MemoryStore, asked: str) -> None:
    assert ends(chain, asked, max_depth=1) == {(1, C, "z")}


def test_a_name_can_be_a_location_or_its_end(store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "y", "IDENTITY")], target=B)
    made.place(B, "s3://lake/gold/b_files")
    made.harvest(store)
    for asked in ("s3://lake/gold/b_files.y", "s3a://lake/gold/b_files.y", "gold/b_files.y", "b_files.y", "B_FILES.Y"):
        assert ends(store, asked) == {(1, A, "x")}
    assert ends(store, "s3n://lake/gold/b_files/") == {(1, A, None)}


@pytest.mark.parametrize("asked", ["nothing", "d.nothing", "nothing.w", ""])
def test_a_name_that_means_nothing_is_an_error_of_the_macro(chain: MemoryStore, asked: str) -> None:
    for macro in ("upstream", "downstream", "impact"):
        with pytest.raises(duckdb.Error, match="no dataset or column of the store is called"):
            rows(chain, f"FROM {macro}('{asked}')")


def test_a_name_that_means_several_things_is_an_error_that_lists_them(store: MemoryStore) -> None:
    store_of(
        store,
        ("spark_catalog.one.t", [(f"{A}!x", "y", "IDENTITY")]),
        ("spark_catalog.two.t", [(f"{A}!x", "y", "IDENTITY")]),
    )
    with pytest.raises(duckdb.Error, match=r"t.y can mean several: .*\.t\.y, .*\.t\.y"):
        rows(store, "FROM upstream('t.y')")
    with pytest.raises(UsageError, match=r"t can mean 2 things: .*one.t, .*two.t; give"):
        check_name(store.opened, "t")
    assert ends(store, "two.t.y") == {(1, A, "x")}


def test_a_whole_name_comes_before_an_ending(store: MemoryStore) -> None:
    store_of(
        store,
        ("cat.a.t", [("cat.x.s!x", "y", "IDENTITY")]),
        ("other.cat.a.t", [("cat.x.s!z", "y", "IDENTITY")]),
    )
    assert ends(store, "cat.a.t.y") == {(1, "cat.x.s", "x")}


def test_near_names_are_suggested(chain: MemoryStore) -> None:
    with pytest.raises(UsageError, match=r"called d.load; did you mean spark_catalog.db.d.l, "):
        check_name(chain.opened, "d.load")
    with pytest.raises(UsageError, match=r"called db.dd; did you mean .*spark_catalog.db.d"):
        check_name(chain.opened, "db.dd")


def test_an_empty_store_says_that_it_is_empty(store: MemoryStore) -> None:
    Night().begin(store)
    with pytest.raises(UsageError, match="the store has no datasets yet"):
        check_name(store.opened, "x")


def test_a_table_that_reads_itself_is_no_trouble(graphs: MemoryStore) -> None:
    a, b, _, _ = tables("itself")
    assert ends(graphs, f"{a}.x") == {(1, a, "x"), (1, a, "k"), (1, b, "y"), (2, a, "x")}
    assert ends(graphs, f"{b}.y", "downstream") == {(1, a, "x"), (2, a, "x"), (2, b, "y")}
    assert ends(graphs, a) == {(1, a, None), (1, b, None), (2, a, None)}
    assert {(row[0], row[1]) for row in rows(graphs, f"FROM impact('{a}.x')")} == {(a, "x"), (b, "y")}


def test_a_struct_includes_its_fields(graphs: MemoryStore) -> None:
    a, b, c, d = tables("struct")
    assert ends(graphs, f"{b}.addr") == {(1, a, "city"), (1, a, "zip")}
    assert ends(graphs, f"{d}.whole") == {(1, b, "addr"), (2, a, "city"), (2, a, "zip")}
    assert ends(graphs, f"{c}.town") == {(1, b, "addr.city"), (2, a, "city")}
    assert ends(graphs, f"{b}.addr", "downstream") == {(1, c, "town"), (1, d, "whole")}


def test_a_field_without_edges_of_its_own_has_those_of_its_struct(graphs: MemoryStore) -> None:
    a, b, c, d = tables("whole")
    assert ends(graphs, f"{c}.town") == {(1, b, "addr.city.name"), (2, a, "address")}
    assert ends(graphs, f"{b}.addr.zip") == {(1, a, "address")}
    assert ends(graphs, f"{b}.addr.zip", "downstream") == {(1, d, "whole")}
    assert ends(graphs, f"{a}.address", "downstream") == {(1, b, "addr"), (2, c, "town"), (2, d, "whole")}


def test_a_field_is_in_the_copies_of_its_struct(graphs: MemoryStore) -> None:
    a, b, c, d = tables("copied")
    assert ends(graphs, f"{a}.doc.a", "downstream") == {(1, b, "doc"), (1, b, "a"), (1, d, "json"), (2, c, "x")}
    assert {(row[0], row[1]) for row in rows(graphs, f"FROM impact('{a}.doc.a')")} >= {
        (b, "doc"),
        (d, "json"),
        (c, "x"),
    }
    assert ends(graphs, f"{c}.x") >= {(1, b, "doc.a"), (2, a, "doc")}


def test_a_field_is_in_the_copies_of_all_structs_around_it(graphs: MemoryStore) -> None:
    a, b, c, _ = tables("nested")
    assert ends(graphs, f"{a}.doc.a.b", "downstream") == {(1, b, "doc"), (1, b, "part"), (1, b, "b"), (2, c, "x")}
    assert ends(graphs, f"{a}.doc.a", "downstream") >= {(1, b, "doc"), (1, b, "part"), (1, b, "b"), (2, c, "z")}


def test_a_field_that_is_written_alone_has_the_sources_of_its_struct(graphs: MemoryStore) -> None:
    a, b, _, _ = tables("alone")
    assert ends(graphs, f"{b}.doc.a") == {(1, a, "v"), (1, a, "doc")}


def test_columns_that_differ_in_case_only_are_one(graphs: MemoryStore) -> None:
    a, b, c, _ = tables("cased")
    assert ends(graphs, f"{c}.total") == {(1, b, "amount"), (2, a, "x")}


def test_only_current_edges_are_followed(store: MemoryStore) -> None:
    for day, source in enumerate("xz"):
        made = Night(day)
        made.app()
        made.statement([(f"{A}!{source}", "y", "IDENTITY")], target=B)
        made.harvest(store)
    assert ends(store, f"{B}.y") == {(1, A, "z")}
    assert ends(store, f"{A}.x", "downstream") == set()


def test_impact_tells_columns_and_datasets_with_the_kinds(chain: MemoryStore) -> None:
    found = rows(chain, f"SELECT dataset, column_name, depth, dependency, transformations FROM impact('{A}.k')")
    assert found == [
        (B, "k", 1, "DIRECT", ["IDENTITY"]),
        (C, None, 2, "INDIRECT", ["JOIN"]),
        (D, "l", 3, "INDIRECT", ["IDENTITY"]),
        (D, "w", 3, "INDIRECT", ["TRANSFORMATION"]),
    ]


def test_impact_of_a_dataset_has_datasets_that_only_count_its_rows(store: MemoryStore) -> None:
    made = Night()
    made.app()
    made.statement([("", "n", "")], reads=[A], target=B)
    made.statement([(f"{A}!x", "y", "IDENTITY")], target=C, execution=2)
    made.harvest(store)
    found = rows(store, f"SELECT dataset, column_name, dependency, transformations FROM impact('{A}')")
    assert found == [(B, None, "INDIRECT", []), (C, "y", "DIRECT", ["IDENTITY"])]


def test_lineage_at_tells_what_held_at_a_time(store: MemoryStore) -> None:
    for day, source in enumerate("xzx"):
        made = Night(day)
        made.app()
        made.statement([(f"{A}!{source}", "y", "IDENTITY")], target=B)
        made.harvest(store)
    held = [
        rows(store, f"SELECT source_column FROM lineage_at(TIMESTAMP '2026-11-{day} 12:00:00')")
        for day in (17, 18, 19, 20)
    ]
    assert held == [[], [("x",)], [("z",)], [("x",)]]


def test_the_lineage_of_a_span_has_the_edges_of_all_runs_in_it(store: MemoryStore) -> None:
    for day, source in enumerate("xzw"):
        made = Night(day)
        made.app()
        made.statement([(f"{A}!{source}", "y", "IDENTITY"), (f"{A}!k", "", "FILTER")], target=B)
        made.harvest(store)
    noon = [datetime(2026, 11, day, 12) for day in (17, 18, 19, 20)]

    def sources(since: datetime, at: datetime | None = None) -> list[object]:
        found = trace(store.opened, f"{B}.y", up=True, direct_only=True, since=since, at=at)
        return sorted(str(row["source_column"]) for row in found.records())

    assert sources(noon[0], noon[2]) == ["x", "z"]
    assert sources(noon[1], noon[2]) == ["z"]
    assert sources(noon[1]) == ["w", "z"]
    assert sources(noon[3]) == []
    filters = trace(store.opened, f"{B}.y", up=True, since=noon[0]).records()
    assert [row["source_column"] for row in filters if row["dependency"] != "DIRECT"] == ["k"]
    tables = trace(store.opened, B, up=True, since=noon[0]).records()
    assert [row["source_dataset"] for row in tables if row["source_column"] is None] == [A]


def test_a_datasets_columns_tell_their_sources_and_expressions(chain: MemoryStore) -> None:
    answer = columns(chain.opened, "db.c")
    assert [(row[0], row[1], row[3], row[4]) for row in answer.rows] == [
        (1, "z", [f"{B}.y"], ["AGGREGATION"]),
        (2, "load_date", None, None),
    ]
    assert [(row[0], row[1]) for row in columns(chain.opened, A).rows] == [(None, "f"), (None, "k"), (None, "x")]
    with pytest.raises(UsageError, match=r"is a column; ask for the dataset spark_catalog.db.c"):
        columns(chain.opened, "c.z")


def test_the_commands_trace_is_the_macros(chain: MemoryStore) -> None:
    answer = trace(chain.opened, "d.w", up=True, depth=2, direct_only=True)
    assert answer.rows == rows(chain, "FROM upstream('d.w', max_depth := 2, direct_only := true)")
    assert trace(chain.opened, "a.x", up=False).rows == rows(chain, "FROM downstream('a.x')")


NAMES = st.sampled_from("abcd")
EDGES = st.lists(
    st.tuples(NAMES, st.sampled_from(["x", "y", "s", "s.f"]), NAMES, st.sampled_from(["x", "y", "s", "s.f", ""])),
    min_size=1,
    max_size=12,
    unique=True,
)


@settings(max_examples=2)
@given(st.lists(st.tuples(EDGES, st.booleans()), min_size=8, max_size=8))
def test_a_trace_agrees_with_a_walk_in_python(graphs: list[tuple[list[tuple[str, str, str, str]], bool]]) -> None:
    """Each graph has a database of its own in one store."""
    statements = []
    for number, (edges, _) in enumerate(graphs):
        name = f"spark_catalog.db{number}.{{}}".format
        for target in sorted({edge[2] for edge in edges}):
            into = [(f"{name(a)}!{b}", d, "IDENTITY" if d else "FILTER") for a, b, c, d in edges if c == target]
            statements.append((name(target), into))
    store = store_of(MemoryStore(), *statements)
    for number, (edges, up) in enumerate(graphs):
        check_walk(store, f"spark_catalog.db{number}.{{}}".format, edges, up=up)
    store.close()


def check_walk(
    store: MemoryStore, name: Callable[[str], str], edges: list[tuple[str, str, str, str]], *, up: bool
) -> None:
    """The macro finds what the walk finds from the first edge's end, or the edge ends at a whole dataset."""
    start = (edges[0][2], edges[0][3] or "x") if up else (edges[0][0], edges[0][1])
    ends = "source_dataset, source_column, target_dataset, target_column"
    asked = f"{'upstream' if up else 'downstream'}('{name(start[0])}.{start[1]}')"
    try:
        found = set(rows(store, f"SELECT {ends} FROM {asked}"))
    except duckdb.Error:
        assert up
        assert not edges[0][3]
        return
    assert found == {(name(a), b, name(c), d or None) for a, b, c, d in walk(edges, start, up=up)}


def walk(edges: list[tuple[str, str, str, str]], start: tuple[str, str], *, up: bool) -> set[tuple[str, str, str, str]]:
    """The edges on all ways from a column, by the rules of docs/questions.md, the slow way."""
    seen: set[tuple[str, str]] = set()
    used: set[tuple[str, str, str, str]] = set()
    todo = [start]
    while todo:
        here = todo.pop()
        if here in seen:
            continue
        seen.add(here)
        for edge in touching(edges, here, up=up):
            used.add(edge)
            todo.append((edge[0], edge[1]) if up else (edge[2], edge[3]))
    return used


def touching(
    edges: list[tuple[str, str, str, str]], here: tuple[str, str], *, up: bool
) -> list[tuple[str, str, str, str]]:
    """The edges that end (up) or begin (down) at a column, its fields, else its struct."""
    dataset, column = here
    near = [edge for edge in edges if (edge[2] if up else edge[0]) == dataset]
    end = (lambda edge: edge[3]) if up else (lambda edge: edge[1])
    if not up and not column:
        return near
    own = [edge for edge in near if end(edge) and (end(edge) == column or end(edge).startswith(f"{column}."))]
    own = own or [edge for edge in near if end(edge) and column.startswith(f"{end(edge)}.")]
    return own + [edge for edge in near if up and not end(edge)]


def test_a_short_trace_joins_names_and_has_no_empty_columns() -> None:
    names = ("depth", "source_dataset", "source_column", "target_dataset", "target_column", "dependency",
             "transformation", "masked", "expression", "job_name", "user_name", "last_read", "columns")  # fmt: skip
    edge = (1, "raw.a", "x", "mart.b", "y", "DIRECT", "TRANSFORMATION", True, "a.x + 1", "nightly", None, None, None)
    read = (2, "mart.b", "y", None, None, "DIRECT", "IDENTITY", False, "b.y", "sales", "ann", "2026-11-20", ["y", "z"])
    unread = (2, "mart.b", None, None, None, "INDIRECT", "FILTER", False, "b.y", "sales", None, None, None)
    found = shortened(Answer(names, [edge, read, unread]))
    assert found.names == ("depth", "source", "target", "transformation", "masked", "expression", "last_read", "job")
    assert found.rows == [
        (1, "raw.a.x", "mart.b.y", "TRANSFORMATION", "yes", "a.x + 1", None, "nightly"),
        (2, "mart.b.y", "read by ann", "IDENTITY", "", "y, z", "2026-11-20", "sales"),
        (2, "mart.b", "read by a query", "FILTER", "", "", None, "sales"),
    ]
    between = (1, "raw.a", None, "mart.b", None, "DIRECT", None, False, None, "nightly", None, None, None)
    assert shortened(Answer(names, [between])) == Answer(
        ("depth", "source", "target", "dependency", "job"), [(1, "raw.a", "mart.b", "DIRECT", "nightly")]
    )
    assert shortened(Answer(names, [])).rows == []
