"""Resolve the names in expressions of unresolved plans: `('o.amount * 0.9)` to `(amount#7 * 0.9)`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.attribute_patterns import ID

_FIRST_ID = 10**15
"""Above all ids of Spark: attributes that are numbered here are in no other plan."""


class ExprIds:
    """New attribute ids of one plan, which prints none."""

    def __init__(self) -> None:
        self._next = itertools.count(_FIRST_ID)

    def new(self) -> int:
        """Return a new id."""
        return next(self._next)


@dataclass(slots=True, eq=False)
class Relation:
    """A table with the columns that the query names.

    Attributes:
        parts: The parts of its name.
        expr_ids: New ids for the plan's attributes.
        columns: Lower-case name to (name as first written, id).
        unqualified: Attributes that may be columns of this or of another table.
        is_starred: All its columns are selected, `SELECT *`.
    """

    parts: tuple[str, ...]
    expr_ids: ExprIds
    columns: dict[str, tuple[str, int]] = field(default_factory=dict)
    unqualified: list[str] = field(default_factory=list)
    is_starred: bool = False

    def column(self, name: str) -> str:
        """Return a column as an attribute, `name#id`."""
        known = self.columns.setdefault(name.lower(), (name, -1))
        if known[1] < 0:
            known = self.columns[name.lower()] = (name, self.expr_ids.new())
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
        candidates = [relation for _, relation in self.relations if name in relation.columns] or [
            relation for _, relation in self.relations
        ]
        if len(candidates) == 1 and not any(alias == name and len(words) > 1 for alias, _ in self.relations):
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

    def __init__(self, scope: Scope, outer: Scope | None, windows: Mapping[str, str], expr_ids: ExprIds) -> None:
        self._scope = scope
        self._outer = outer
        self._windows = windows
        self._expr_ids = expr_ids

    def text(self, text: str) -> str:
        """Return an operator's text with attributes instead of names, and functions without quotes."""
        text = _WINDOW.sub(lambda found: f"{found[1]} {self._windows.get(found[2], found[2])}", text)
        text = text.replace(", unspecifiedframe$()", "")
        declared = {word for match in _VARIABLES.finditer(text) for word in re.findall(r"'(\w+)", match[1])}
        variables = {word: f"lambda {word}#{self._expr_ids.new()}" for word in sorted(declared)}

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
        return self._scope.unbound(words[-1], self._expr_ids.new())

    def new_id(self) -> int:
        """Return a new attribute id."""
        return self._expr_ids.new()

    def qualifier(self, item: str) -> str:
        """Return the qualifier of a name, in lower case: `o` for `o.amount`; empty without one."""
        return item.lstrip("'").rpartition(".")[0].lower()
