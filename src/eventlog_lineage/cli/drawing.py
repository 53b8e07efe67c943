"""Traces as graphs: Mermaid for Markdown, DOT for Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from eventlog_lineage.safe_text import escape_controls

Edge = Mapping[str, object]

_WHOLE = "all columns"


@dataclass(slots=True)
class _Graph:
    """Datasets with their columns, and the arrows between them, each once.

    Attributes:
        places: Dataset to its columns, each with its node's name; the column is empty for the dataset itself.
        arrows: (source node, target node) to the kinds and whether one of them is DIRECT.
    """

    places: dict[str, dict[str, str]] = field(default_factory=dict)
    arrows: dict[tuple[str, str], tuple[list[str], bool]] = field(default_factory=dict)
    count: int = 0

    def node(self, dataset: str, column: str) -> str:
        columns = self.places.setdefault(dataset, {})
        if column not in columns:
            columns[column] = f"n{self.count}"
            self.count += 1
        return columns[column]


def _graph(edges: Iterable[Edge]) -> _Graph:
    graph = _Graph()
    for edge in edges:
        if edge["target_dataset"] is None:  # a query that writes nothing
            continue
        columns = edge["source_column"] is not None
        whole = _WHOLE if columns else ""
        ends = (
            graph.node(str(edge["source_dataset"]), str(edge["source_column"] or "")),
            graph.node(str(edge["target_dataset"]), str(edge["target_column"] or whole)),
        )
        kinds, direct = graph.arrows.get(ends, ([], False))
        kind = str(edge["transformation"] or "")
        if kind and kind not in kinds:
            kinds.append(kind)
        graph.arrows[ends] = kinds, direct or edge["dependency"] == "DIRECT"
    return graph


def draw_mermaid(edges: Iterable[Edge]) -> Iterator[str]:
    """Draw a trace as a Mermaid flowchart, a line at a time; what only influences is dashed."""
    graph = _graph(edges)
    yield "flowchart LR"
    for number, (dataset, columns) in enumerate(graph.places.items()):
        if set(columns) == {""}:
            yield f"  {columns['']}[{_mermaid(dataset)}]"
            continue
        yield f"  subgraph d{number}[{_mermaid(dataset)}]"
        yield from (f"    {node}[{_mermaid(column or dataset)}]" for column, node in columns.items())
        yield "  end"
    for (source, target), (kinds, direct) in graph.arrows.items():
        label = f"|{_mermaid(', '.join(kinds))}|" if kinds else ""
        yield f"  {source} {'-->' if direct else '-.->'}{label} {target}"


def draw_dot(edges: Iterable[Edge]) -> Iterator[str]:
    """Draw a trace as a Graphviz digraph, a line at a time; what only influences is dashed."""
    graph = _graph(edges)
    yield "digraph lineage {"
    yield "  rankdir=LR; node [shape=box];"
    for number, (dataset, columns) in enumerate(graph.places.items()):
        if set(columns) == {""}:
            yield f"  {columns['']} [label={_dot(dataset)}];"
            continue
        yield f"  subgraph cluster_{number} {{"
        yield f"    label={_dot(dataset)};"
        yield from (f"    {node} [label={_dot(column or dataset)}];" for column, node in columns.items())
        yield "  }"
    for (source, target), (kinds, direct) in graph.arrows.items():
        style = "" if direct else ", style=dashed"
        yield f"  {source} -> {target} [label={_dot(', '.join(kinds))}{style}];"
    yield "}"


def _mermaid(text: str) -> str:
    return '"' + escape_controls(text).replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;") + '"'


def _dot(text: str) -> str:
    return '"' + escape_controls(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
