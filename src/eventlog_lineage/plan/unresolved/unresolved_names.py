"""Resolve names in expressions of unresolved plans: `('o.amount * 0.9)` to `(amount#7 * 0.9)`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eventlog_lineage.attribute_patterns import ID

from .scope import ExprIds, Scope

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
