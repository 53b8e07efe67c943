"""Traces as graphs: Mermaid for Markdown, DOT for Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.safe_text import escape_controls

from .tree import Trace

Edge = Mapping[str, object]
Asked = Trace | Sequence[Trace] | None

MOST_TABLES = 50
"""Tables that are drawn with their columns; of more, nobody can read them."""

_WHOLE = "all columns"
_READER = "\x00reader"
"""The dataset of a consumer, which is drawn outside of all tables."""


@dataclass(slots=True)
class _Graph:
    """Datasets with their columns, and the distinct arrows between them.

    Attributes:
        places: Dataset to its columns, each with its node's name; the column is empty for the dataset itself.
        arrows: (source node, target node) to the kinds and whether one of them is DIRECT.
        asked: The nodes that were asked for.
        left_out: A sentence on what is not drawn; empty if everything is.
        labels: Dataset to what is shown for it, if that is more than its name.
    """

    places: dict[str, dict[str, str]] = field(default_factory=dict)
    arrows: dict[tuple[str, str], tuple[list[str], bool]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    left_out: str = ""
    count: int = 0
    labels: dict[str, str] = field(default_factory=dict)

    def label(self, dataset: str) -> str:
        return self.labels.get(dataset, dataset)

    def node(self, dataset: str, column: str) -> str:
        columns = self.places.setdefault(dataset, {})
        if column not in columns:
            columns[column] = f"n{self.count}"
            self.count += 1
        return columns[column]


def _graph(edges: Iterable[Edge], asked: Asked, detail: str) -> _Graph:
    graph, edges = _Graph(), list(edges)
    tables = {edge[end] for edge in edges for end in ("source_dataset", "target_dataset")}
    columns = detail == "columns" or (detail == "auto" and len(tables) <= MOST_TABLES)
    if not columns and any(edge["source_column"] is not None for edge in edges):
        graph.left_out = f"{len(tables - {None})} tables: columns are left out, --detail columns draws them"
    for edge in edges:
        _add(graph, edge, columns=columns)
    traces = [asked] if isinstance(asked, Trace) else asked or []
    for trace in traces if edges else []:
        graph.labels |= trace.labels
        graph.asked += [node for node in _asked(graph, trace, columns=columns) if node not in graph.asked]
    return graph


def _add(graph: _Graph, edge: Edge, *, columns: bool) -> None:
    """Add the arrow of an edge, with its kind; a node has none to itself."""
    ends = _ends(graph, edge, columns=columns)
    if ends[0] == ends[1]:
        return
    kinds, direct = graph.arrows.get(ends, ([], False))
    kind = str(edge["transformation"] or "")
    if kind and kind not in kinds and columns:
        kinds.append(kind)
    graph.arrows[ends] = kinds, direct or edge["dependency"] == "DIRECT"


def _ends(graph: _Graph, edge: Edge, *, columns: bool) -> tuple[str, str]:
    """Return the nodes of an edge's ends.

    Args:
        graph: The graph; gets the nodes.
    """
    whole = _WHOLE if columns and edge["source_column"] is not None else ""
    source = graph.node(str(edge["source_dataset"]), str(edge["source_column"] or "") if columns else "")
    if edge["target_dataset"] is None:
        who = f" ({edge['user_name']})" if edge.get("user_name") else ""
        return source, graph.node(_READER, f"{edge['job_name']}{who}")
    return source, graph.node(str(edge["target_dataset"]), str(edge["target_column"] or whole) if columns else "")


def _asked(graph: _Graph, trace: Trace, *, columns: bool) -> list[str]:
    """Return the nodes of what was asked for: the column and its fields, or the dataset."""
    column = trace.column.lower() if columns else ""
    found = graph.places.get(trace.dataset, {}).items()
    near = [node for name, node in found if name.lower() == column or name.lower().startswith(f"{column}.")]
    return near or [graph.node(trace.dataset, trace.column if columns else "")]


def draw_mermaid(edges: Iterable[Edge], asked: Asked = None, detail: str = "auto") -> Iterator[str]:
    """Draw a trace as a Mermaid flowchart, a line at a time; what only influences is dashed.

    Args:
        asked: What was asked for; it is marked.
        detail: `columns`, `tables`, or `auto` for columns of up to 50 tables.
    """
    graph = _graph(edges, asked, detail)
    yield "flowchart LR"
    if graph.left_out:
        yield f"  %% {graph.left_out}"
    for number, (dataset, columns) in enumerate(graph.places.items()):
        if dataset == _READER:
            yield from (f"  {node}([{_mermaid(who)}])" for who, node in columns.items())
        elif set(columns) == {""}:
            yield f"  {columns['']}[{_mermaid(graph.label(dataset))}]"
        else:
            yield f"  subgraph d{number}[{_mermaid(graph.label(dataset))}]"
            yield from (f"    {node}[{_mermaid(column or dataset)}]" for column, node in columns.items())
            yield "  end"
    for (source, target), (kinds, direct) in graph.arrows.items():
        label = f"|{_mermaid(', '.join(kinds))}|" if kinds else ""
        yield f"  {source} {'-->' if direct else '-.->'}{label} {target}"
    if graph.asked:
        yield "  classDef asked stroke-width:4px,font-weight:bold"
        yield f"  class {','.join(graph.asked)} asked"


def draw_dot(edges: Iterable[Edge], asked: Asked = None, detail: str = "auto") -> Iterator[str]:
    """Draw a trace as a Graphviz digraph, a line at a time; what only influences is dashed.

    Args:
        asked: What was asked for; it is marked.
        detail: `columns`, `tables`, or `auto` for columns of up to 50 tables.
    """
    graph = _graph(edges, asked, detail)
    yield "digraph lineage {"
    yield "  rankdir=LR; node [shape=box];"
    if graph.left_out:
        yield f"  // {graph.left_out}"
    for number, (dataset, columns) in enumerate(graph.places.items()):
        if dataset == _READER:
            yield from (f"  {node} [label={_dot(who)}, shape=ellipse];" for who, node in columns.items())
        elif set(columns) == {""}:
            yield f"  {columns['']} [label={_dot(graph.label(dataset))}];"
        else:
            yield f"  subgraph cluster_{number} {{"
            yield f"    label={_dot(graph.label(dataset))};"
            yield from (f"    {node} [label={_dot(column or dataset)}];" for column, node in columns.items())
            yield "  }"
    for (source, target), (kinds, direct) in graph.arrows.items():
        style = "" if direct else ", style=dashed"
        yield f"  {source} -> {target} [label={_dot(', '.join(kinds))}{style}];"
    yield from (f"  {node} [penwidth=3];" for node in graph.asked)
    yield "}"


def _mermaid(text: str) -> str:
    return '"' + escape_controls(text).replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;") + '"'


def _dot(text: str) -> str:
    return '"' + escape_controls(text).replace("\\", "\\\\").replace('"', '\\"') + '"'
