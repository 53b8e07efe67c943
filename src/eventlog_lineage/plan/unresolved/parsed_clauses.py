"""Resolve what parsed plans contain: names in scope, the clauses of a MERGE, and operators that analysis replaces.

Spark rewrites the MERGE of a V2 connector to `MergeRows` over a join (3.5+). In tree strings, `MergeRows` prints only
its outputs; the parsed plan has the clauses, `[updateaction(None, assignment('t.amount, 's.amount))]`, and the aliases
that distinguish the target's attributes from the source's.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.extensions import contributions
from eventlog_lineage.plan.grammar.attribute_ids import WORD, name_before_id, read_attribute
from eventlog_lineage.plan.grammar.symbols import Field, is_list, read_arguments
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, walk

_FIRST_ID = 10**15
"""Above all ids of Spark: attributes that are numbered here are in no other plan."""


def new_ids() -> Iterator[int]:
    """Return the new attribute ids of one plan, which prints none."""
    return itertools.count(_FIRST_ID)


@dataclass(slots=True, eq=False)
class Relation:
    """A table with the columns that the query names.

    Attributes:
        expr_ids: New ids for the plan's attributes.
        columns: Lower-case name to (name as first written, id).
        unqualified: Attributes that may be columns of this or of another table.
        is_starred: All its columns are selected, `SELECT *`.
    """

    parts: tuple[str, ...]
    expr_ids: Iterator[int]
    columns: dict[str, tuple[str, int]] = field(default_factory=dict)
    unqualified: list[str] = field(default_factory=list)
    is_starred: bool = False

    def column(self, name: str) -> str:
        """Return a column as an attribute, `name#id`."""
        known = self.columns.setdefault(name.lower(), (name, -1))
        if known[1] < 0:
            known = self.columns[name.lower()] = (name, next(self.expr_ids))
        return f"{known[0]}#{known[1]}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list: the name or alias of its table, its name, its attribute."""

    qualifier: str
    name: str
    attribute: str


@dataclass(slots=True, eq=False)
class Scope:
    """The columns that an operator can name.

    Attributes:
        columns: The columns of lists that are printed.
        relations: (alias, table) of the tables with unknown columns, any of which may be named.
        hidden: The scope below a list: a sort or a HAVING above may name columns that are not in the list.
        added: The columns that are named in this way.
    """

    columns: list[Column] = field(default_factory=list)
    relations: list[tuple[str, Relation]] = field(default_factory=list)
    hidden: Scope | None = None
    added: list[str] = field(default_factory=list)

    def find(self, words: Sequence[str], outer: Scope | None = None) -> tuple[str, Sequence[str]] | None:
        """Return the attribute that a name refers to, and the remaining fields.

        Args:
            words: The parts of the name: `o.address.city`, a column or a column's field, with or without its table.
        """
        if found := self._find_qualified(words):
            return found
        if outer is not None and (found := outer._find_qualified(words)):
            return f"outer({found[0]})", found[1]
        found = self._find_unqualified(words)
        if found is None and self.hidden is not None and (found := self.hidden.find(words)):
            self.added.append(found[0])
        if found is None and outer is not None and (found := outer.find(words)):
            return f"outer({found[0]})", found[1]
        return found

    def unbound(self, name: str, expr_id: int) -> str:
        """Return an unbound attribute for a name that is not sufficiently qualified."""
        attribute = f"{name}#{expr_id}"
        scope: Scope | None = self
        while scope is not None and not scope.relations:
            scope = scope.hidden
        if scope is not None:
            scope.relations[0][1].unqualified.append(attribute)
        return attribute

    def _find_qualified(self, words: Sequence[str]) -> tuple[str, Sequence[str]] | None:
        if len(words) < 2:
            return None
        qualifier, name = words[0].lower(), words[1]
        for column in self.columns:
            if column.qualifier == qualifier and column.name.lower() == name.lower():
                return column.attribute, words[2:]
        relation = next((each for alias, each in self.relations if alias == qualifier), None)
        return (relation.column(name), words[2:]) if relation else None

    def _find_unqualified(self, words: Sequence[str]) -> tuple[str, Sequence[str]] | None:
        name = words[0].lower()
        for column in self.columns:
            if column.name.lower() == name:
                return column.attribute, words[1:]
        relations = [relation for _, relation in self.relations]
        candidates = [each for each in relations if name in each.columns] or relations
        is_alias = len(words) > 1 and name in dict(self.relations)
        if len(candidates) == 1 and not is_alias:
            return candidates[0].column(words[0]), words[1:]
        return None

    def star(self, qualifier: str = "") -> Iterator[Column]:
        """Return all columns, or those of one table; mark tables with unknown columns as starred."""
        yield from (column for column in self.columns if not qualifier or column.qualifier == qualifier)
        for alias, relation in self.relations:
            if not qualifier or alias == qualifier:
                relation.is_starred = True

    def named(self, alias: str) -> Scope:
        """Return the same columns under an alias."""
        qualifier = alias.lower()
        columns = [Column(qualifier, column.name, column.attribute) for column in self.columns]
        return Scope(columns, [(qualifier, relation) for _, relation in self.relations])

    def joined(self, other: Scope) -> Scope:
        """Return the scope of a join of this scope with another."""
        return Scope([*self.columns, *other.columns], [*self.relations, *other.relations])


_NAME = re.compile(r"(?<![\w'])(lambda )?'([\w$]+(?:\.[\w$]+)*)(\()?")
"""`UnresolvedAttribute` and `UnresolvedFunction` print a quote before their names."""
_VARIABLES = re.compile(r"((?:, lambda '\w+)+), (?:true|false)\)")
_WRAPPED = re.compile(r"^unresolvedalias\((.*?)(?:, (?:None|Some\(.*\)))?\)$", re.DOTALL)
_WINDOW = re.compile(r"unresolvedwindowexpression\((.*?), WindowSpecReference\((\w+)\)\)")
_ALIAS = re.compile(rf" AS (.*){ID}$", re.DOTALL)


def without_wrappers(item: str) -> str:
    """Return a named expression without `unresolvedalias(…, None)`, or `unresolvedalias(…)` (4.0+).

    >>> without_wrappers("unresolvedalias('upper('name), None)")
    "'upper('name)"
    """
    match = _WRAPPED.match(item)
    return match[1] if match else item


def alias_of(item: str) -> str:
    """Return the name after the last `AS`; empty without one.

    >>> alias_of("'upper('name) AS n#3")
    'n'
    """
    match = _ALIAS.search(item)
    return match[1].rpartition(" AS ")[2] if match else ""


class NameResolver:
    """Resolves the names of one operator."""

    def __init__(self, scope: Scope, outer: Scope | None, windows: Mapping[str, str], expr_ids: Iterator[int]) -> None:
        self._scope = scope
        self._outer = outer
        self._windows = windows
        self.expr_ids = expr_ids

    def text(self, text: str) -> str:
        """Return an operator's text with attributes instead of names, and functions without quotes."""
        text = _WINDOW.sub(lambda found: f"{found[1]} {self._windows.get(found[2], found[2])}", text)
        text = text.replace(", unspecifiedframe$()", "")
        declared = {word for match in _VARIABLES.finditer(text) for word in re.findall(r"'(\w+)", match[1])}
        variables = {word: f"lambda {word}#{next(self.expr_ids)}" for word in sorted(declared)}

        def replaced(found: re.Match[str]) -> str:
            if found[3]:
                return f"{found[1] or ''}{found[2]}("
            words = found[2].split(".")
            if found[1] and words[0] in variables:
                return ".".join((variables[words[0]], *words[1:]))
            return self.name(found[2])

        return _NAME.sub(replaced, text)

    def name(self, name: str) -> str:
        """Return the attribute of a name: in this query, else in the outer query, else an unbound one."""
        words = name.split(".")
        if found := self._scope.find(words, self._outer):
            return ".".join((found[0], *found[1]))
        return self._scope.unbound(words[-1], next(self.expr_ids))


MERGE_COMMAND = "MergeIntoTable"
_ACTION = re.compile(r"^(?P<kind>\w+?)(?P<star>star)?action\((?P<rest>.*)\)$", re.DOTALL)
ASSIGNMENT = re.compile(r"^assignment\((.*)\)$", re.DOTALL)
"""An assignment in a clause of a MERGE, in parsed and analyzed plans: `assignment(amount#3, amount#9)`."""
_FROM_TARGET = "__row_from_target"
_ADDED = frozenset({_FROM_TARGET, "__row_from_source", "__row_id"})


@dataclass(frozen=True, slots=True)
class _Side:
    """The target or the source of a MERGE: its qualifier in lower case, and (name, attribute) of its columns."""

    alias: str
    columns: tuple[tuple[str, str], ...]

    @property
    def scope(self) -> Scope:
        return Scope([Column(self.alias, name, attribute) for name, attribute in self.columns])


def analyzed_merge(parsed: Plan, analyzed: Plan) -> Plan | None:
    """Return a MERGE with the clauses of its parsed plan over the join of its analyzed plan.

    Args:
        parsed: The parsed plan, with names as the user wrote them.
        analyzed: The analyzed plan, with `MergeRows`.

    Returns:
        `MergeIntoTable (id#1L = id#7L), [updateaction(None, assignment(amount#3, amount#9))], …` over the table and the
        source; None if the plans are not such a MERGE.
    """
    root, join = parsed.root, _join(analyzed)
    if root is None or root.operator != MERGE_COMMAND or len(root.children) != 2 or join is None:
        return None
    is_reversed = _is_target(join.children[1])
    sides = join.children[::-1] if is_reversed else join.children  # a truncated list hides the mark
    pairs = zip(root.children, sides, strict=True)
    target, source = (_Side(alias_of_side(parsed), tuple(_columns(own))) for parsed, own in pairs)
    expr_ids = new_ids()
    both = NameResolver(target.scope.joined(source.scope), None, {}, expr_ids)
    parts = read_arguments(root.text("Arguments"))
    bound = [
        f"[{', '.join(_action(action, target, source, expr_ids) for action in read_arguments(part[1:-1]))}]"
        if is_list(part)
        else both.text(part)
        for part in parts
    ]
    node = replace(root, fields={"Arguments": Field(", ".join(bound))}, children=tuple(sides))
    return Plan(node, analyzed.subqueries)


def kept_merge(analyzed: Plan) -> Plan | None:
    """Return the MERGE that a connector's analyzed plan contains next to the rewritten plan, up to Spark 3.4.

    Args:
        analyzed: `MergeIntoIcebergTable (id#1L = id#7L), [updateaction(…)], …` over the table, the source and the
            rewritten plan (`RewriteMergeIntoTable` of Iceberg's extensions for 3.2 to 3.4).

    Returns:
        The MERGE over the table and the source; None for other plans.
    """
    root = analyzed.root
    if root is None or root.operator not in contributions("text.merge_operator") or len(root.children) < 2:
        return None
    return Plan(replace(root, operator=MERGE_COMMAND, children=root.children[:2]), analyzed.subqueries)


def _join(analyzed: Plan) -> PlanNode | None:
    for node in walk(analyzed.root):
        if node.operator.startswith("MergeRows") and node.children and len(node.children[0].children) == 2:
            return node.children[0]
    return None


def alias_of_side(parsed: PlanNode) -> str:
    """Return the qualifier of a MERGE's side, in lower case: the alias, or the last part of the table's name."""
    words = parsed.text("Arguments").strip("[]").partition("]")[0].rpartition(".")[2].rpartition(", ")[2]
    return words.strip("`").lower()


def _columns(node: PlanNode) -> Iterator[tuple[str, str]]:
    for item in node.items("Output"):
        attribute = item.rpartition(" AS ")[2]
        found = read_attribute(attribute)
        if found and found[0] not in _ADDED:
            yield found[0], attribute


def _is_target(node: PlanNode) -> bool:
    return any(f" AS {_FROM_TARGET}#" in item for item in node.items("Output"))


def _action(text: str, target: _Side, source: _Side, expr_ids: Iterator[int]) -> str:
    """Resolve a clause: keys in the target, inserted values in the source, other expressions in both sides.

    Args:
        expr_ids: New ids for names that are not found.
    """
    found = _ACTION.match(text)
    if found is None:
        return text
    inserts = found["kind"] == "insert"
    keys = NameResolver(target.scope, None, {}, expr_ids)
    values = NameResolver(source.scope if inserts else target.scope.joined(source.scope), None, {}, expr_ids)
    items = read_arguments(found["rest"])
    if found["star"]:
        items += list(_of_all(target, source))
    return f"{found['kind']}action({', '.join(_item(item, keys, values) for item in items)})"


def _item(item: str, keys: NameResolver, values: NameResolver) -> str:
    match = ASSIGNMENT.match(item)
    if match is None:
        return values.text(item)
    key, *rest = read_arguments(match[1])
    return f"assignment({keys.text(key)}, {values.text(', '.join(rest))})"


def _of_all(target: _Side, source: _Side) -> Sequence[str]:
    """Expand `SET *` and `INSERT *`: each column of the target is set to the source's column with its name."""
    names = {name.lower() for name, _ in source.columns}
    return [
        f"assignment('{target.alias}.{name}, '{source.alias}.{name})"
        for name, _ in target.columns
        if name.lower() in names
    ]


ROWS = frozenset({"UnresolvedInlineTable", "UnresolvedTableValuedFunction"})
"""`VALUES …` and `range(5)`: rows without a source dataset."""


def rows_of(node: PlanNode, expr_ids: Iterator[int]) -> tuple[PlanNode, Scope]:
    """Return rows without a source as a `LocalRelation`: `[col1, col2], [List(1, a)]`, or a function with arguments.

    Args:
        node: One of `ROWS`.
    """
    parts = read_arguments(node.text("Arguments"))
    is_table = node.operator == "UnresolvedInlineTable" and parts and parts[0].startswith("[")
    names = read_arguments(parts[0][1:-1]) if is_table else ["id"]
    columns = [Column("", name, f"{name}#{next(expr_ids)}") for name in names]
    listed = ", ".join(column.attribute for column in columns)
    return PlanNode("LocalRelation", node.name, "", node.operator_id, {"Arguments": Field(f"[{listed}]")}), Scope(
        columns
    )


def renamed(scope: Scope, names: list[str]) -> Scope:
    """Return the columns of `t(a, b)` with these names; unchanged if the number of columns differs or is unknown."""
    if len(names) != len(scope.columns):
        return scope
    return Scope([replace(column, name=name) for column, name in zip(scope.columns, names, strict=True)])


def pivoted(node: PlanNode, scope: Scope, names: NameResolver) -> tuple[PlanNode, Scope]:
    """Return a pivot as an aggregate: `'status, [paid AS paid#1, open AS open#2], ['sum('amount)]`.

    The columns that it does not name are its grouping keys (`ResolvePivot` of 3.0 and 3.1).
    """
    parts = read_arguments(node.text("Arguments"))
    if len(parts) < 3:
        return node, scope
    column = names.text(parts[-3])
    functions = [names.text(without_wrappers(each)) for each in read_arguments(parts[-1][1:-1])]
    groups = [each for each in scope.columns if not any(each.attribute in text for text in (column, *functions))]
    values = _pivot_values(read_arguments(parts[-2][1:-1]))
    pivoted_values = (_pivoted_value(value, column, functions, names) for value in values)
    columns = [*groups, *itertools.chain(*pivoted_values)]
    keys = ", ".join((*(each.attribute for each in groups), column))
    results = ", ".join(each.attribute for each in columns)
    fields = {**node.fields, "Arguments": Field(f"[{keys}], [{results}]")}
    out = [Column("", each.name, each.attribute.rpartition(" AS ")[2]) for each in columns]
    return replace(node, operator="Aggregate", fields=fields), Scope(out)


def _pivot_values(pieces: Sequence[str]) -> Iterator[str]:
    """Yield the values of a pivot; a name with commas, `paid AS late, paid#1`, ends with its id."""
    held = ""
    for piece in pieces:
        held = f"{held}, {piece}" if held else piece
        if " AS " not in held or _NUMBERED.search(held):
            yield held
            held = ""
    if held:
        yield held


def _pivoted_value(value: str, column: str, functions: Sequence[str], names: NameResolver) -> Iterator[Column]:
    """Yield the columns of a pivot's value, one for each function.

    Args:
        value: The value as printed, `paid AS paid#1`.
    """
    literal, _, attribute = value.rpartition(" AS ")
    for index, function in enumerate(functions):
        name = attribute.partition("#")[0] or value
        shown = name if len(functions) == 1 else f"{name}_{function}"
        expr_id = ("" if index else attribute.partition("#")[2]) or str(next(names.expr_ids))
        call = f"pivotfirst({column}, {function}, {literal or value}, 0, 0)[0]"
        yield Column("", shown, f"{call} AS {shown}#{expr_id}")


_WORD = re.compile(rf"'((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?![\w(])|(?<!'){WORD}")
_NUMBERED = re.compile(r"#\d+L?$")
_CALLED = re.compile(r"^\w+ (?=\()")


def target_attributes(parsed: PlanNode, command: PlanNode) -> dict[int, str]:
    """Return the attributes of a MERGE's target: id to name.

    Args:
        parsed: `MergeIntoTable ('t.id = 's.id), [updateaction(…)], …` over the table and the source.
        command: The analyzed command, `MergeIntoTable (id#1L = id#7L), [updateaction(…)], …`, after any other
            arguments.
    """
    alias = alias_of_side(parsed.children[0]) if parsed.children else ""
    written, bound = (dict(_pieces(node.text("Arguments"))) for node in (parsed, command))
    found: dict[int, str] = {}
    for key in written.keys() & bound.keys():
        for words, (name, expr_id) in _bound_names(written[key], bound[key]):
            if len(words) > 1 and words[-2].lower() == alias:
                found[expr_id] = name
    return found


def _bound_names(written: str, bound: str) -> Iterable[tuple[list[str], tuple[str, int]]]:
    """Return each name as written, with its attribute; none if the analyzer replaced a name by another expression."""
    names = [match[1].split(".") for match in _WORD.finditer(written) if match[1]]
    attributes = [(match[2], int(match[3])) for match in _WORD.finditer(bound) if match[3]]
    is_same = [words[-1].lower() for words in names] == [name.lower() for name, _ in attributes]
    return zip(names, attributes, strict=True) if is_same else ()


def _pieces(text: str) -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield the expressions of a MERGE, with keys that its parsed and its analyzed plan share."""
    lists = 0
    for part in read_arguments(text):
        if part.startswith("[") and "action(" in part:
            lists += 1
            for index, action in enumerate(read_arguments(part[1:-1])):
                found = _ACTION.match(action)
                for item in read_arguments(found["rest"]) if found else []:
                    assignment = ASSIGNMENT.match(item)
                    key, *value = read_arguments(assignment[1]) if assignment else ["", item]
                    name = name_before_id(key.lstrip("'").rpartition(".")[2]).lower()
                    yield (lists, index, name), ", ".join(value)
        elif (condition := _CALLED.sub("", part)).startswith("(") and not lists:
            yield ("on",), condition
