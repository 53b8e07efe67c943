"""Tables that fit a terminal; traces as trees for a terminal, as Mermaid for Markdown, as DOT for Graphviz."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat, zip_longest

from eventlog_lineage.safe_text import escape_controls

GAP = "  "
"""What separates two columns."""

_NARROWEST = 16
"""Columns narrower than this are not worth reading: the rows are written one below the other instead."""

_DATASETS = frozenset(
    (
        "dataset source target source_dataset target_dataset reads sources targets depends asked name full_name "
        "joined_dataset via waiting steps changed affected old_value new_value"
    ).split()
)
"""Columns of names of datasets."""

_CATALOG = re.compile(r"(?<![\w./:-])([A-Za-z_][\w-]*)\.(?=[^\s.,]+\.[^\s.,])")
_SECONDS = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d):\d\d$")
_BREAK = re.compile(r"\(?[^\s./,;:()=|]*(?:[./,;:)=|]+\s*|\s+|$|(?=\())")
"""A piece of a text that stays on one line where it fits."""

_WORD_BREAK = re.compile(r"[^_-]*(?:[_-]+|$)")
"""A piece of a longer piece."""

_FEWEST = 3
"""Columns that a table has at least; rows of fewer are written as lines of name and value."""

_LONGEST_PIECE = 32
"""A column is so wide that pieces up to this length stay whole."""


def drop_catalog(names: Sequence[str], columns: Sequence[list[str]]) -> list[list[str]]:
    """Return columns of texts without the catalog's name, where all names of datasets have the same one."""
    texts = [text for name, column in zip(names, columns, strict=True) if name in _DATASETS for text in column]
    catalogs = {match[1] for text in set(texts) for match in _CATALOG.finditer(text)}
    if len(catalogs) != 1:
        return list(columns)
    prefix = re.compile(rf"(?<![\w./:-]){re.escape(catalogs.pop())}\.(?=[^\s.,]+\.[^\s.,])")
    return [
        [prefix.sub("", text) for text in column] if name in _DATASETS else column
        for name, column in zip(names, columns, strict=True)
    ]


def plain_table(names: Sequence[str], columns: Sequence[list[str]]) -> Iterator[str]:
    """Yield the lines of a table for other programs: a row a line, as wide as its values."""
    padded = [_padded(name, column) for name, column in zip(names, columns, strict=True)]
    return (GAP.join(row).rstrip() for row in zip(*padded, strict=True))


def fitted_table(names: Sequence[str], columns: Sequence[list[str]], width: int) -> Iterator[str]:
    """Yield the lines of a table that fits a width: its title line, a rule, and the rows, wrapped.

    Columns without a value are left out. Where the columns would get too narrow, the last ones are left out and named
    below the table; where even the first ones do not fit, each row is written as lines of name and value.
    """
    kept = [(name, column) for name, column in zip(names, columns, strict=True) if any(column)]
    names, columns = [name for name, _ in kept], [column for _, column in kept]
    natural = _natural(names, columns)
    if sum(natural) + len(GAP) * (len(names) - 1) > width:
        columns = [[_SECONDS.sub(r"\1", cell) for cell in column] for column in columns]
        natural = _natural(names, columns)
    needs = list(map(_least, natural, columns))
    fitting = _fitting(needs, width)
    if fitting < min(_FEWEST, len(names)):
        yield from _records(names, columns, width)
        return
    widths = _shares(natural[:fitting], width - len(GAP) * (fitting - 1), needs[:fitting])
    yield from _rows(names[:fitting], columns[:fitting], widths)
    if left_out := names[fitting:]:
        yield from wrapped(f"Not shown: {', '.join(left_out)}; choose with --columns, or --format csv.", width)


def _rows(names: Sequence[str], columns: Sequence[list[str]], widths: Sequence[int]) -> Iterator[str]:
    """Yield the title line, a rule and the rows."""
    numbers = [all(re.fullmatch(r"-?[\d.]*", cell) for cell in column) for column in columns]
    yield from _row(names, widths, numbers)
    yield GAP.join("─" * share for share in widths)
    for row in zip(*columns, strict=True):
        yield from _row(row, widths, numbers)


def _natural(names: Sequence[str], columns: Sequence[list[str]]) -> list[int]:
    return [max(map(cells, (name, *column))) for name, column in zip(names, columns, strict=True)]


def _least(natural: int, column: Sequence[str]) -> int:
    return min(natural, max(_NARROWEST, _longest_piece(column)))


def _fitting(needs: Sequence[int], width: int) -> int:
    """Return how many of the first columns fit a width, each with what it needs at least."""
    total = 0
    for count, need in enumerate(needs):
        total += need + (len(GAP) if count else 0)
        if total > width:
            return count
    return len(needs)


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines of a width, broken after dots and other punctuation where that is possible.

    >>> wrapped("staging.orders.amount", 10)
    ['staging.', 'orders.', 'amount']
    """
    if cells(text) <= width:
        return [text]
    lines, line = [], ""
    for piece in _pieces(text, width):
        if line and cells(line) + cells(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        rest = piece
        while cells(rest.rstrip()) > width:
            head = _head(rest, width)
            lines.append(head)
            rest = rest[len(head) :]
        line += rest
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str, width: int) -> Iterator[str]:
    """Yield a text in pieces that do not break names, but for those that are wider than a line."""
    for piece in _BREAK.findall(text):
        if cells(piece.rstrip()) <= width:
            yield piece
        else:
            yield from _WORD_BREAK.findall(piece)


def _longest_piece(column: Sequence[str]) -> int:
    pieces = (cells(piece.rstrip()) for cell in set(column) for piece in _BREAK.findall(cell))
    return max((size for size in pieces if size <= _LONGEST_PIECE), default=0)


@lru_cache(maxsize=100_000)
def cells(text: str) -> int:
    """Return the cells that a text takes on a terminal: East Asian letters take two, combining ones none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def _head(text: str, width: int) -> str:
    """Return the beginning of a text that fits; at least one character."""
    at = max(1, width)
    while at > 1 and cells(text[:at]) > width:
        at -= 1
    return text[:at]


def _padded(name: str, column: list[str]) -> list[str]:
    """Return a column with its name on top, all of one width."""
    known = {cell: cells(cell) for cell in {name, *column}}
    width = max(known.values())
    wide = {cell: cell + " " * (width - size) for cell, size in known.items()}
    return [wide[name], *map(wide.__getitem__, column)]


def _shares(natural: Sequence[int], room: int, least: Sequence[int]) -> list[int]:
    """Distribute the width: narrow columns get their own width, wide ones share the rest equally."""
    cap = max(natural, default=0)
    while cap > 1 and sum(map(_share, natural, least, repeat(cap))) > room:
        cap -= 1
    widths = list(map(_share, natural, least, repeat(cap)))
    for at, need in enumerate(natural):  # what is left over goes to the first wide columns
        if widths[at] < need and sum(widths) < room:
            widths[at] += min(need - widths[at], room - sum(widths))
    return widths


def _share(natural: int, least: int, cap: int) -> int:
    return max(min(natural, cap), least)


def _row(row: Sequence[str], widths: Sequence[int], numbers: Sequence[bool]) -> Iterator[str]:
    parts = [wrapped(cell, share) for cell, share in zip(row, widths, strict=True)]
    for line in zip_longest(*parts, fillvalue=""):
        filled = (
            " " * (share - cells(part)) + part if right else part + " " * (share - cells(part))
            for part, share, right in zip(line, widths, numbers, strict=True)
        )
        yield GAP.join(filled).rstrip()


def _records(names: Sequence[str], columns: Sequence[list[str]], width: int) -> Iterator[str]:
    label = max(map(cells, names))
    for number, row in enumerate(zip(*columns, strict=True)):
        if number:
            yield ""
        for name, cell in zip(names, row, strict=True):
            lines = wrapped(cell, max(width - label - len(GAP), 10)) if cell else []
            for place, line in enumerate(lines):
                yield f"{(name if place == 0 else '').ljust(label)}{GAP}{line}"


Edge = Mapping[str, object]
Node = tuple[str, str]

_MOST_LINES = 3
"""Lines of an expression on a terminal; a pipe gets all of it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What was asked for.

    Attributes:
        column: The column as asked for; empty for the whole dataset.
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
    masked: bool = False
    note: str = ""


def draw_tree(edges: Sequence[Edge], trace: Trace, width: int | None = None) -> Iterator[str]:
    """Draw a trace as a tree, a line at a time; what was drawn already is not drawn again."""
    tree = _Tree(edges, trace)
    root = (trace.dataset, trace.column)
    yield from _lines(tree.label(root), "", "", "", width)
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
            text, f"{shown}{branch}", f"{shown}{below}{'│  ' if further else '   '}", step.expression, width
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
        if edge["target_dataset"] is None:
            columns = edge.get("columns")
            read = ", ".join(map(str, columns)) if isinstance(columns, list) else ""
            return _Step(("", f"◇ {_reader(edge)}"), note=escape_controls(f" reads {read or 'it'}"))
        far = "source" if self._up else "target"
        node = (str(edge[f"{far}_dataset"]), str(edge[f"{far}_column"] or ""))
        kinds = [str(kind)] if (kind := edge.get("transformation")) else []
        note = " (all columns)" if edge["source_column"] is not None and not node[1] else ""
        return _Step(node, kinds, str(edge.get("expression") or ""), edge.get("masked") is True, note)


def _reader(edge: Edge) -> str:
    """Return a consumer: the job and the user."""
    return f"{edge['job_name']} ({edge['user_name']})" if edge.get("user_name") else str(edge["job_name"])


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


def _lines(text: str, first: str, rest: str, more: str, width: int | None) -> Iterator[str]:
    room = None if width is None else max(width - cells(rest), 20)
    lines = [text] if room is None else wrapped(text, room)
    expression = escape_controls(" ".join(more.split()))
    if expression:
        lines += [expression] if room is None else _cut(wrapped(expression, room), room)
    for number, line in enumerate(lines):
        yield f"{first if number == 0 else rest}{line}".rstrip()


def _cut(lines: list[str], room: int) -> list[str]:
    """Return the first lines of an expression, with a mark where more follow."""
    last = _MOST_LINES - 1
    return lines if len(lines) <= _MOST_LINES else [*lines[:last], f"{lines[last][: room - 1]}…"]


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
        left_out: A sentence on what is not drawn; empty if everything is.
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


def _graph_of(edges: Iterable[Edge], asked: Asked, detail: str) -> _Graph:
    graph, edges = _Graph(), list(edges)
    tables = {edge[end] for edge in edges for end in ("source_dataset", "target_dataset")}
    columns = detail == "columns" or (detail == "auto" and len(tables) <= MOST_TABLES)
    if not columns and any(edge["source_column"] is not None for edge in edges):
        graph.left_out = f"{len(tables - {None})} tables: columns are left out, --detail columns draws them"
    for edge in edges:
        _add(graph, edge, columns=columns)
    if edges:
        _mark(graph, asked, columns=columns)
    return graph


def _mark(graph: _Graph, asked: Asked, *, columns: bool) -> None:
    for trace in [asked] if isinstance(asked, Trace) else asked or ():
        graph.labels |= trace.labels
        graph.asked += [node for node in _asked(graph, trace, columns=columns) if node not in graph.asked]


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
    """Return the nodes of an edge's ends."""
    whole = _WHOLE if columns and edge["source_column"] is not None else ""
    source = graph.node(str(edge["source_dataset"]), str(edge["source_column"] or "") if columns else "")
    if edge["target_dataset"] is None:
        return source, graph.node(_READER, _reader(edge))
    return source, graph.node(str(edge["target_dataset"]), str(edge["target_column"] or whole) if columns else "")


def _asked(graph: _Graph, trace: Trace, *, columns: bool) -> list[str]:
    """Return the nodes of what was asked for: the column and its fields, or the dataset."""
    column = trace.column.lower() if columns else ""
    found = graph.places.get(trace.dataset, {}).items()
    near = [node for name, node in found if name.lower() == column or name.lower().startswith(f"{column}.")]
    return near or [graph.node(trace.dataset, trace.column if columns else "")]


@dataclass(frozen=True, slots=True)
class _Notation:
    """How a language writes the nodes of a graph.

    Attributes:
        node: The line of a node; that of a consumer is `reader`.
        group: The line before the columns of a dataset, and `end` the line after them.
    """

    quoted: Callable[[str], str]
    comment: str
    node: str
    reader: str
    group: str
    end: str

    def nodes(self, graph: _Graph) -> Iterator[str]:
        """Yield the lines of the nodes: a group for each dataset with columns."""
        if graph.left_out:
            yield f"  {self.comment} {graph.left_out}"
        for number, (dataset, columns) in enumerate(graph.places.items()):
            title = self.quoted(graph.label(dataset))
            if dataset == _READER:
                yield from (f"  {self.reader.format(node, self.quoted(who))}" for who, node in columns.items())
            elif set(columns) == {""}:
                yield f"  {self.node.format(columns[''], title)}"
            else:
                yield f"  {self.group.format(number, title)}"
                names = ((node, self.quoted(column or dataset)) for column, node in columns.items())
                yield from (f"    {self.node.format(*each)}" for each in names)
                yield f"  {self.end}"


def draw_mermaid(edges: Iterable[Edge], asked: Asked = None, detail: str = "auto") -> Iterator[str]:
    """Draw a trace as a Mermaid flowchart, a line at a time; what only influences is dashed, what was asked for marked.

    Args:
        detail: `columns`, `tables`, or `auto` for columns of up to 50 tables.
    """
    graph = _graph_of(edges, asked, detail)
    yield "flowchart LR"
    yield from _MERMAID.nodes(graph)
    for (source, target), (kinds, direct) in graph.arrows.items():
        label = f"|{_mermaid(', '.join(kinds))}|" if kinds else ""
        yield f"  {source} {'-->' if direct else '-.->'}{label} {target}"
    if graph.asked:
        yield "  classDef asked stroke-width:4px,font-weight:bold"
        yield f"  class {','.join(graph.asked)} asked"


def draw_dot(edges: Iterable[Edge], asked: Asked = None, detail: str = "auto") -> Iterator[str]:
    """Draw a trace as a Graphviz digraph, as `draw_mermaid` does."""
    graph = _graph_of(edges, asked, detail)
    yield "digraph lineage {"
    yield "  rankdir=LR; node [shape=box];"
    yield from _DOT.nodes(graph)
    for (source, target), (kinds, direct) in graph.arrows.items():
        style = "" if direct else ", style=dashed"
        yield f"  {source} -> {target} [label={_dot(', '.join(kinds))}{style}];"
    yield from (f"  {node} [penwidth=3];" for node in graph.asked)
    yield "}"


def _mermaid(text: str) -> str:
    return '"' + escape_controls(text).replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;") + '"'


def _dot(text: str) -> str:
    return '"' + escape_controls(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


_MERMAID = _Notation(_mermaid, "%%", "{}[{}]", "{}([{}])", "subgraph d{}[{}]", "end")
_DOT = _Notation(
    _dot, "//", "{} [label={}];", "{} [label={}, shape=ellipse];", "subgraph cluster_{} {{\n    label={};", "}"
)
