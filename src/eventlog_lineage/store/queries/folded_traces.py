"""Traces that go through datasets without showing them: staging tables, temporary views."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from typing import Any

from eventlog_lineage.store.queries.open_store import Answer, OpenStore

TEMPORARY = "temp"
"""The pattern of all temporary views."""

_STRENGTH = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")
_SHORT = ("depth", "source", "target", "dependency", "transformation", "masked", "expression", "last_read", "job")

Edge = dict[str, Any]
Node = tuple[str, str | None]


def skipped_datasets(store: OpenStore, patterns: Iterable[str]) -> frozenset[str]:
    """Return the datasets that patterns name: `staging.*`, the end of a name, `temp` for temporary views.

    Args:
        patterns: The patterns, with `*`.
    """
    found = {(str(name), str(kind)) for name, kind in store.ask("SELECT dataset, kind FROM datasets").rows}
    words = [each.lower() for each in patterns if each != TEMPORARY]
    matches = [re.compile(f"(?:.*[./:])?{translate(each)}", re.DOTALL).match for each in words]
    temporary = TEMPORARY in patterns
    return frozenset(
        name for name, kind in found if (temporary and kind == "temp_view") or _matches(name.lower(), kind, matches)
    )


def _matches(name: str, kind: str, matches: Iterable[Callable[[str], object]]) -> bool:
    """Return whether a pattern matches a name, that of a temporary view with its application or without."""
    names = {name, name.partition("@")[0]} if kind == "temp_view" else {name}
    return any(match(each) for match in matches for each in names)


def folded(answer: Answer, skipped: Collection[str], start: Collection[str], *, up: bool, depth: int) -> Answer:
    """Return a trace without some datasets: edges to and from one are joined to edges past it.

    An edge past a dataset is DIRECT if both are, masks if one does, and is one hop. Other columns are those of the edge
    that is farther from the start. A dataset at which the trace begins stays.

    Args:
        answer: The rows of `trace`.
    """
    hidden = frozenset(skipped) - frozenset(start)
    edges = list(answer.records())
    near, far = ("target", "source") if up else ("source", "target")
    beyond = _by_end(edges, near)
    found: dict[tuple[object, ...], Edge] = {}
    for edge in edges:
        if edge[f"{near}_dataset"] not in hidden:
            for joined in _past(edge, hidden, beyond, far):
                key = tuple(joined.get(name) for name in _KEY)
                found[key] = _better(found.get(key), joined)
    hops = _hops(found.values(), start, near, far)
    placed = (
        {**edge, "depth": hops.get(str(edge[f"{near}_dataset"]), edge["depth"] - 1) + 1} for edge in found.values()
    )
    rows = [row for row in placed if row["depth"] <= depth]
    rows.sort(key=lambda row: (row["depth"], *(str(row.get(name) or "") for name in _KEY)))
    return Answer(answer.names, [tuple(row[name] for name in answer.names) for row in rows], answer.types)


_KEY = (
    "source_dataset",
    "source_column",
    "target_dataset",
    "target_column",
    "dependency",
    "transformation",
    "job_name",
    "user_name",
)


def _by_end(edges: Sequence[Edge], end: str) -> Mapping[str, list[Edge]]:
    found: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        found[str(edge[f"{end}_dataset"])].append(edge)
    return found


def _past(edge: Edge, hidden: frozenset[str], beyond: Mapping[str, list[Edge]], far: str) -> Iterator[Edge]:
    """Yield the edges that an edge becomes: itself, or joined ones past the datasets at its far end."""
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
            if _meets(current, other, far) and key not in seen:
                seen.add(key)
                queue.append(joined)


def _meets(edge: Edge, other: Edge, far: str) -> bool:
    """Return whether two edges have a column in common, or one of them is about the whole dataset."""
    near = "target" if far == "source" else "source"
    here, there = edge[f"{far}_column"], other[f"{near}_column"]
    if here is None or there is None:
        return True
    one, two = str(here).lower(), str(there).lower()
    return one == two or one.startswith(f"{two}.") or two.startswith(f"{one}.")


def _join(edge: Edge, other: Edge, far: str) -> Edge:
    near = "target" if far == "source" else "source"
    joined = {**other, **{name: edge[name] for name in edge if name.startswith(near)}}
    if other.get("dependency") == "DIRECT" and edge.get("dependency") == "DIRECT":
        kinds = [each for each in (edge["transformation"], other["transformation"]) if each in _STRENGTH]
        joined["transformation"] = max(kinds, key=_STRENGTH.index, default=None)
    elif other.get("dependency") == "DIRECT":
        joined["dependency"], joined["transformation"] = edge["dependency"], edge["transformation"]
    joined["masking"] = bool(edge.get("masking")) or bool(other.get("masking"))
    return joined


def _better(before: Edge | None, edge: Edge) -> Edge:
    """Return one edge for two between the same columns: it masks if both do."""
    if before is None:
        return edge
    return {**before, "masking": bool(before.get("masking")) and bool(edge.get("masking"))}


def _hops(edges: Iterable[Edge], start: Iterable[str], near: str, far: str) -> dict[str, int]:
    after: dict[str, set[str]] = defaultdict(set)
    for edge in edges:
        after[str(edge[f"{near}_dataset"])].add(str(edge[f"{far}_dataset"]))
    hops = dict.fromkeys(start, 0)
    queue = deque(hops)
    while queue:
        dataset = queue.popleft()
        for other in sorted(after[dataset] - hops.keys()):
            hops[other] = hops[dataset] + 1
            queue.append(other)
    return hops


def short_rows(answer: Answer) -> Answer:
    """Return a trace in the columns of its short form."""
    rows: list[tuple[object, ...]] = []
    edges: list[Edge] = list(answer.records())
    for edge in edges:
        reader = edge.get("last_read") is not None and edge["target_dataset"] is None
        target = f"read by {edge.get('user_name') or 'a query'}" if reader else _name(edge, "target")
        text = ", ".join(str(each) for each in edge.get("columns") or ()) if reader else edge.get("expression")
        masked = "yes" if edge.get("masked") else ""
        kinds = (edge.get("dependency"), edge.get("transformation"))
        source = _name(edge, "source")
        rows.append((edge["depth"], source, target, *kinds, masked, text, edge.get("last_read"), edge["job_name"]))
    return Answer(_SHORT, rows)


def _name(edge: Edge, end: str) -> str:
    return ".".join(str(part) for part in (edge[f"{end}_dataset"], edge[f"{end}_column"]) if part)
