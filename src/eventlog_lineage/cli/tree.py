"""Traces as trees for a terminal: each source, or target, below what it leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.safe_text import escape_controls

from .table import cells, drop_catalog, wrapped

Edge = Mapping[str, object]
Node = tuple[str, str]

_MOST_LINES = 3
"""Lines of an expression on a terminal; a pipe gets all of it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What was asked for.

    Attributes:
        dataset: The dataset.
        column: The column as asked for; empty for the whole dataset.
        up: Towards the sources.
        views: Datasets that are temporary views of one application.
        labels: Dataset to what drawings show for it, if that is more than its name.
    """

    dataset: str
    column: str
    up: bool
    views: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(slots=True)
class _Step:
    """One line of the tree: a node next to another one, and how they depend on each other."""

    node: Node
    kinds: list[str] = field(default_factory=list)
    expression: str = ""
    masked: bool | None = None
    note: str = ""


def draw_tree(edges: Sequence[Edge], trace: Trace, width: int | None = None) -> Iterator[str]:
    """Draw a trace as a tree, a line at a time; what was drawn already is not drawn again.

    Args:
        width: Cells of the terminal; None for any.
    """
    tree = _Tree(edges, trace)
    root = (trace.dataset, trace.column)
    yield from _lines(tree.label(root), "", "", [], width)
    stack: list[tuple[str, list[_Step]]] = [("", tree.steps(root))]
    seen = {_key(root)}
    while stack:
        indent, steps = stack[-1]
        if not steps:
            stack.pop()
            continue
        step = steps.pop(0)
        branch, below = ("├─ ", "│  ") if steps else ("└─ ", "   ")
        further = tree.steps(step.node) if _key(step.node) not in seen else []
        is_again = _key(step.node) in seen and tree.has_steps(step.node)
        seen.add(_key(step.node))
        text = f"{tree.label(step.node)}{step.note}{_facts(step)}{' (see above)' if is_again else ''}"
        shown = _short(indent, len(stack), width)
        yield from _lines(
            text, f"{shown}{branch}", f"{shown}{below}{'│  ' if further else '   '}", [step.expression], width
        )
        stack.append((f"{indent}{below}", further))


class _Tree:
    """The edges of a trace by the node that they are drawn below."""

    def __init__(self, edges: Sequence[Edge], trace: Trace) -> None:
        self._up = trace.up
        self._views = trace.views
        self._by_dataset: dict[str, list[Edge]] = {}
        near = "target_dataset" if trace.up else "source_dataset"
        for edge in edges:
            self._by_dataset.setdefault(str(edge[near]), []).append(edge)
        names = [str(edge[end]) for edge in edges for end in ("source_dataset", "target_dataset") if edge[end]]
        names.append(trace.dataset)
        self._names = dict(zip(names, drop_catalog(["dataset"], [names])[0], strict=True))
        self._whole: set[str] = set()

    def label(self, node: Node) -> str:
        """Return a node's name."""
        dataset, column = node
        shown, _, owner = self._names.get(dataset, dataset).partition("@" if dataset in self._views else "\0")
        name = ".".join(part for part in (shown, column) if part)
        kind = f"temporary view of {owner}" if owner else "temporary view"
        return escape_controls(f"{name} ({kind})" if dataset in self._views else name)

    def has_steps(self, node: Node) -> bool:
        """Return whether anything is drawn below a node."""
        return any(self._is_of(edge, node) for edge in self._by_dataset.get(node[0], ()))

    def steps(self, node: Node) -> list[_Step]:
        """Return the steps below a node; influences on a whole dataset are drawn below its first column."""
        found: dict[tuple[Node, bool], _Step] = {}
        again = node[0] in self._whole
        for edge in self._by_dataset.get(node[0], ()):
            if not self._is_of(edge, node):
                continue
            is_whole = self._up and edge["target_column"] is None and edge["source_column"] is not None
            if is_whole and again:
                continue
            if is_whole:
                self._whole.add(node[0])
            step = self._step(edge)
            known = found.setdefault((_key(step.node), is_whole), step)
            known.kinds += [kind for kind in step.kinds if kind not in known.kinds]
        return list(found.values())

    def _is_of(self, edge: Edge, node: Node) -> bool:
        """Return whether an edge begins (or, upwards, ends) at a node, its fields or the structs around it."""
        end = edge["target_column"] if self._up else edge["source_column"]
        mine, other = node[1].lower(), str(end or "").lower()
        if not mine or not other:
            return True
        return mine == other or mine.startswith(f"{other}.") or other.startswith(f"{mine}.")

    def _step(self, edge: Edge) -> _Step:
        far = "source" if self._up else "target"
        if edge["target_dataset"] is None:
            columns = edge.get("columns")
            note = f" reads {', '.join(map(str, columns))}" if isinstance(columns, list) and columns else " reads it"
            who = f"{edge['job_name']} ({edge['user_name']})" if edge.get("user_name") else str(edge["job_name"])
            return _Step(("", f"◇ {who}"), note=escape_controls(note))
        node = (str(edge[f"{far}_dataset"]), str(edge[f"{far}_column"] or ""))
        kind = str(edge.get("transformation") or "")
        note = " (all columns)" if edge["source_column"] is not None and not node[1] else ""
        masked = edge.get("masked")
        text = str(edge.get("expression") or "")
        return _Step(node, [kind] if kind else [], text, masked if isinstance(masked, bool) else None, note)


def _key(node: Node) -> Node:
    return node[0], node[1].lower()


def _facts(step: _Step) -> str:
    words = [", ".join(step.kinds)] if step.kinds else []
    if step.masked:
        words.append("masked")
    return f"  {escape_controls('; '.join(words))}" if words else ""


def _short(indent: str, depth: int, width: int | None) -> str:
    """Return an indent that leaves room: at great depth, a number replaces the lines on the left."""
    if width is None or len(indent) <= width // 2:
        return indent
    return f"[{depth}] "


def _lines(text: str, first: str, rest: str, more: Sequence[str], width: int | None) -> Iterator[str]:
    room = None if width is None else max(width - cells(rest), 20)
    lines = [text] if room is None else wrapped(text, room)
    for line in (" ".join(each.split()) for each in more):
        if line and room is not None:
            parts = wrapped(escape_controls(line), room)
            lines += (
                parts
                if len(parts) <= _MOST_LINES
                else [*parts[: _MOST_LINES - 1], f"{parts[_MOST_LINES - 1][: room - 1]}…"]
            )
        elif line:
            lines.append(escape_controls(line))
    for number, line in enumerate(lines):
        yield f"{first if number == 0 else rest}{line}".rstrip()
