"""Escape ambiguous names and literals in details: those that look like a plan's structure.

The operators are read from the leaves to the root, in the order of their ids: an ambiguous name is recognized where
it is defined, in `upper(status#1) AS x#1, y#2#9` or in a scan's `ReadSchema`, and escaped in all operators above. The
functions of an aggregation's first steps have a phase, `partial_sum(v#1)`, `merge_sum(v#1)`; those of the last step are
the same without it (`AggregateExpression.toString`, 2.4 to 4.3).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate

from eventlog_lineage.attribute_patterns import ID, ID_START, NUMBER
from eventlog_lineage.plan.grammar.attribute_ids import ENDS_WITH_ID, PLAIN_ATTRIBUTE
from eventlog_lineage.plan.grammar.literals import SORT_DIRECTION

from .alias_readings import alias_word, chosen_alias, is_named, without_alias_words
from .attribute_ids import (
    ID_START_PATTERN,
    attribute_of,
    escaped,
    hidden_groups,
    read_attribute,
    unescaped,
    without_quoted,
)
from .forms import Part, argument_form
from .literals import escape_items, escape_literals, is_scalar
from .name_evidence import names_of_children, repeated_names, scanned_columns, unused_aliases
from .readings import argument_cost, best_items, best_readings, call_cost, is_suspicious, named_cost, unmatched
from .symbols import Field
from .types import struct_fields

_PHASE = re.compile(r"(?:partial|merge)_(?=[A-Za-z_]\w*\()")
_BETWEEN_PHASES = re.compile(rf", (?={_PHASE.pattern})")


class AggregateFunctions:
    """The functions of a plan's aggregations, collected from the first steps to the last ones."""

    def __init__(self, escape: Callable[[str], str]) -> None:
        """Take the function that escapes an expression."""
        self._escape = escape
        self._known: dict[str, str] = {}  # functions without phase and filter, with their escaped text

    def items(self, text: str) -> list[str]:
        """Return the functions of an aggregate, escaped, if the steps show where each one starts.

        Returns:
            The functions; none if they have no phase and no earlier step prints them.
        """
        if not _PHASE.match(text):
            return self._repeated(unescaped(text))
        items = list(map(self._escape, _BETWEEN_PHASES.split(text)))
        for item in items:
            function = unfiltered(_PHASE.sub("", item, count=1))
            self._known[unescaped(function)] = function
        return items

    def _repeated(self, text: str) -> list[str]:
        """Return the functions of a last step, if earlier steps print all of them."""
        items, at = [], 0
        known = sorted(self._known, key=len, reverse=True)
        while at < len(text):
            ends = (at + len(each) for each in known if text.startswith(each, at))
            end = next((end for end in ends if end == len(text) or text.startswith(", ", end)), -1)
            if end < 0:
                return []
            items.append(self._known[text[at:end]])
            at = end + 2
        return items


def unfiltered(function: str) -> str:
    """Return an aggregate function without its filter.

    >>> unfiltered("sum(v#1) FILTER (WHERE (a#2 > 1))")
    'sum(v#1)'
    """
    return function.partition(" FILTER (WHERE ")[0]


Fields = Mapping[str, Field]

_ATTRIBUTES = frozenset({"Input", "Left output", "Right output", "Aggregate Attributes"})
_NAMED = frozenset({"Output", "Results", "Keys"})
_CALLS = frozenset({"Functions", "Left keys", "Right keys"})
_EXPRESSIONS = frozenset({"Condition", "Join condition"})
_PROJECTION = frozenset({"Output", "Input"})
_ID_ENDS = re.compile(rf"#({NUMBER})")
_STRUCTURE_IN_NAME = re.compile(rf", | AS |{ID_START}|CASE WHEN | THEN | END| ELSE | else ")
_INSIDE = re.compile(r"[(\[][^()\[\]]*[)\]]")
_CALL_WITH_ID = re.compile(rf"(?P<call>[\w<>.$]+\(.*\))(?P<id>{ID})", re.DOTALL)
_STRUCTURE = re.compile(r"[()\[\]]|, ")
_ID = ID_START_PATTERN
_TOO_LONG = 200_000
_CALL = re.compile(r"[A-Za-z_][\w$.]*\(.*\).*", re.DOTALL)
_STRUCTURED = re.compile(r"[()\[\]]|CASE WHEN ")


def is_ambiguous(label: str, field: Field) -> bool:
    """Return whether a field's brackets, commas or ids do not match."""
    if field.count is None:
        has_expressions = label == "Arguments" or label in _EXPRESSIONS
        return has_expressions and (is_suspicious(field.text) or _has_odd_alias(field.text))
    has_ambiguous = label not in _CALLS and any(_has_ambiguous_name(item, label in _ATTRIBUTES) for item in field.items)
    if len(field.items) != field.count or has_ambiguous:
        return True
    return _STRUCTURED.search(field.text) is not None and any(map(is_suspicious, field.items))


def _has_odd_alias(text: str) -> bool:
    """Return whether a name has an id, `n#7#36257`, or an AS: `count(1) AS x AS y#2`.

    A Python aggregate's result has two ids after its call, `middle(v#1)#2#3`.
    """
    ends = {match.end() for match in _ID_ENDS.finditer(text) if text[match.start() - 1] != ")"}
    has_two_ids = any(match.start() in ends for match in _ID_ENDS.finditer(text))
    return has_two_ids or any("#" not in part for part in text.split(" AS ")[1:-1])


def _has_ambiguous_name(item: str, is_attribute: bool) -> bool:
    """Return whether an item's name is ambiguous, or whether it has two names: `v#1 AS x AS y#2`.

    Args:
        is_attribute: Whether the list has attributes only.
    """
    if PLAIN_ATTRIBUTE.fullmatch(item):
        return False
    if " AS " in item and not is_attribute:
        return item.count(" AS ") > 1 and hidden_groups(item).count(" AS ") > 1
    attribute = read_attribute(item)
    return attribute is not None and is_ambiguous_name(attribute[0])


def has_single_bracket(text: str) -> bool:
    """Return whether a bracket of a text, as Spark prints it, has no partner: the text may be cut.

    >>> has_single_bracket("file:/data/a (1"), has_single_bracket("file:/data/a")
    (True, False)
    """
    return unmatched(unescaped(text)) > 0


def is_ambiguous_name(name: str) -> bool:
    """Return whether a name looks like plan structure: it contains a separator of items, or an unmatched bracket.

    >>> is_ambiguous_name("a, b"), is_ambiguous_name("sum(v)")
    (True, False)
    """
    if unmatched(name):
        return True
    while "(" in name or "[" in name:  # balanced brackets are part of the expression that the name is made from
        name = _INSIDE.sub("", name)
    return _STRUCTURE_IN_NAME.search(name) is not None


def certain_attributes(label: str, field: Field) -> Sequence[str]:
    """Return the attributes of a list that splits at its commas; empty for other fields."""
    is_plain = label in _ATTRIBUTES or (label == "Output" and " AS " not in field.text)
    return field.items if is_plain and field.count == field.text.count(", ") + 1 else ()


def _is_text(name: str) -> bool:
    """Return whether a name is text with brackets: the SQL of an expression, without the plan's attributes.

    `<lambda>(a#1)#2` is the call of a Python function, with the id of its result.
    """
    return is_suspicious(name) or (_STRUCTURE.search(name) is not None and not _ID.search(without_quoted(name)))


def _child(item: str) -> str:
    at = alias_word(item)
    child = item[:at] if at >= 0 else item
    return without_alias_words(escape_literals(child).text if is_suspicious(child) else child)


class PlanEscaper:
    """Escapes ambiguous names and literals in the fields of a plan, operator by operator."""

    def __init__(
        self,
        names: Iterable[str] = (),
        attributes: Iterable[str] = (),
        unused: Collection[str] = (),
        expressions: Collection[str] = (),
    ) -> None:
        """Add what is known from outside the operators.

        Args:
            names: Names of columns: all of the query's, or none.
            unused: Aliases that nothing else prints (`unused_aliases`).
        """
        self._unused = unused
        self._names: dict[str, re.Pattern[str]] = {}  # ambiguous names, with a pattern of their attributes
        self._attributes: dict[str, str] = {}  # ambiguous attributes, with their escaped text
        self._known: set[str] = set()  # attributes that a list certainly contains
        self._certain: dict[str, str] = {}  # ids to attributes whose names are certain
        self._passed: Collection[str] | None = None  # ids of a projection's input: all its other outputs have an alias
        self.others: dict[str, str] = {}  # expressions to other readings of them
        self.other_names: dict[int, str] = {}  # ids of aliases to another name that they can have
        self._columns = frozenset(names)
        self.functions = AggregateFunctions(self.expression)
        for name in self._columns:
            if is_ambiguous_name(name):
                self._know(name)
        for attribute in attributes:
            name, expr_id = attribute_of(attribute)
            if (attribute in expressions or _is_text(name)) and not is_ambiguous_name(name):
                self._attributes[f"{name}#{expr_id}"] = f"{escaped(name)}#{expr_id}"
            else:
                self._attribute(attribute)
            ending = attribute[len(name) :]
            self._certain[ending] = self._attributes.get(f"{name}#{expr_id}", attribute).rpartition("#")[0] + ending
        self._certain = {ending: self.text(attribute) for ending, attribute in self._certain.items()}

    @classmethod
    def of_plan(cls, physical: str, logical: str = "", columns: Collection[str] = ()) -> PlanEscaper:
        """Return the escaper of a plan, with the names that its texts prove.

        Args:
            logical: Its logical plans; empty for formatted text.
            columns: The names of the query's columns; empty if they are unknown.
        """
        text = f"{logical}\n{physical}" if logical else physical
        attributes, named = repeated_names(text, scanned_columns(text)), names_of_children(text)
        return cls(columns, attributes, unused_aliases(physical, logical, columns), named.values())

    def certain(self, attributes: Iterable[str]) -> None:
        """Add attributes that a list certainly contains, as printed."""
        self._known.update(attributes)

    def schema(self, text: str) -> None:
        """Add the ambiguous names of a scan's columns, from its `ReadSchema`."""
        for name, _ in struct_fields(text):
            if is_ambiguous_name(name):
                self._know(name)

    def _know(self, name: str) -> None:
        if name not in self._names:
            self._names[name] = re.compile(rf"(?:^|, |\[|,| AS ){re.escape(name)}#({NUMBER})(?!\d)")

    def fields(self, fields: Fields) -> dict[str, Field]:
        """Return an operator's fields, escaped.

        Args:
            fields: The fields as read; those of the operators below come first.
        """
        if "ReadSchema" in fields:
            self.schema(fields["ReadSchema"].text)
        read: dict[str, Field] = {}
        is_projection = fields.keys() == _PROJECTION and "more fields" not in fields["Input"].text
        self._passed = frozenset(_ID_ENDS.findall(fields["Input"].text)) if is_projection else None
        for label, field in fields.items():
            read[label] = self._field(label, field)
        return read

    def text(self, text: str) -> str:
        """Return a text with the ambiguous names that are known so far escaped."""
        for name, pattern in self._names.items():
            if f"{name}#" in text:
                for match in pattern.finditer(text):
                    if not self._can_be(name, match[1]):
                        continue
                    self._attributes.setdefault(f"{name}#{match[1]}", f"{escaped(name)}#{match[1]}")
        for attribute in sorted(self._attributes, key=len, reverse=True):
            if attribute in text:
                replaced = self._attributes[attribute].replace("\\", r"\\")  # in `re`'s templates they escape
                text = re.sub(rf"{re.escape(attribute)}(?!\d)", replaced, text)
        return text

    def _can_be(self, name: str, expr_id: str) -> bool:
        """Return whether an attribute can have a name: another place may show that its id has another one."""
        certain = self._certain.get(f"#{expr_id}") or self._certain.get(f"#{expr_id}L")
        return certain is None or certain.rpartition("#")[0] in {name, escaped(name)}

    def _field(self, label: str, field: Field) -> Field:
        if len(field.text) > _TOO_LONG:
            return field
        text = self.text(field.text)
        if field.count is None:
            readers = {"Arguments": self.arguments, **dict.fromkeys(_EXPRESSIONS, self.expression)}
            return Field(readers.get(label, str)(text))
        if text == field.text and not is_ambiguous(label, field):
            items = list(field.items)
            if label in _CALLS:
                return field
        else:
            items = self._items(label, text, field.count)
        if not items:
            return field
        if label not in _CALLS:
            items = [self.named(item) for item in items]
        return Field(", ".join(items), field.count, tuple(items))

    def _items(self, label: str, text: str, count: int) -> list[str]:
        if label not in _CALLS:
            return self._named_items(text, count)
        items = self.functions.items(text) if label == "Functions" else []
        items = items if len(items) == count else escape_items(text, count)
        return items if len(items) == count else []

    def arguments(self, text: str) -> str:
        """Return the arguments of an operator, which can be lists in brackets, escaped."""
        form = argument_form(text, self._named_items, self._known)
        if form is not None:
            return "".join(f"{part.before}{', '.join(self._part(part))}{part.after}" for part in form)
        if not is_suspicious(text) and " AS " not in text:
            return text
        return ", ".join(map(self._argument, best_items(text, None, argument_cost) or [text]))

    def _part(self, part: Part) -> list[str]:
        if part.kind in {"text", "values"}:
            return list(part.items)
        read = {"named": self.named, "keys": self.sort_key}.get(part.kind, self.expression)
        return [read(item) for item in part.items]

    def _named_items(self, text: str, count: int | None = None) -> list[str]:
        """Return the items of a list of named expressions; another reading of the same cost is kept."""
        cost = partial(named_cost, self._known, self._certain, self._unused, self._passed)
        items, other = best_readings(text, count, cost)
        if other:
            self._keep_other(items, other)
        return items or ([text] if count is None else [])

    def _keep_other(self, items: Sequence[str], other: Sequence[str]) -> None:
        ends = list(accumulate(len(each) + 2 for each in other))
        at = 0
        for item in items:
            whole = other[bisect_right(ends, at)]
            at += len(item) + 2
            if item != whole:
                self.others.setdefault(_child(item), _child(whole))

    def _argument(self, text: str) -> str:
        if not is_suspicious(text) and " AS " not in text:
            return text
        if not (text.startswith("[") and text.endswith("]")):
            return self.named(text)
        return f"[{', '.join(self.list_of(text[1:-1]))}]"

    def list_of(self, text: str) -> list[str]:
        """Return the items of a list of expressions, named or not, escaped."""
        if ENDS_WITH_ID.search(text):
            return self.named_list(text)
        return [self.sort_key(item) for item in best_items(text, None, argument_cost) or [text]]

    def sort_key(self, item: str) -> str:
        """Return a sort key with its direction, escaped; keys of an aggregate can have aliases (2.4 to 4.3)."""
        match = SORT_DIRECTION.search(item)
        return self.named(item[: match.start()]) + match[0] if match else self.named(item)

    def named_list(self, text: str, count: int | None = None) -> list[str]:
        """Return the items of a list of named expressions, escaped.

        Args:
            count: The number of items, if it is known; a list that has no such reading has another number.
        """
        items = (count and self._named_items(text, count)) or self._named_items(text)
        return [self.named(item) for item in items] if text else []

    def named(self, item: str) -> str:
        """Return a named expression, with an ambiguous name and the literals of its expression escaped."""
        at = self._certain_alias(item)
        at = at if at >= 0 else self._likely_alias(item)
        if at >= 0:
            child = item[:at]
            read = self.named(child) if is_named(child, self._known) else without_alias_words(self.expression(child))
            return f"{read} AS {self._attribute(item[at + 4 :])}"
        if not read_attribute(item) or self._ends_if(item):
            return self.expression(item)
        return self._python_call(item) or self._attribute(item)

    def _certain_alias(self, item: str) -> int:
        """Return the offset of the AS before a name that all places of its id show; -1 if the item has no such name."""
        ending = ENDS_WITH_ID.search(item)
        attribute = self._certain.get(ending[0]) if ending is not None else None
        return len(item) - len(attribute) - 4 if attribute is not None and item.endswith(f" AS {attribute}") else -1

    def _likely_alias(self, item: str) -> int:
        """Return the offset of the AS of an alias, -1 for an attribute; another name that it can have is kept."""
        at = alias_word(item, self._is_new(item))
        at, other = chosen_alias(item, at, self._known, self._columns)
        attribute = read_attribute(item) if other else None
        if attribute is not None:
            self.other_names[attribute[1]] = other
        return at

    def _is_new(self, item: str) -> bool:
        """Return whether an item of a projection has an id that is not its input's: it certainly has an alias."""
        ids = _ID_ENDS.findall(item)
        return self._passed is not None and bool(ids) and ids[-1] not in self._passed

    def _python_call(self, item: str) -> str:
        """Return the call of a Python function with its id, `<lambda>(a#1, [)#2`, escaped; empty for an attribute."""
        match = _CALL_WITH_ID.fullmatch(item)
        if match is None or match["id"] in self._certain or not _ID.search(without_quoted(match["call"])):
            return ""
        return f"{self.expression(match['call'])}{match['id']}"

    def _ends_if(self, item: str) -> bool:
        """Return whether an item is not a name but `if ((a#1 > 1)) b#2 else c#3`: the last id is another name's."""
        return item.startswith("if (") and item.rpartition(" else ")[2] in self._known

    def _attribute(self, attribute: str) -> str:
        """Return an attribute, `name#12`, with an ambiguous name escaped, and escape it in all later fields."""
        name, expr_id = attribute_of(attribute)
        if not is_ambiguous_name(name):
            self._known.add(attribute)
            return attribute
        self._know(name)
        self._attributes[f"{name}#{expr_id}"] = f"{escaped(name)}#{expr_id}"
        self._known.add(escaped(name) + attribute[len(name) :])
        return escaped(name) + attribute[len(name) :]

    def expression(self, text: str) -> str:
        """Return an expression with the structural characters of its literals escaped."""
        if not is_suspicious(text):
            return text
        found = escape_literals(text)
        if found.other is not None:
            self.others[found.text] = found.other
        return found.text

    def uncounted_functions(self, text: str) -> list[str]:
        """Return the functions of an aggregate's line, which prints no count, escaped."""
        if known := self.functions.items(text):
            return known
        items = best_items(text, None, call_cost)
        if any(unmatched(item) or not _CALL.fullmatch(unescaped(item)) for item in items):
            read = escape_items(text, None)
            # the bracket before a scalar function is a literal's: `min(f(%s), a#1), abs(`
            if scalars := sum(is_scalar(item.partition("(")[0]) for item in read):
                read = escape_items(text, len(read) - scalars)
            if all(map(_CALL.match, read)):
                return read
        return list(map(self.expression, items or [text]))
