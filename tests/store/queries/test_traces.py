"""Traces chain edges through datasets, in both directions, as macros and for the commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.lookups import check_name, columns, trace
from eventlog_lineage.store.queries.open_store import open_store
from support.nights import Night
from support.store_content import rows

A, B, C, D = (f"spark_catalog.db.{name}" for name in "abcd")


def store_of(path: Path, *statements: tuple[str, list[tuple[str, str, str]]], **facts: Any) -> Path:
    """A store with one succeeded statement per (target, edges)."""
    made = Night()
    made.app()
    for number, (target, edges) in enumerate(statements):
        made.statement(edges, target=target, execution=number, **facts)
    made.harvest(path)
    return path


def ends(store: Path, asked: str, direction: str = "upstream", **options: Any) -> set[tuple[Any, ...]]:
    """The far ends of a trace's edges, with their depth."""
    far = "source" if direction == "upstream" else "target"
    words = "".join(f", {name} := {value}" for name, value in options.items())
    return set(rows(store, f"SELECT depth, {far}_dataset, {far}_column FROM {direction}('{asked}'{words})"))


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A -> b -> c -> d by columns; b is filtered by a.f, c joined by b.k."""
    return store_of(
        tmp_path_factory.mktemp("chain"),
        (B, [(f"{A}!x", "y", "IDENTITY"), (f"{A}!k", "k", "IDENTITY"), (f"{A}!f", "", "FILTER")]),
        (C, [(f"{B}!y", "z", "AGGREGATION"), (f"{B}!k", "", "JOIN"), ("", "load_date", "")]),
        (D, [(f"{C}!z", "w", "TRANSFORMATION"), (f"{C}!load_date", "l", "IDENTITY")]),
    )


def test_upstream_of_a_column_goes_through_all_hops(chain: Path) -> None:
    assert ends(chain, f"{D}.w", direct_only="true") == {(1, C, "z"), (2, B, "y"), (3, A, "x")}


def test_what_influences_a_dataset_influences_each_of_its_columns(chain: Path) -> None:
    assert ends(chain, f"{D}.w") == {(1, C, "z"), (2, B, "y"), (2, B, "k"), (3, A, "x"), (3, A, "f"), (3, A, "k")}
    assert ends(chain, f"{D}.l") == {(1, C, "load_date"), (2, B, "k"), (3, A, "k"), (3, A, "f")}


def test_downstream_goes_on_from_every_column_of_an_influenced_dataset(chain: Path) -> None:
    assert ends(chain, f"{A}.f", "downstream") == {(1, B, None), (2, C, "z"), (2, C, None), (3, D, "w"), (3, D, "l")}
    assert ends(chain, f"{A}.f", "downstream", direct_only="true") == set()


def test_depth_can_be_limited(chain: Path) -> None:
    assert ends(chain, f"{D}.w", max_depth=2) == {(1, C, "z"), (2, B, "y"), (2, B, "k")}
    assert ends(chain, f"{A}.x", "downstream", max_depth=1) == {(1, B, "y")}
    assert ends(chain, D, max_depth=1) == {(1, C, None)}


def test_a_dataset_is_traced_by_datasets(chain: Path) -> None:
    assert ends(chain, D) == {(1, C, None), (2, B, None), (3, A, None)}
    assert ends(chain, A, "downstream") == {(1, B, None), (2, C, None), (3, D, None)}
    assert rows(chain, f"SELECT dependency, job_name FROM upstream('{B}')") == [
        ("DIRECT", "nightly sales: b InsertInto")
    ]


@pytest.mark.parametrize("asked", ["spark_catalog.db.d.w", "db.d.w", "d.w", "D.W", "DB.d.W", "`db`.`d`.`w`", " d.w "])
def test_a_name_can_be_an_ending_in_any_case(chain: Path, asked: str) -> None:
    assert ends(chain, asked, max_depth=1) == {(1, C, "z")}


def test_a_name_can_be_a_location_or_its_end(tmp_path: Path) -> None:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "y", "IDENTITY")], target=B)
    made.place(B, "s3://lake/gold/b_files")
    made.harvest(tmp_path)
    for asked in ("s3://lake/gold/b_files.y", "s3a://lake/gold/b_files.y", "gold/b_files.y", "b_files.y", "B_FILES.Y"):
        assert ends(tmp_path, asked) == {(1, A, "x")}
    assert ends(tmp_path, "s3n://lake/gold/b_files/") == {(1, A, None)}


@pytest.mark.parametrize("asked", ["nothing", "d.nothing", "nothing.w", ""])
def test_a_name_that_means_nothing_is_an_error_of_the_macro(chain: Path, asked: str) -> None:
    for macro in ("upstream", "downstream", "impact"):
        with pytest.raises(duckdb.Error, match="no dataset or column of the store is called"):
            rows(chain, f"FROM {macro}('{asked}')")


def test_a_name_that_means_several_things_is_an_error_that_lists_them(tmp_path: Path) -> None:
    store_of(
        tmp_path,
        ("spark_catalog.one.t", [(f"{A}!x", "y", "IDENTITY")]),
        ("spark_catalog.two.t", [(f"{A}!x", "y", "IDENTITY")]),
    )
    with pytest.raises(duckdb.Error, match=r"t.y can mean several: .*\.t\.y, .*\.t\.y"):
        rows(tmp_path, "FROM upstream('t.y')")
    with open_store(tmp_path) as store, pytest.raises(UsageError, match=r"t can mean 2 things: .*one.t, .*two.t; give"):
        check_name(store, "t")
    assert ends(tmp_path, "two.t.y") == {(1, A, "x")}


def test_a_whole_name_comes_before_an_ending(tmp_path: Path) -> None:
    store_of(
        tmp_path,
        ("cat.a.t", [("cat.x.s!x", "y", "IDENTITY")]),
        ("other.cat.a.t", [("cat.x.s!z", "y", "IDENTITY")]),
    )
    assert ends(tmp_path, "cat.a.t.y") == {(1, "cat.x.s", "x")}


def test_near_names_are_suggested(chain: Path) -> None:
    with open_store(chain) as store:
        with pytest.raises(UsageError, match=r"called d.load; did you mean spark_catalog.db.d.l, "):
            check_name(store, "d.load")
        with pytest.raises(UsageError, match=r"called db.dd; did you mean .*spark_catalog.db.d"):
            check_name(store, "db.dd")


def test_an_empty_store_says_that_it_is_empty(tmp_path: Path) -> None:
    Night().begin(tmp_path)
    with open_store(tmp_path) as store, pytest.raises(UsageError, match="the store has no datasets yet"):
        check_name(store, "x")


def test_a_table_that_reads_itself_is_no_trouble(tmp_path: Path) -> None:
    store_of(
        tmp_path,
        (A, [(f"{A}!x", "x", "IDENTITY"), (f"{B}!y", "x", "IDENTITY"), (f"{A}!k", "", "JOIN")]),
        (B, [(f"{A}!x", "y", "IDENTITY")]),
    )
    assert ends(tmp_path, f"{A}.x") == {(1, A, "x"), (1, A, "k"), (1, B, "y"), (2, A, "x")}
    assert ends(tmp_path, f"{B}.y", "downstream") == {(1, A, "x"), (2, A, "x"), (2, B, "y")}
    assert ends(tmp_path, A) == {(1, A, None), (1, B, None), (2, A, None)}
    assert {(row[0], row[1]) for row in rows(tmp_path, f"FROM impact('{A}.x')")} == {(A, "x"), (B, "y")}


def test_a_struct_includes_its_fields(tmp_path: Path) -> None:
    store_of(
        tmp_path,
        (
            B,
            [
                (f"{A}!city", "addr.city", "IDENTITY"),
                (f"{A}!zip", "addr.zip", "IDENTITY"),
                (f"{A}!n", "name", "IDENTITY"),
            ],
        ),
        (C, [(f"{B}!addr.city", "town", "IDENTITY")]),
        (D, [(f"{B}!addr", "whole", "IDENTITY")]),
    )
    assert ends(tmp_path, f"{B}.addr") == {(1, A, "city"), (1, A, "zip")}
    assert ends(tmp_path, f"{D}.whole") == {(1, B, "addr"), (2, A, "city"), (2, A, "zip")}
    assert ends(tmp_path, f"{C}.town") == {(1, B, "addr.city"), (2, A, "city")}
    assert ends(tmp_path, f"{B}.addr", "downstream") == {(1, C, "town"), (1, D, "whole")}


def test_a_field_without_edges_of_its_own_has_those_of_its_struct(tmp_path: Path) -> None:
    store_of(
        tmp_path,
        (B, [(f"{A}!address", "addr", "IDENTITY"), (f"{A}!x", "addr2", "IDENTITY")]),
        (C, [(f"{B}!addr.city.name", "town", "IDENTITY")]),
        (D, [(f"{B}!addr", "whole", "IDENTITY")]),
    )
    assert ends(tmp_path, f"{C}.town") == {(1, B, "addr.city.name"), (2, A, "address")}
    assert ends(tmp_path, f"{B}.addr.zip") == {(1, A, "address")}
    assert ends(tmp_path, f"{B}.addr.zip", "downstream") == {(1, D, "whole")}
    assert ends(tmp_path, f"{A}.address", "downstream") == {(1, B, "addr"), (2, C, "town"), (2, D, "whole")}


def test_columns_that_differ_in_case_only_are_one(tmp_path: Path) -> None:
    store_of(tmp_path, (B, [(f"{A}!x", "Amount", "IDENTITY")]), (C, [(f"{B}!amount", "total", "IDENTITY")]))
    assert ends(tmp_path, f"{C}.total") == {(1, B, "amount"), (2, A, "x")}


def test_only_current_edges_are_followed(tmp_path: Path) -> None:
    for day, source in enumerate("xz"):
        made = Night(day)
        made.app()
        made.statement([(f"{A}!{source}", "y", "IDENTITY")], target=B)
        made.harvest(tmp_path)
    assert ends(tmp_path, f"{B}.y") == {(1, A, "z")}
    assert ends(tmp_path, f"{A}.x", "downstream") == set()


def test_impact_tells_columns_and_datasets_with_the_kinds(chain: Path) -> None:
    found = rows(chain, f"SELECT dataset, column_name, depth, dependency, transformations FROM impact('{A}.k')")
    assert found == [
        (B, "k", 1, "DIRECT", ["IDENTITY"]),
        (C, None, 2, "INDIRECT", ["JOIN"]),
        (D, "l", 3, "INDIRECT", ["IDENTITY"]),
        (D, "w", 3, "INDIRECT", ["TRANSFORMATION"]),
    ]


def test_impact_of_a_dataset_has_datasets_that_only_count_its_rows(tmp_path: Path) -> None:
    made = Night()
    made.app()
    made.statement([("", "n", "")], reads=[A], target=B)
    made.statement([(f"{A}!x", "y", "IDENTITY")], target=C, execution=2)
    made.harvest(tmp_path)
    found = rows(tmp_path, f"SELECT dataset, column_name, dependency, transformations FROM impact('{A}')")
    assert found == [(B, None, "INDIRECT", []), (C, "y", "DIRECT", ["IDENTITY"])]


def test_lineage_at_tells_what_held_at_a_time(tmp_path: Path) -> None:
    for day, source in enumerate("xzx"):
        made = Night(day)
        made.app()
        made.statement([(f"{A}!{source}", "y", "IDENTITY")], target=B)
        made.harvest(tmp_path)
    held = [
        rows(tmp_path, f"SELECT source_column FROM lineage_at(TIMESTAMP '2026-11-{day} 12:00:00')")
        for day in (17, 18, 19, 20)
    ]
    assert held == [[], [("x",)], [("z",)], [("x",)]]


def test_a_datasets_columns_tell_their_sources_and_expressions(chain: Path) -> None:
    with open_store(chain) as store:
        answer = columns(store, "db.c")
        assert [(row[0], row[1], row[3], row[4]) for row in answer.rows] == [
            (1, "z", [f"{B}.y"], ["AGGREGATION"]),
            (2, "load_date", None, None),
        ]
        assert [(row[0], row[1]) for row in columns(store, A).rows] == [(None, "f"), (None, "k"), (None, "x")]
        with pytest.raises(UsageError, match=r"is a column; ask for the dataset spark_catalog.db.c"):
            columns(store, "c.z")


def test_the_commands_trace_is_the_macros(chain: Path) -> None:
    with open_store(chain) as store:
        answer = trace(store, "d.w", up=True, depth=2, direct_only=True)
        assert answer.rows == store.ask("FROM upstream('d.w', max_depth := 2, direct_only := true)").rows
        assert trace(store, "a.x", up=False).rows == store.ask("FROM downstream('a.x')").rows


NAMES = st.sampled_from("abcd")
EDGES = st.lists(
    st.tuples(NAMES, st.sampled_from(["x", "y", "s", "s.f"]), NAMES, st.sampled_from(["x", "y", "s", "s.f", ""])),
    min_size=1,
    max_size=12,
    unique=True,
)


@settings(max_examples=2)
@given(st.lists(st.tuples(EDGES, st.booleans()), min_size=8, max_size=8))
def test_a_trace_agrees_with_a_walk_in_python(
    tmp_path_factory: pytest.TempPathFactory, graphs: list[tuple[list[tuple[str, str, str, str]], bool]]
) -> None:
    """Each graph has a database of its own in one store."""
    statements = []
    for number, (edges, _) in enumerate(graphs):
        name = f"spark_catalog.db{number}.{{}}".format
        for target in sorted({edge[2] for edge in edges}):
            into = [(f"{name(a)}!{b}", d, "IDENTITY" if d else "FILTER") for a, b, c, d in edges if c == target]
            statements.append((name(target), into))
    store = store_of(tmp_path_factory.mktemp("walk"), *statements)
    for number, (edges, up) in enumerate(graphs):
        check_walk(store, f"spark_catalog.db{number}.{{}}".format, edges, up=up)


def check_walk(store: Path, name: Callable[[str], str], edges: list[tuple[str, str, str, str]], *, up: bool) -> None:
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
    """The edges on all ways from a column, by the rules of docs/queries.md, the slow way."""
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


def test_a_long_query_prints_no_progress_bar_between_the_lines_of_an_answer(chain: Path) -> None:
    assert rows(chain, "SELECT current_setting('enable_progress_bar')") == [(False,)]
