"""The ways between two names are those that a search through all ways finds, and a dense graph is no obstacle."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations

from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.store.queries.paths import Edge, Node, _meets, _ways

COLUMNS = st.sampled_from(["", "a", "A", "b", "s", "s.x", "s.x.y", "s.z"])
NODES = st.tuples(st.sampled_from("tuvw"), COLUMNS)
GRAPHS = st.lists(st.tuples(NODES, NODES), max_size=8)


def edges_of(graph: Sequence[tuple[Node, Node]]) -> list[Edge]:
    return [
        {"source_dataset": a, "source_column": b or None, "target_dataset": c, "target_column": d or None}
        for (a, b), (c, d) in graph
    ]


def all_ways(graph: Sequence[tuple[Node, Node]], start: Node, end: Node) -> list[tuple[int, ...]]:
    """Return each sequence of distinct edges that is a way, by length and number."""
    numbers = range(len(graph))
    lengths = range(1, min(len(graph), 5) + 1)
    return [way for length in lengths for way in permutations(numbers, length) if is_way(graph, way, start, end)]


def is_way(graph: Sequence[tuple[Node, Node]], way: Sequence[int], start: Node, end: Node) -> bool:
    here, passed = start, {low(start)}
    for step, number in enumerate(way):
        source, target = graph[number]
        meets = source[0] == here[0] and _meets(source[1], here[1])
        if not meets or low(target) in passed or (step and is_at(here, end)):
            return False
        here = target
        passed.add(low(target))
    return is_at(here, end)


def low(node: Node) -> Node:
    return node[0], node[1].lower()


def is_at(node: Node, end: Node) -> bool:
    return node[0] == end[0] and _meets(node[1], end[1])


@given(GRAPHS, NODES, NODES)
def test_the_ways_are_those_of_a_search_through_all(graph: list[tuple[Node, Node]], start: Node, end: Node) -> None:
    edges = edges_of(graph)
    found, more = _ways(edges, start, end, 1000)
    short = [way for way in found if len(way) <= 5]
    assert short == [tuple(edges[number] for number in way) for way in all_ways(graph, start, end)]
    assert not more


def test_of_a_dense_graph_the_shortest_ways_are_found_at_once() -> None:
    width, layers = 30, 12
    columns = [(f"t{layer}", f"c{number}") for layer in range(layers) for number in range(width)]
    graph = [(a, b) for a in columns for b in columns if int(b[0][1:]) == int(a[0][1:]) + 1]
    found, more = _ways(edges_of(graph), ("t0", "c3"), (f"t{layers - 1}", "c5"), 10)
    assert [len(way) for way in found] == [layers - 1] * 10
    assert more
    assert len(set(map(str, islice(found, 10)))) == 10
