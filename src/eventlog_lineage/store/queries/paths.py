"""Ways between two names, and datasets that feed themselves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from eventlog_lineage.store.queries.open_store import Answer, OpenStore

from .asked_names import check_name
from .folded_traces import folded, skipped_datasets
from .lookups import FOREVER, trace

_MOST_STEPS = 200_000
"""Ways that are looked at before the search ends; a dense graph has more than anybody reads."""

Edge = Mapping[str, object]
Node = tuple[str, str]


def paths(store: OpenStore, start: str, end: str, limit: int, skip: Sequence[str] = ()) -> tuple[Answer, bool]:
    """Find the ways from one name to another, the shortest first; no dataset or column is passed twice.

    Args:
        start: A dataset or `dataset.column`.
        end: A dataset or `dataset.column`.
        skip: Patterns of datasets that the ways go through without showing them, as of `trace`.

    Returns:
        path (its number), step, source_dataset, source_column, target_dataset, target_column, dependency,
        transformation, masking, expression, job_name; and whether there are more ways.

    Raises:
        UsageError: A name means nothing in the store, or several things.
    """
    first, last = check_name(store, start), check_name(store, end)
    if bool(first[1]) != bool(last[1]):  # one of them is a dataset: go by datasets
        start, end, first, last = first[0], last[0], (first[0], ""), (last[0], "")
    down = trace(store, start, up=False)
    up = {_key(edge) for edge in trace(store, end, up=True).records()}
    common = [row for row, edge in zip(down.rows, down.records(), strict=True) if _key(edge) in up]
    found_edges = Answer(down.names, common, down.types)
    if skip:
        shown = skipped_datasets(store, skip) - {last[0]}
        found_edges = folded(found_edges, shown, [first[0]], up=False, depth=FOREVER)
    edges = list(found_edges.records())
    ends = ("source_dataset", "source_column", "target_dataset", "target_column")
    names = (*ends, "dependency", "transformation", "masking", "expression", "job_name")
    found, more = _ways(edges, first, last, limit)
    rows = [
        (number, step, *(edge[name] for name in names))
        for number, way in enumerate(found, 1)
        for step, edge in enumerate(way, 1)
    ]
    return Answer(("path", "step", *names), rows), more


def short_paths(found: Answer) -> Answer:
    """Return ways in fewer columns: path, step, source, target, transformation, expression, job.

    Between datasets there is no transformation: the dependency takes its place.
    """
    rows: list[tuple[object, ...]] = []
    for edge in found.records():
        ends = [".".join(filter(None, end)) for end in _ends(edge)]
        dependency = None if edge["transformation"] else edge["dependency"]
        kinds = (dependency, edge["transformation"], edge["expression"])
        rows.append((edge["path"], edge["step"], *ends, *kinds, edge["job_name"]))
    optional = ("dependency", "transformation", "expression")
    return Answer(("path", "step", "source", "target", *optional, "job"), rows).without_empty(*optional)


def _key(edge: Edge) -> tuple[object, ...]:
    names = ("source_dataset", "source_column", "target_dataset", "target_column", "transformation", "job_name")
    return tuple(edge[name] for name in names)


def _ways(edges: Sequence[Edge], start: Node, end: Node, limit: int) -> tuple[list[tuple[Edge, ...]], bool]:
    """Return the ways through some edges, breadth first."""
    by_source: dict[str, list[Edge]] = {}
    for edge in edges:
        by_source.setdefault(str(edge["source_dataset"]), []).append(edge)
    found: list[tuple[Edge, ...]] = []
    queue: deque[tuple[Node, tuple[Edge, ...], frozenset[Node]]] = deque([(start, (), frozenset([_low(start)]))])
    for _ in range(_MOST_STEPS):
        if not queue:
            return found, False
        here, way, passed = queue.popleft()
        for edge in by_source.get(here[0], ()):
            source, target = _ends(edge)
            if not _meets(here[1], source[1]) or _low(target) in passed:
                continue
            if target[0] == end[0] and _meets(target[1], end[1]):
                if len(found) == limit:
                    return found, True
                found.append((*way, edge))
            else:
                queue.append((target, (*way, edge), passed | {_low(target)}))
    return found, True


def _ends(edge: Edge) -> tuple[Node, Node]:
    return (
        (str(edge["source_dataset"]), str(edge["source_column"] or "")),
        (str(edge["target_dataset"]), str(edge["target_column"] or "")),
    )


def _low(node: Node) -> Node:
    return node[0], node[1].lower()


def _meets(one: str, other: str) -> bool:
    """Return whether two columns are the same, or one of them is the whole dataset or a struct with the other.

    Args:
        one: A column, or an empty text for the whole dataset.
    """
    one, other = one.lower(), other.lower()
    return not one or not other or one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def cycles(store: OpenStore) -> Answer:
    """Find the datasets that feed themselves through others: of each group of them the shortest circle.

    Returns:
        cycle (its number), datasets (how many feed one another), steps (the circle's datasets, the first one again at
        the end), dependency (DIRECT if values go all the way round), jobs.
    """
    found = store.ask(
        "SELECT source_dataset, target_dataset, list_sort(list_distinct(list(job_name))), bool_or(direct) FROM ("
        " SELECT l.source_dataset, l.target_dataset, l.job_name, p.direct FROM table_lineage l"
        " JOIN trace_datasets s ON s.dataset = l.source_dataset JOIN trace_datasets t ON t.dataset = l.target_dataset"
        " JOIN trace_pairs p ON p.source_number = s.dataset_number AND p.target_number = t.dataset_number"
        " WHERE l.is_current AND l.source_dataset <> l.target_dataset) GROUP BY ALL ORDER BY ALL"
    )
    pairs = {(str(source), str(target)): (list(jobs), direct) for source, target, jobs, direct in found.rows}  # type: ignore[call-overload]
    graph: dict[str, list[str]] = {}
    for source, target in pairs:
        graph.setdefault(source, []).append(target)
        graph.setdefault(target, [])
    rows: list[tuple[object, ...]] = []
    groups = sorted((sorted(group) for group in _components(graph) if len(group) > 1), key=lambda group: group[0])
    for number, group in enumerate(groups, 1):
        circle = _circle(graph, group)
        steps = list(pairwise(circle))
        direct = all(pairs[step][1] for step in steps)
        jobs = sorted({str(job) for step in steps for job in pairs[step][0]})
        rows.append((number, len(group), circle, "DIRECT" if direct else "INDIRECT", jobs))
    return Answer(("cycle", "datasets", "steps", "dependency", "jobs"), rows)


def _components(graph: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Yield the strongly connected components (Tarjan), without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    for root in graph:
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    yield stack[at:]
                    on_stack.difference_update(stack[at:])
                    del stack[at:]
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                on_stack.add(following)
                work.append((following, iter(graph[following])))
            elif following in on_stack:
                low[node] = min(low[node], index[following])


def _circle(graph: Mapping[str, Sequence[str]], group: Iterable[str]) -> list[str]:
    """Return the shortest way from the first dataset of a group back to itself."""
    members = list(group)
    start, within = members[0], set(members)
    before: dict[str, str] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for following in graph[node]:
            if following == start:
                way = [start, node]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return way[::-1] if node != start else [start, start]
            if following in within and following not in before:
                before[following] = node
                queue.append(following)
    return [start]
