"""Complete the lists that Spark truncated in an analyzed plan by those that the user wrote.

The parsed plan of extended text has `'Project [ArrayBuffer(s).*, 'g.country]` for 45 columns. The SQL shell and the
Thrift server write a statement's SQL to the job description (`SparkSQLDriver.run`, `SparkExecuteStatementOperation`,
2.4 to 4.3), which has all items of a list. Names are resolved among the columns below the list. A list fits if it has
as many items, and the attributes and aliases of the printed part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID, attribute_of, ids_in, read_attribute
from eventlog_lineage.plan.grammar.symbols import EMPTY, NAMED, Listed, inner, is_list, read, read_arguments, split
from eventlog_lineage.plan.printed.tree_lines import read_lines
from eventlog_lineage.plan.tree.nodes import PlanNode, walk
from eventlog_lineage.plan.tree.tree_strings import TRUNCATED_LIST, WideTables, read_logical

from .parsed_clauses import Column, NameResolver, Relation, Scope, alias_of, new_ids, without_wrappers
from .sql_expressions import NO_ID, WrittenLists

Lists = tuple[tuple[str, ...], ...]
"""The lists of an operator: the items of a projection; the keys and the results of an aggregate."""

_LISTS = re.compile(r"[~']?(?:Project|Aggregate) (\[.*\])", re.DOTALL)
_SUBQUERY = re.compile(r"[~']?SubqueryAlias (\S+)")
_STAR = re.compile(r"(?:\w*(?:Buffer|List)\((.*)\)\.|(\w+)\.)?\*")
_ATTRIBUTE = re.compile(rf"(?<![\w.$-])([A-Za-z_]\w*){CAPTURED_ID}")
_FIELD = re.compile(r"^ \|-- (.*?): [a-z]", re.MULTILINE)
_MORE = " more fields]"
_ADDING = frozenset({"Generate", "Window"})
_LISTING = _ADDING | {"Aggregate", "Project", "View"}
_KEYED = ("Sort [", "Window [")
"""Operators whose keys no list of the query has."""
_IF = "'if("
"""A call before analysis, which prints `if (a) b else c`."""
_MOST_LISTS = 32
"""Lists of the query that an operator may have: with more below one alias, its list stays truncated."""
_OVER = " windowspecdefinition("
"""A window's function: a projection below the window computes the other items (`ExtractWindowExpressions`)."""


def with_query_lists(
    analyzed: str, parsed: str, sql: WrittenLists, wide: WideTables, scans: Sequence[Sequence[str]] = ()
) -> str:
    """Return an analyzed plan with the lists that the parsed plan or the SQL text completes; the same plan if none.

    Args:
        sql: The lists in the SQL text; empty if the log does not have it.
        scans: The names of the columns of the physical plan's scans: a relation of files has those of a scan of all.
    """
    if _MORE not in analyzed:
        return analyzed
    lines = list(_below_aliases(analyzed))
    if any(label.startswith(_KEYED) and _MORE in label for _, label in lines):
        return analyzed
    return _Completion(analyzed, lines, (_written_lists(parsed), Counter(sql)), wide, scans).text()


def _written_lists(parsed: str) -> dict[str, Counter[Lists]]:
    """Return the lists of a parsed plan below each alias, with those of the projections below their windows."""
    written: dict[str, Counter[Lists]] = {}
    for alias, label in _below_aliases(parsed):
        lists = _lists_of(label)
        if lists and not any(_IF in item for item in chain(*lists)):
            written.setdefault(alias, Counter())[lists] += 1
    for found in written.values():
        found.update({each: 1 for each in map(_below_windows, [*found]) if each not in found})
    return written


def _below_windows(lists: Lists) -> Lists:
    return tuple(tuple(item for item in items if _OVER not in item) for items in lists)


def _below_aliases(tree: str) -> Iterator[tuple[str, str]]:
    """Yield the operators of a tree, each with the nearest alias of a subquery above it; empty without one."""
    above: list[tuple[int, str]] = []
    for line in read_lines(tree.strip("\n")):
        while above and above[-1][0] >= line.column:
            above.pop()
        yield above[-1][1] if above else "", line.label
        if match := _SUBQUERY.match(line.label):
            above.append((line.column, match[1].replace("`", "")))


def _lists_of(label: str) -> Lists:
    """Return the lists of a projection or an aggregate; none if Spark truncated one, or for another operator."""
    match = _LISTS.fullmatch(label)
    if match is None or _MORE in label:
        return ()
    return tuple(tuple(split(NAMED, inner(each))) for each in read_arguments(match[1]) if is_list(each))


class _Completion:
    """Completes the lists of one plan: each operator once, from the leaves to the root.

    Args:
        lines: Its operators, each below an alias.
        written: The lists of the parsed plan below each alias, and those of the SQL text, which are less precise; each
            list with its number.
    """

    def __init__(
        self,
        analyzed: str,
        lines: Sequence[tuple[str, str]],
        written: tuple[Mapping[str, Counter[Lists]], Counter[Lists]],
        wide: WideTables,
        scans: Sequence[Sequence[str]],
    ) -> None:
        self._analyzed = analyzed
        self._lines = lines
        self._written, self._sql = written
        self._wide = wide
        self._scans = scans
        self._expr_ids = new_ids()
        self._names = {int(expr_id): name for name, expr_id in _ATTRIBUTE.findall(analyzed)}
        self._ids: dict[str, set[int]] = {}
        for expr_id, name in self._names.items():
            self._ids.setdefault(name, set()).add(expr_id)
        self._scopes: dict[int | None, Scope] = {}
        self._columns: dict[int | None, Listed] = {}
        self._cut: dict[int | None, _Cut] = {}
        self._whole: dict[int | None, str] = {}

    def text(self) -> str:
        """Return the plan with complete lists, and with the columns of truncated relations that the lists name."""
        root = read_logical(self._analyzed, self._wide).root
        own = set(_outside_views(root))
        for node in reversed([*walk(root)]):
            self._visit(node, *self._lines[node.operator_id or 0] if node in own else ("", ""))
        found, end = "", 0
        cut = {at: each.label for at, each in self._cut.items()} if self._whole else {}
        for at, label in enumerate(label for _, label in self._lines):
            start = self._analyzed.index(label, end)
            found += self._analyzed[end:start] + (self._whole.get(at) or cut.get(at) or label)
            end = start + len(label)
        return found + self._analyzed[end:]

    def _visit(self, node: PlanNode, alias: str, label: str) -> None:
        """Complete the lists of an operator whose inputs are complete, unless none fits or several do."""
        match = _LISTS.fullmatch(label)
        columns = node.listed("Output" if "Output" in node.fields else "columns")
        if match and _MORE in match[1] and len(node.children) == 1:
            printed = [read(NAMED, inner(each)) for each in read_arguments(match[1])]
            if whole := self._found(node, alias, printed):
                columns = Listed(whole[-1])
                text = ", ".join(f"[{', '.join(items)}]" for items in whole)
                self._whole[node.operator_id] = f"{label[: match.start(1)]}{text}"
        self._columns[node.operator_id] = columns
        self._scopes[node.operator_id] = self._scope(node)

    def _found(self, node: PlanNode, alias: str, printed: Sequence[Listed]) -> Lists:
        """Return the lists of an operator below an alias; empty if they are unclear."""
        child, parsed = node.children[0], self._written.get(alias, Counter())
        found = self._fitting(printed, parsed, child) or self._fitting(printed, self._sql, child)
        if found or len(printed) != 1:
            return found.popitem()[0] if len(found) == 1 else ()
        is_below_command = node.operator_id == 1 and child.operator != "Window"
        items = (self._cast if is_below_command else self._above_window)(printed[0], child)
        return (items,) if items else ()

    def _fitting(self, printed: Sequence[Listed], written: Counter[Lists], child: PlanNode) -> dict[Lists, list[Lists]]:
        """Return the lists that an operator can have, with those as written; if only one fits, it is used up."""
        found: dict[Lists, list[Lists]] = {}
        below = self._scopes[child.operator_id]
        named: list[tuple[str, Relation]] = []
        waiting = [each for each, number in written.items() if number > 0 and len(each) == len(printed)]
        for lists in waiting if len(waiting) <= _MOST_LISTS else ():
            relations = [(alias, replace(each, columns=dict(each.columns))) for alias, each in below.relations]
            scope = Scope(below.columns, relations)
            pairs = zip(printed, lists, strict=True)
            own = tuple(self._all_items(*each, scope) if each[0].missing else each[0].items for each in pairs)
            if all(own):
                found.setdefault(own, []).append(lists)
                named = relations
        if len(found) == 1:
            written.subtract(*found.values())
            for (_, relation), (_, each) in zip(below.relations, named, strict=True):
                relation.columns.update(each.columns)
        return found

    def _all_items(self, printed: Listed, written: Sequence[str], scope: Scope) -> tuple[str, ...]:
        """Return a list of which the user wrote all items, with attributes; empty unless the printed items agree."""
        names = NameResolver(scope, None, {}, self._expr_ids)
        own = {attribute_of(item)[1] for item in written if alias_of(item)}
        items: list[str] = []
        for text in (each for item in written for each in self._resolved(item, scope, names, own)):
            at = len(items)
            if not (_agrees(printed.items[at], text) if at < len(printed) else at < printed.size):
                return ()
            items.append(text)
        used = set().union(*map(_inputs, items[len(printed) :]))
        return (*printed, *items[len(printed) :]) if len(items) == printed.size and used <= _ids_of(scope) else ()

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
            yield f"{text} AS {name}#{next(self._expr_ids)}"

    def _id_of(self, alias: str, scope: Scope) -> int:
        """Return the id that the operators above print with an alias; a new one if they print none, or several."""
        printed = self._ids.get(alias, set()) - _ids_of(scope)
        return printed.pop() if len(printed) == 1 else next(self._expr_ids)

    def _cast(self, printed: Listed, child: PlanNode) -> tuple[str, ...]:
        """Return the items of the projection that an insert adds: the columns of its input, with the table's types.

        `PreprocessTableInsertion` and `TableOutputResolver` name them as the table's columns (2.4 to 4.3).
        """
        columns, names = self._columns[child.operator_id], self._target_names(printed)
        inputs = [{expr_id} for expr_id in columns.ids]
        if not len(columns) == len(names) == printed.size or [*map(_inputs, printed)] != inputs[: len(printed)]:
            return ()
        hidden = list(zip(columns.attributes, names, strict=True))[len(printed) :]
        items = (f"{name.rpartition(' AS ')[2]}#{each} AS {new}#{next(self._expr_ids)}" for (name, each), new in hidden)
        return (*printed, *items)

    def _above_window(self, printed: Listed, child: PlanNode) -> tuple[str, ...]:
        """Return the items of the projection that adds a window's columns to its input (`ExtractWindowExpressions`)."""
        items = [each.attribute for each in self._scopes[child.operator_id].columns]
        items += [f"{name.rpartition(' AS ')[2]}#{each}" for name, each in child.listed("columns").attributes]
        fits = child.operator == "Window" and len(items) == printed.size and all(map(_agrees, printed, items))
        return tuple(items) if fits else ()

    def _target_names(self, printed: Listed) -> Sequence[str]:
        """Return the names of the table's columns: the command prints its schema, or other plans show them."""
        own = [name.rpartition(" AS ")[2] for name in printed.names]
        known = {tuple(_FIELD.findall(self._lines[0][1])), *(tuple(names) for _, names in self._wide)}
        fitting = [names for names in known if len(names) == printed.size and [*names[: len(own)]] == own]
        return fitting[0] if len(fitting) == 1 else ()

    def _scope(self, node: PlanNode) -> Scope:
        """Return the columns that a list above an operator can name."""
        if not node.children:
            return self._relation(node)
        scope, *others = [self._scopes[child.operator_id] for child in node.children]
        if node.operator == "SubqueryAlias":
            return scope.named(node.text("Arguments").rpartition(".")[2].strip("`"))
        if node.operator in _LISTING:
            return _listed_scope(node, self._columns[node.operator_id], scope)
        is_join = node.operator == "Join" and others and not node.text("Arguments").startswith(("LeftSemi", "LeftAnti"))
        return scope.joined(others[0]) if is_join else scope

    def _relation(self, node: PlanNode) -> Scope:
        """Return the columns of a relation: those printed, and those that other lines of the plan print."""
        lists = [node.listed("Output")] if "Output" in node.fields else node.lists
        match = TRUNCATED_LIST.search(node.text("Arguments"))
        hidden = self._hidden(next((each for each in lists if each.missing), EMPTY)) if match else {}
        columns = [each for own in lists for each in (*own.attributes, *(hidden.values() if own.missing else ()))]
        known = [Column("", name, f"{name}#{expr_id}") for name, expr_id in columns if expr_id >= 0]
        if not match:
            return Scope(known)
        relation = Relation((), self._expr_ids, hidden)
        printed = match[0].replace(", ", ",")
        self._cut[node.operator_id] = _Cut(self._lines[node.operator_id or 0][1], printed, relation)
        return Scope(known, [("", relation)])

    def _hidden(self, columns: Listed) -> dict[str, tuple[str, int]]:
        """Return the columns in the truncated part of a relation's list, as far as they are known, by name."""
        ids, names = columns.relation_ids, columns.names
        scans = {tuple(each) for each in self._scans if len(each) == len(ids) and [*each[: len(names)]] == names}
        known = dict(zip(ids, scans.pop(), strict=True)) if len(scans) == 1 else self._names
        return {known[each].lower(): (known[each], each) for each in ids[len(columns) :] if each in known}


class _Cut(NamedTuple):
    """A relation that Spark truncated: its line, its list as printed, and the columns in the rest that are known."""

    line: str
    printed: str
    relation: Relation

    @property
    def label(self) -> str:
        """The line with these columns; as printed without any."""
        named = [f"{name}#{expr_id}" for name, expr_id in self.relation.columns.values()]
        start, _, rest = self.printed.rpartition("... ")
        missing = int(rest.partition(" ")[0]) - len(named)
        columns = ",".join([*named, *([f"... {missing} more fields"] if missing > 0 else [])])
        return self.line.replace(self.printed, f"{start}{columns}]")


def _outside_views(root: PlanNode | None) -> Iterator[PlanNode]:
    """Yield the operators of a query, without those of its views: other statements have written their lists."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        yield node
        stack += node.children if node.operator != "View" else ()


def _listed_scope(node: PlanNode, listed: Listed, below: Scope) -> Scope:
    """Return the columns of an operator with a list, under their qualifiers; a window keeps those below."""
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
