"""Complete the lists that Spark truncated in an analyzed plan by those that the user wrote.

The parsed plan of extended text has `'Project [ArrayBuffer(s).*, 'g.country]` for 45 columns. The SQL shell and the
Thrift server write a statement's SQL to the job description (`SparkSQLDriver.run`, `SparkExecuteStatementOperation`,
2.4 to 4.3), which has all items of a list. Names are resolved among the columns below the list. A list fits if it has
as many items, and the attributes and aliases of the printed part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate
from typing import NamedTuple

from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID, attribute_of, ids_in, read_attribute
from eventlog_lineage.plan.grammar.symbols import EMPTY, NAMED, Listed, inner, is_list, read, read_arguments, split
from eventlog_lineage.plan.tree.nodes import PlanNode
from eventlog_lineage.plan.tree.tree_strings import TRUNCATED_LIST, WideTables, read_lines, read_logical
from eventlog_lineage.plan.tree.truncation import relation_ids

from .parsed_clauses import Column, ExprIds, NameResolver, Relation, Scope, alias_of, without_wrappers
from .sql_expressions import NO_ID, WrittenLists

Lists = Sequence[Sequence[str]]
"""The lists of an operator: the items of a projection; the keys and the results of an aggregate."""

_LISTS = re.compile(r"[~']?(?:Project|Aggregate) (\[.*\])", re.DOTALL)
_STAR = re.compile(r"(?:\w*(?:Buffer|List)\((.*)\)\.|(\w+)\.)?\*")
_ATTRIBUTE = re.compile(rf"(?<![\w.$-])([A-Za-z_]\w*){CAPTURED_ID}")
_FIELD = re.compile(r"^ \|-- (.*?): [a-z]", re.MULTILINE)
_MORE = " more fields]"
_ADDING = frozenset({"Generate", "Window"})
_LISTING = _ADDING | {"Aggregate", "Project", "View"}
_ONE_SIDE = ("LeftSemi", "LeftAnti")
_KEYED = ("Sort [", "Window [")
"""Operators whose keys no list of the query has."""
_IF = "'if("
"""A call before analysis, which prints `if (a) b else c`."""
_MOST_LINES = 100_000
"""Lines that completing a plan may read: each truncated list reads the plan again, and tries the lists written."""
_OVER = " windowspecdefinition("
"""A window's function: a projection below the window computes the other items (`ExtractWindowExpressions`)."""


def with_query_lists(
    analyzed: str, parsed: str, sql: WrittenLists, wide: WideTables, scans: Sequence[Sequence[str]] = ()
) -> str:
    """Return an analyzed plan with the lists that the parsed plan or the SQL text completes; the same plan if none.

    Args:
        sql: The lists in the SQL text; empty if the log does not have it.
        wide: The tables whose columns are known.
        scans: The names of the columns of the physical plan's scans: a relation of files has those of a scan of all.
    """
    if _MORE not in analyzed:
        return analyzed
    labels = [line.label for line in read_lines(analyzed.strip("\n"))]
    truncated = [label for label in labels if _MORE in label]
    if any(label.startswith(_KEYED) for label in truncated):
        return analyzed
    written = [lists for line in read_lines(parsed.strip("\n")) if (lists := _lists_of(line.label))]
    written = [lists for lists in written if not any(_IF in item for items in lists for item in items)]
    below = [tuple(tuple(item for item in each if _OVER not in item) for each in lists) for lists in written]
    written += [each for each in below if each not in written]
    if len(truncated) * len(labels) * (1 + len(written) + len(sql)) > _MOST_LINES:
        return analyzed
    return _Completion(analyzed, labels, (written, sql), wide, scans).text


def _lists_of(label: str) -> tuple[tuple[str, ...], ...]:
    """Return the lists of a projection or an aggregate; none if Spark truncated one, or for another operator."""
    match = _LISTS.fullmatch(label)
    if match is None or _MORE in label:
        return ()
    return tuple(tuple(split(NAMED, inner(each))) for each in read_arguments(match[1]) if is_list(each))


class _Completion:
    """Completes the lists of one plan, from the leaves to the root.

    Args:
        analyzed: The plan; `text` is the completed one.
        labels: The operators of its lines.
        written: The lists of the parsed plan, and those of the SQL text, which are less precise.
    """

    def __init__(
        self,
        analyzed: str,
        labels: Sequence[str],
        written: tuple[Sequence[Lists], Sequence[Lists]],
        wide: WideTables,
        scans: Sequence[Sequence[str]],
    ) -> None:
        self.text = analyzed
        self._scans = scans
        self._written = written
        self._wide = wide
        self._expr_ids = ExprIds()
        self._used: list[Lists] = []
        ends = accumulate(labels, lambda end, label: analyzed.index(label, end) + len(label), initial=0)
        for (at, label), end in reversed([*zip(enumerate(labels), [*ends][1:], strict=True)]):
            match = _LISTS.fullmatch(label)
            if match and _MORE in match[1]:
                self._complete(at, match[1], end)

    def _complete(self, at: int, text: str, end: int) -> None:
        """Complete the lists of the operator in a line, unless nothing fits, or different lists do.

        Args:
            end: The end of the line, above which nothing is completed yet.
        """
        nodes = {node.operator_id: node for node in _outside_views(read_logical(self.text, self._wide).root)}
        if at not in nodes or len(nodes[at].children) != 1:
            return
        whole, cut = self._found(nodes[at], [read(NAMED, inner(each)) for each in read_arguments(text)])
        rest = self.text[end:]
        for each in cut:
            rest = rest.replace(each.text, each.with_named())
        self.text = f"{self.text[: end - len(text)]}{whole or text}{rest}"

    def _found(self, node: PlanNode, printed: Sequence[Listed]) -> tuple[str, Sequence[_Cut]]:
        """Return the lists of an operator, with the relations of which they name columns; empty if they are unclear."""
        child, (parsed, sql) = node.children[0], self._written
        found = self._fitting(printed, parsed, child) or self._fitting(printed, sql, child)
        if found or len(printed) != 1:
            return found.popitem() if len(found) == 1 else ("", ())
        is_below_command = node.operator_id == 1 and child.operator != "Window"
        return (self._cast if is_below_command else self._above_window)(printed[0], child), ()

    def _fitting(self, printed: Sequence[Listed], written: Sequence[Lists], child: PlanNode) -> dict[str, list[_Cut]]:
        """Return the lists that an operator can have, with the relations of which they name columns."""
        found: dict[str, list[_Cut]] = {}
        fitting = []
        for lists in (each for each in written if len(each) == len(printed) and each not in self._used):
            scope, cut = self._scope(child)
            pairs = zip(printed, lists, strict=True)
            own = [self._whole(*each, scope) if each[0].missing else f"[{', '.join(each[0])}]" for each in pairs]
            if all(own):
                found[", ".join(own)] = cut
                fitting.append(lists)
        self._used += fitting if len(found) == 1 else []
        return found

    def _whole(self, printed: Listed, written: Sequence[str], scope: Scope) -> str:
        """Return a list of which the user wrote all items, with attributes; empty unless the printed items agree."""
        names = NameResolver(scope, None, {}, self._expr_ids)
        own = {attribute_of(item)[1] for item in written if alias_of(item)}
        items = [each for item in written for each in self._resolved(item, scope, names, own)]
        if len(items) != printed.size or not all(map(_agrees, printed, items)):
            return ""
        used = set().union(*map(_inputs, items[len(printed) :]))
        return f"[{', '.join([*printed, *items[len(printed) :]])}]" if used <= _ids_of(scope) else ""

    def _resolved(self, item: str, scope: Scope, names: NameResolver, own: AbstractSet[int]) -> Iterator[str]:
        """Yield the expressions of an item of a list, with attributes.

        Args:
            own: The ids of the list's aliases: what an operator below a window computes of them is in no star.
        """
        if star := _STAR.fullmatch(item):
            columns = (each.attribute for each in scope.star((star[1] or star[2] or "").lower()))
            yield from (each for each in columns if attribute_of(each)[1] not in own)
            return
        written = without_wrappers(item)
        text, alias = names.text(written), alias_of(written)
        if text.endswith(f"#{NO_ID}"):
            text = f"{text.removesuffix(str(NO_ID))}{self._id_of(alias, scope)}"
        if alias:
            expr_id = attribute_of(text)[1]
            yield f"{alias}#{expr_id}" if _OVER in text or expr_id in _ids_of(scope) else text
        elif read_attribute(text) and " " not in text:
            yield text
        else:
            name = written.replace("'", "") if "(" in written else written.rpartition(".")[2].lstrip("'")
            yield f"{text} AS {name}#{self._expr_ids.new()}"

    def _id_of(self, alias: str, scope: Scope) -> int:
        """Return the id that the operators above print with an alias; a new one if they print none, or several."""
        printed = {int(each) for name, each in _ATTRIBUTE.findall(self.text) if name == alias} - _ids_of(scope)
        return printed.pop() if len(printed) == 1 else self._expr_ids.new()

    def _cast(self, printed: Listed, child: PlanNode) -> str:
        """Return the items of the projection that an insert adds: the columns of its input, with the table's types.

        `PreprocessTableInsertion` and `TableOutputResolver` name them as the table's columns (2.4 to 4.3).
        """
        columns = child.listed("Output") if "Output" in child.fields else child.listed("columns")
        names = self._target_names(printed)
        inputs = [{expr_id} for _, expr_id in columns.attributes]
        if not len(columns) == len(names) == printed.size or [*map(_inputs, printed)] != inputs[: len(printed)]:
            return ""
        hidden = list(zip(columns.attributes, names, strict=True))[len(printed) :]
        items = (f"{name.rpartition(' AS ')[2]}#{each} AS {new}#{self._expr_ids.new()}" for (name, each), new in hidden)
        return f"[{', '.join([*printed, *items])}]"

    def _above_window(self, printed: Listed, child: PlanNode) -> str:
        """Return the items of the projection that adds a window's columns to its input (`ExtractWindowExpressions`)."""
        scope, _ = self._scope(child)
        items = [each.attribute for each in scope.columns]
        items += [f"{name.rpartition(' AS ')[2]}#{each}" for name, each in child.listed("columns").attributes]
        fits = child.operator == "Window" and len(items) == printed.size and all(map(_agrees, printed, items))
        return f"[{', '.join(items)}]" if fits else ""

    def _target_names(self, printed: Listed) -> Sequence[str]:
        """Return the names of the table's columns: the command prints its schema, or other plans show them."""
        own = [name.rpartition(" AS ")[2] for name, _ in printed.attributes]
        known = {tuple(_FIELD.findall(self.text.partition("\n+- ")[0])), *(tuple(names) for _, names in self._wide)}
        fitting = [names for names in known if len(names) == printed.size and [*names[: len(own)]] == own]
        return fitting[0] if len(fitting) == 1 else ()

    def _scope(self, node: PlanNode) -> tuple[Scope, list[_Cut]]:
        """Return the columns that the list above an operator can name, and the relations of which some are unknown."""
        if not node.children:
            return self._relation(node)
        below = [self._scope(child) for child in node.children]
        scope = below[0][0]
        if node.operator == "SubqueryAlias":
            scope = scope.named(node.text("Arguments").rpartition(".")[2].strip("`"))
        elif node.operator in _LISTING:
            scope = _listed_scope(node, scope)
        elif len(below) > 1 and node.operator == "Join" and not node.text("Arguments").startswith(_ONE_SIDE):
            scope = scope.joined(below[1][0])
        return scope, [each for _, own in below for each in own]

    def _relation(self, node: PlanNode) -> tuple[Scope, list[_Cut]]:
        """Return the columns of a relation: those printed, and those that other lines of the plan print."""
        lists = [node.listed("Output")] if "Output" in node.fields else node.lists
        match = TRUNCATED_LIST.search(node.text("Arguments"))
        hidden = self._hidden(next((each for each in lists if each.missing), EMPTY)) if match else {}
        columns = [each for own in lists for each in (*own.attributes, *(hidden.values() if own.missing else ()))]
        cut = [_Cut(match[0].replace(", ", ","), Relation((), self._expr_ids, hidden))] if match else []
        known = [Column("", name, f"{name}#{expr_id}") for name, expr_id in columns if expr_id >= 0]
        return Scope(known, [("", each.relation) for each in cut]), cut

    def _hidden(self, columns: Listed) -> dict[str, tuple[str, int]]:
        """Return the columns in the truncated part of a relation's list, as far as they are known, by name."""
        ids, names = relation_ids(columns), [name for name, _ in columns.attributes]
        others = {int(expr_id): name for name, expr_id in _ATTRIBUTE.findall(self.text)}
        scans = {tuple(each) for each in self._scans if len(each) == len(ids) and [*each[: len(names)]] == names}
        known = dict(zip(ids, scans.pop(), strict=True)) if len(scans) == 1 else others
        return {known[each].lower(): (known[each], each) for each in ids[len(columns) :] if each in known}


class _Cut(NamedTuple):
    """A relation that Spark truncated: its list as printed, and the columns in the rest that the query names."""

    text: str
    relation: Relation

    def with_named(self) -> str:
        """Return the list with these columns; as printed without any."""
        named = [f"{name}#{expr_id}" for name, expr_id in self.relation.columns.values()]
        start, _, rest = self.text.rpartition("... ")
        missing = int(rest.partition(" ")[0]) - len(named)
        return f"{start}{','.join([*named, *([f'... {missing} more fields'] if missing > 0 else [])])}]"


def _outside_views(root: PlanNode | None) -> Iterator[PlanNode]:
    """Yield the operators of a query, without those of its views: other statements have written their lists."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        yield node
        stack += node.children if node.operator != "View" else ()


def _listed_scope(node: PlanNode, below: Scope) -> Scope:
    """Return the columns of an operator with a list, under their qualifiers; a window keeps those below."""
    listed = node.listed("Output") if "Output" in node.fields else node.listed("columns")
    qualifiers = {each.attribute.removesuffix("L"): each.qualifier for each in below.columns}
    own = []
    for name, expr_id in listed.attributes:
        attribute = f"{name.rpartition(' AS ')[2]}#{expr_id}"
        own.append(Column(qualifiers.get(attribute, ""), attribute.rpartition("#")[0], attribute))
    keeps = node.operator in _ADDING or bool(listed.missing)
    return Scope([*below.columns, *own] if keeps else own, below.relations if keeps else [])


def _agrees(printed: str, item: str) -> bool:
    """Return whether an item that Spark printed can be one that the user wrote: its attributes, and its alias."""
    if " AS " not in printed or " AS " not in item:
        return attribute_of(printed) == attribute_of(item) or printed.endswith(f" {item}")
    name = alias_of(item)
    has_own_name = name.isidentifier() and name != "literal"  # else Spark named the column by its expression
    return _inputs(printed) == _inputs(item) and (not has_own_name or alias_of(printed).lower() == name.lower())


def _ids_of(scope: Scope) -> set[int]:
    known = {attribute_of(each.attribute)[1] for each in scope.columns}
    return known.union(expr_id for _, each in scope.relations for _, expr_id in each.columns.values())


def _inputs(item: str) -> set[int]:
    """Return the ids of the attributes that an item of a list names, without its own."""
    ids = ids_in(item)
    return set(ids[:-1] if " AS " in item else ids)
