"""Operators and literals in the text between the operands of an expression."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .derivation import Constant

_OPERATOR = re.compile(
    r"^(\s*(?:<=>|<=|>=|!=|<>|=|<|>|\+|-|\*|/|%|\|\||&|\||\^|AND|OR|NOT|IN|INSET|LIKE|RLIKE|ILIKE|as|div|distinct)\s+)?"
    r"(.*?)"
    r"(\s+(?:<=>|<=|>=|!=|<>|=|<|>|\+|-|\*|/|%|\|\||&|\||\^|AND|OR|NOT|IN|INSET|LIKE|RLIKE|ILIKE|as|div)\s*)?$",
    re.DOTALL,
)
_NO_LITERAL = ("(", ")", " NULLS FIRST", " NULLS LAST")


def operator_and_constant(text: str) -> Iterator[str]:
    """Yield the operator and the literal of `" = F"`; brackets and cast types are not literals.

    Args:
        text: The text between two operands, or after the last one.

    >>> list(operator_and_constant(" = F"))
    [' = ', 'F']
    """
    match = None if text.endswith(_NO_LITERAL) else _OPERATOR.match(text)
    if match is None or not match[2]:
        yield text
        return
    before, middle, after = match[1] or "", match[2], match[3] or ""
    if before:
        yield before
    yield middle if before.strip() == "as" or middle.strip(" ()") == "" else Constant(middle)
    if after:
        yield after
