"""The names that an operator of an unresolved plan can refer to."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

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
            outer: The scope of the outer query.
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
        """Return an unbound attribute for a name that is not sufficiently qualified.

        Args:
            name: The name.
            expr_id: A new attribute id.
        """
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
