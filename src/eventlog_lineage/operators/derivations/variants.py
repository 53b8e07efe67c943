"""The paths of a VARIANT as nested fields: `variant_get(v#1, $.a.b, IntegerType, true, Some(UTC))` reads `v.a.b`.

Source: `VariantGet`, `VariantPathParser` of Spark 4.0 to 4.3. `v:a.b::int` and `try_variant_get` are the same
expression. A scan that reads numbered paths itself (`PushVariantIntoScan`) leaves no call, and no path, in the plan.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from eventlog_lineage.plan.expressions.expression import Call, Expression, GetField, plain_text

_CALLS = frozenset(("variant_get", "try_variant_get"))
_AFTER_PATH = 3
"""The arguments after the path: the type, whether an invalid value is an error, the time zone."""
_STEP = re.compile(r"\.([^.\[]+)|\[\d+\]|\['([^'?]+)'\]|\[\"([^\"?]+)\"\]")


class VariantPath(NamedTuple):
    """A path of a VARIANT.

    Attributes:
        value: The VARIANT.
        calls: The calls that read it, outermost first.
        names: The names of the path; an element of an array has none, as in arrays of structs.
    """

    value: Expression
    calls: Sequence[Call]
    names: Sequence[str]

    def field(self) -> Expression:
        """Return the nested field that the path is."""
        found = self.value
        for name in self.names:
            found = GetField(found, name)
        return found


def variant_path(call: Call) -> VariantPath | None:
    """Return the path that a call reads; None for other calls and for paths that are not literals.

    Args:
        call: A call; the VARIANT can be the path of another one.
    """
    calls: list[Call] = []
    paths: list[list[str]] = []
    value: Expression = call
    while isinstance(value, Call) and value.function in _CALLS:
        names = _names(value)
        if names is None:
            return None
        calls.append(value)
        paths.append(names)
        value = value.arguments[0]
    return VariantPath(value, calls, [name for names in reversed(paths) for name in names]) if calls else None


def _names(call: Call) -> list[str] | None:
    """Return the names of a call's path; a path with commas is several arguments."""
    texts = [plain_text(each) for each in call.arguments[1:-_AFTER_PATH]]
    text = ", ".join(each or "" for each in texts)
    if not texts or None in texts or not text.startswith("$"):
        return None
    names: list[str] = []
    at = 1
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        names += [name for name in step.groups() if name]
        at = step.end()
    return names
