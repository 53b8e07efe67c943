"""Traces up and down, through datasets that are not shown, the paths between two names, and circles."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from heapq import heappop, heappush
from itertools import chain, pairwise
from typing import Any, TypeVar

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.open_store import Answer, OpenStore, check_name, find_target, read_by, written_by
from eventlog_lineage.store.schema.relations import sql_text

TEMPORARY = "temp"
"""The pattern of all temporary views."""

_STRENGTH = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
_DOUBTS: tuple[object, ...] = ("exact", "inferred", "opaque")
_SHORT_NAMES = ("depth", "source", "target", "dependency", "transformation", "masked", "expression", "last_read", "job")

Edge = dict[str, Any]
Node = tuple[str, str]
_Place = TypeVar("_Place")


def skipped_datasets(store: OpenStore, patterns: Collection[str]) -> frozenset[str]:
    """Return the datasets that patterns name: `staging.*`, the end of a name, `temp` for temporary views."""
    found = _kinds(store) if patterns else ()
    others = [each for each in patterns if each != TEMPORARY]
    temporary = TEMPORARY in patterns
    return frozenset(
        name for name, kind in found if (temporary and kind == "temp_view") or _matches(name, kind, others)
    )


def unmatched(store: OpenStore, patterns: Iterable[str]) -> list[str]:
    """Return the patterns that no dataset of the store matches; `temp` is none of them."""
    found = _kinds(store)
    return [
        each for each in patterns if each != TEMPORARY and not any(_matches(name, kind, [each]) for name, kind in found)
    ]


def _kinds(store: OpenStore) -> set[tuple[str, str]]:
    """Return the names of all datasets, each with its kind."""
    return {(str(name), str(kind)) for name, kind in store.ask("SELECT dataset, kind FROM datasets").rows}


def _matches(name: str, kind: str, patterns: Iterable[str]) -> bool:
    """Return whether a pattern matches a name, that of a temporary view with its application or without."""
    name = name.lower()
    names = {name, name.partition("@")[0]} if kind == "temp_view" else {name}
    endings = [form for each in patterns for form in (each.lower(), f"*[./:]{each.lower()}")]
    return any(fnmatchcase(each, ending) for ending in endings for each in names)


def folded(answer: Answer, skipped: Collection[str], start: Collection[str], *, up: bool, depth: int) -> Answer:
    """Return a trace without some datasets: edges to and from one are joined to edges past it.

    An edge past a dataset is DIRECT if both are, masks if one does, and is one hop. Its expression is that of the edge
    with its transformation, its confidence the lower one, its job the one that writes its target. A dataset at which
    the trace begins stays.
    """
    hidden = frozenset(skipped) - frozenset(start)
    near, far = ("target", "source") if up else ("source", "target")
    found = _shown_edges(list(answer.records()), hidden, near, far)
    hops = _hops(found, start, near, far)
    placed = ({**edge, "depth": hops.get(str(edge[f"{near}_dataset"]), edge["depth"] - 1) + 1} for edge in found)
    rows = [row for row in placed if row["depth"] <= depth]
    rows.sort(key=lambda row: (row["depth"], *(str(row.get(name) or "") for name in _KEY)))
    return Answer(answer.names, [tuple(row[name] for name in answer.names) for row in rows], answer.types)


def _shown_edges(edges: Sequence[Edge], hidden: frozenset[str], near: str, far: str) -> Collection[Edge]:
    """Return the edges between datasets that are shown; those with equal ends and kinds are one."""
    beyond: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        beyond[str(edge[f"{near}_dataset"])].append(edge)
    found: dict[tuple[object, ...], Edge] = {}
    for edge in edges:
        if edge[f"{near}_dataset"] not in hidden:
            for joined in _past(edge, hidden, beyond, far):
                key = tuple(joined.get(name) for name in _KEY)
                found[key] = _better(found.get(key), joined)
    return found.values()


_KEY = tuple(
    """
    source_dataset source_column target_dataset target_column dependency transformation job_name user_name
    """.split()
)


def _past(edge: Edge, hidden: frozenset[str], beyond: Mapping[str, list[Edge]], far: str) -> Iterator[Edge]:
    """Yield the edges that an edge becomes: itself, or joined ones past the datasets at its far end."""
    near = "target" if far == "source" else "source"
    queue = deque([edge])
    seen: set[tuple[object, ...]] = set()
    while queue:
        current = queue.popleft()
        if current[f"{far}_dataset"] not in hidden:
            yield current
            continue
        for other in beyond.get(str(current[f"{far}_dataset"]), ()):
            joined = _join(current, other, far)
            key = tuple(joined.get(name) for name in (*_KEY, "masking"))
            if _meets(str(current[f"{far}_column"] or ""), str(other[f"{near}_column"] or "")) and key not in seen:
                seen.add(key)
                queue.append(joined)


def _join(edge: Edge, other: Edge, far: str) -> Edge:
    first, last = (other, edge) if far == "source" else (edge, other)
    kind = _weightier(first, last)
    ends = {name: first[name] for name in first if name.startswith("source")}
    joined = {**last, **ends, **{name: kind[name] for name in _OF_KIND if name in kind}, "masked": other.get("masked")}
    joined["confidence"] = max((first.get("confidence"), last.get("confidence")), key=_doubt)
    joined["masking"] = bool(edge.get("masking")) or bool(other.get("masking"))
    return joined


_OF_KIND = ("dependency", "transformation", "expression")


def _weightier(first: Edge, last: Edge) -> Edge:
    """Return the one of two edges in a row whose kind is that of both: an influence, else the strongest derivation."""
    if first.get("dependency") != "DIRECT":
        return first
    return last if last.get("dependency") != "DIRECT" else max((last, first), key=_strength)


def _strength(edge: Edge) -> int:
    return _STRENGTH.index(edge["transformation"]) if edge["transformation"] else -1


def _doubt(confidence: object) -> int:
    return _DOUBTS.index(confidence) if confidence in _DOUBTS else -1


def _better(before: Edge | None, edge: Edge) -> Edge:
    """Return one edge for two between the same columns: it masks if both do."""
    if before is None:
        return edge
    return {**before, "masking": bool(before.get("masking")) and bool(edge.get("masking"))}


def _hops(edges: Iterable[Edge], start: Iterable[str], near: str, far: str) -> dict[str, int]:
    after: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        after[str(edge[f"{near}_dataset"])].append(str(edge[f"{far}_dataset"]))
    return _distances(start, after)


def _distances(starts: Iterable[_Place], after: Mapping[_Place, Iterable[_Place]]) -> dict[_Place, int]:
    """Return the fewest steps from one of some places to each place that is reached; `after` has every place."""
    steps = dict.fromkeys(starts, 0)
    queue = deque(steps)
    while queue:
        place = queue.popleft()
        for other in after[place]:
            if other not in steps:
                steps[other] = steps[place] + 1
                queue.append(other)
    return steps


def shortened(answer: Answer) -> Answer:
    """Return a trace in fewer columns, as tables show it, without those that have no value.

    Between datasets, the dependency takes the place of the transformation.
    """
    if not answer.rows:
        return Answer(("depth", "source", "target", "job"), [])
    has_consumers = "last_read" in answer.names
    rows: list[tuple[object, ...]] = []
    edges: Iterable[Edge] = answer.records()
    for edge in edges:
        target, text = _name(edge, "target"), edge["expression"]
        if has_consumers and edge["target_dataset"] is None:
            target, text = f"read by {edge['user_name'] or 'a query'}", ", ".join(edge["columns"] or ())
        kinds = (edge["dependency"], edge["transformation"], "yes" if edge["masked"] else "")
        source, last_read = _name(edge, "source"), edge.get("last_read")
        rows.append((edge["depth"], source, target, *kinds, text, last_read, edge["job_name"]))
    found = Answer(_SHORT_NAMES, rows).without_empty(*_OPTIONAL)
    return found.without("dependency") if "transformation" in found.names else found


def _name(edge: Edge, end: str) -> str:
    return ".".join(str(part) for part in (edge[f"{end}_dataset"], edge[f"{end}_column"]) if part)


FOREVER = 1_000_000
"""More hops than any chain has."""
_END_OF_TIME = datetime(9999, 12, 31)

_OPTIONAL = ("dependency", "transformation", "masked", "expression", "last_read")


def trace(  # noqa: PLR0913 - the options of two commands
    store: OpenStore,
    asked: str,
    *,
    up: bool,
    depth: int | None = None,
    direct_only: bool = False,
    at: datetime | None = None,
    since: datetime | None = None,
    skip: Sequence[str] = (),
) -> Answer:
    """Return the edges on the way to or from a dataset or column.

    Args:
        asked: `dataset` or `dataset.column`, as `upstream` and `downstream` of docs/questions.md take it.
        at: As the lineage was at that time, UTC without a zone; None for the current one.
        since: The edges of all succeeded runs since that time, until `at` if it is given; without consumers.
        skip: Patterns of datasets that the trace goes through without showing them; `temp` for temporary views.

    Returns:
        depth, source_dataset, source_column, target_dataset, target_column, dependency, transformation, masking,
        expression, confidence, job_name, masked; nearest first. Columns are NULL where a dataset was asked for.
        Downstream also user_name, last_read and columns of consumers: rows without a target.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"a depth of {depth} follows no edge", hint="give 1 or more, or none for all")
    most = FOREVER if depth is None else depth
    if skip:
        whole = trace(store, asked, up=up, direct_only=direct_only, at=at, since=since)
        target = find_target(store, asked)
        begun = trace_names(store, asked) if target.job else [target.dataset]
        return folded(whole, skipped_datasets(store, skip), begun, up=up, depth=most)
    names = trace_names(store, asked)
    given = _times(at, since)
    start = "?" if isinstance(names, str) else "CAST(? AS VARCHAR[])"
    options = f"max_depth := {int(most)}, direct_only := {direct_only}"
    macro = f"{'upstream' if up else 'downstream'}{'_at' if given else ''}"
    return store.ask(f"FROM {macro}({', '.join((start, *given, options))})", [names, *given.values()])


def _times(at: datetime | None, since: datetime | None) -> dict[str, datetime]:
    """Return the arguments of a macro for the lineage of a time, or of a span that may have no end."""
    times = {
        "CAST(? AS TIMESTAMP)": at or (_END_OF_TIME if since else None),
        "since_time := CAST(? AS TIMESTAMP)": since,
    }
    return {name: time for name, time in times.items() if time is not None}


def trace_names(store: OpenStore, asked: str) -> str | list[str]:
    """Return what a trace begins at: the name, or the datasets that a job writes or, if it writes none, reads."""
    target = find_target(store, asked)
    return (written_by(store, target.job) or read_by(store, target.job)) if target.job else asked


def temporary_views(store: OpenStore) -> frozenset[str]:
    """Return the datasets that are temporary views of one application."""
    rows = store.ask("SELECT dataset FROM datasets WHERE kind = 'temp_view'").rows
    return frozenset(str(dataset) for (dataset,) in rows)


def ends(edges: Iterable[Mapping[str, object]]) -> Iterator[object]:
    """Return the datasets of edges; None for the target of a consumer."""
    return chain.from_iterable((edge["source_dataset"], edge["target_dataset"]) for edge in edges)


def labels(store: OpenStore, names: Iterable[object]) -> dict[str, str]:
    """Return name and system, as drawings label them, of the datasets whose name does not begin with its system."""
    query = """
        SELECT dataset, concat(dataset, ' (', "system", ')') FROM datasets
        WHERE "system" <> '' AND NOT starts_with(dataset, "system" || ':') AND dataset IN (SELECT unnest(?))
    """
    listed = sorted(map(str, {*names} - {None}))
    return {str(dataset): str(label) for dataset, label in store.ask(query, [listed]).rows}


def paths(store: OpenStore, start: str, end: str, limit: int, skip: Sequence[str] = ()) -> tuple[Answer, bool]:
    """Find the ways from one name to another, the shortest first; no dataset or column is passed twice.

    Returns:
        path (its number), step, source_dataset, source_column, target_dataset, target_column, dependency,
        transformation, masking, expression, job_name; and whether there are more ways.
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


_MOST_STEPS = 200_000
"""Ways that are looked at before the search ends; a dense graph has more than anybody reads."""


def _ways(edges: Sequence[Edge], start: Node, end: Node, limit: int) -> tuple[list[tuple[Edge, ...]], bool]:
    """Return the ways through some edges, the shortest first, those of one length in the order of their edges.

    The way that may become the shortest is followed first, with the fewest steps that are left from where it is.
    """
    after = _Following(edges)
    left = _steps_left(edges, after, end)
    found: list[tuple[Edge, ...]] = []
    ways: list[tuple[int, tuple[int, ...], Node, frozenset[Node]]] = [(0, (), start, frozenset([_low(start)]))]
    for _ in range(_MOST_STEPS):
        if not ways:
            return found, False
        _, way, here, passed = heappop(ways)
        if way and _is_at(here, end):
            if len(found) == limit:
                return found, True
            found.append(tuple(edges[number] for number in way))
            continue
        for number in after(here):
            target = _ends(edges[number])[1]
            if _low(target) in passed or _low(target) not in left:
                continue
            steps = len(way) + 1 + left[_low(target)]
            heappush(ways, (steps, (*way, number), target, passed | {_low(target)}))
    return found, True


class _Following:
    """The edges that begin at a node: at its column, a field or the struct of it, or at the whole dataset."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self._at: dict[Node, list[int]] = defaultdict(list)
        self._below: dict[Node, list[int]] = defaultdict(list)
        for number, edge in enumerate(edges):
            dataset, column = _low(_ends(edge)[0])
            self._at[dataset, column].append(number)
            for struct in ("", *_structs(column)) if column else ():
                self._below[dataset, struct].append(number)

    def __call__(self, node: Node) -> list[int]:
        """Return the numbers of the edges, in their order."""
        dataset, column = _low(node)
        names = {"", column, *_structs(column)}
        return sorted(
            chain(self._below.get((dataset, column), ()), *(self._at.get((dataset, each), ()) for each in names))
        )


def _structs(column: str) -> Iterator[str]:
    """Yield the names of the structs that a field is in: `a` and `a.b` of `a.b.c`."""
    return (column[:at] for at, char in enumerate(column) if char == ".")


def _steps_left(edges: Sequence[Edge], after: _Following, end: Node) -> dict[Node, int]:
    """Return the fewest edges from each node to an end; none for a node from which no edge leads there."""
    nodes = {_low(node): node for edge in edges for node in _ends(edge)}
    before: dict[Node, list[Node]] = defaultdict(list)
    for low, node in nodes.items():
        for number in after(node):
            before[_low(_ends(edges[number])[1])].append(low)
    return _distances([low for low, node in nodes.items() if _is_at(node, end)], before)


def _is_at(node: Node, end: Node) -> bool:
    return node[0] == end[0] and _meets(node[1], end[1])


def _ends(edge: Edge) -> tuple[Node, Node]:
    return (
        (str(edge["source_dataset"]), str(edge["source_column"] or "")),
        (str(edge["target_dataset"]), str(edge["target_column"] or "")),
    )


def _low(node: Node) -> Node:
    return node[0], node[1].lower()


def _meets(one: str, other: str) -> bool:
    """Return whether two columns are the same, or one of them is the whole dataset or a struct with the other."""
    one, other = one.lower(), other.lower()
    return not one or not other or one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def cycles(store: OpenStore) -> Answer:
    """Find the datasets that feed themselves through others: of each group of them the shortest circle.

    Returns:
        cycle (its number), datasets (how many feed one another), steps (the circle's datasets, the first one again at
        the end), dependency (DIRECT if values go all the way round), jobs.
    """
    found = store.ask(sql_text("queries/current_pairs"))
    pairs = {(str(source), str(target)): (list(jobs), direct) for source, target, jobs, direct in found.rows}  # type: ignore[call-overload]
    rows: list[tuple[object, ...]] = []
    for number, (group, circle) in enumerate(_circles(pairs), 1):
        steps = list(pairwise(circle))
        direct = all(pairs[step][1] for step in steps)
        jobs = sorted({str(job) for step in steps for job in pairs[step][0]})
        rows.append((number, group, circle, "DIRECT" if direct else "INDIRECT", jobs))
    return Answer(("cycle", "datasets", "steps", "dependency", "jobs"), rows)


def _circles(pairs: Collection[tuple[str, str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the size of each group of datasets that feed one another, and the shortest circle from its first one."""
    forth, back = _neighbors(pairs), _neighbors((target, source) for source, target in pairs)
    for group in sorted(_groups(forth, back), key=min):
        first = min(group)
        before = _reached(forth, first, group)
        circle = [first, before[first]]
        while circle[-1] != first:
            circle.append(before[circle[-1]])
        yield len(group), circle[::-1]


def _neighbors(pairs: Iterable[tuple[str, str]]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for one, other in pairs:
        found[one].append(other)
    return found


def _groups(forth: Mapping[str, Sequence[str]], back: Mapping[str, Sequence[str]]) -> Iterator[set[str]]:
    """Yield the groups of several datasets that feed one another.

    That of one dataset is what leads to it and is reached from it; each other group does one of the two, or neither.
    """
    parts = [forth.keys() & back.keys()]
    while parts:
        within = parts.pop()
        pivot = next(iter(within), "")
        ahead, before = (_reached(after, pivot, within).keys() for after in (forth, back))
        group = {pivot} | (ahead & before)
        if len(group) > 1:
            yield group
        parts += filter(None, (ahead - group, before - group, within - ahead - before - group))


def _reached(after: Mapping[str, Sequence[str]], start: str, within: Collection[str]) -> dict[str, str]:
    """Return the datasets that one leads on to, nearest first, each with the one before it; itself if on a circle."""
    before: dict[str, str] = {}
    queue = deque([start])
    while queue:
        dataset = queue.popleft()
        for other in after.get(dataset, ()):
            if other not in before and other in within:
                before[other] = dataset
                queue.append(other)
    return before
