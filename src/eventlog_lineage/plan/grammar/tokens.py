"""Split expression text into tokens: attributes, by the plan's ids; brackets; keywords.

Spark quotes neither names nor literals (`Expression.toString`, 2.x to 4.3), so a name is found from its end: an id of
the plan, `#46`, after the name that the plan has for it. Text between tokens is kept; joining all spans returns the
input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from eventlog_lineage.attribute_patterns import NUMBER, SUFFIX

from .attribute_ids import ID_PATTERN, LOGICAL_SUBQUERY, PLAN_ID, unescaped

ATTRIBUTE, LAMBDA, SUBQUERY, UNPRINTED = "attribute", "lambda", "subquery", "unprinted"
OPEN, CLOSE, INDEX, END_INDEX, COMMA = "(", ")", "[", "]", ", "
CASE, WHEN, THEN, ELSE, END, IF = "CASE WHEN ", " WHEN ", " THEN ", " ELSE ", " END", "if "
OTHERWISE = " else "

AttributeNames = Mapping[int, tuple[str, ...]]
"""Attribute ids of a plan, with their printed names, usually one.

`sum(v#1)#9` and `sum(v#2)#9` have the same id if a plan reads a relation twice.
"""

_ID = rf"#(?P<attribute>{NUMBER}){SUFFIX}"
_RESULT = LOGICAL_SUBQUERY.replace("#(", "#(?P<result>")
_TOKEN = re.compile(
    rf"{_ID}|[()\[\]]|, "
    rf"|(?P<subquery>(?:ReusedSubquery )?Subquery [\w-]+#(?P<number>{NUMBER}), {PLAN_ID}"
    rf"|(?<= IN )(?:scalar-)?subquery#(?P<set>{NUMBER})"
    rf"|(?<![\w.]){_RESULT} \[[^\]]*\])"  # logical trees
    rf"|(?P<lambda>lambda \w+#(?P<variable>{NUMBER})L?)"
    r"| ?\*\*(?P<unprinted>(?:[\w$]+\.)+\w+)\$?\*\* {0,2}"
    r"|CASE WHEN | WHEN | THEN | ELSE | END(?!\w)|\bif (?=\()| else "
)
EVERY_INPUT = -2
"""The id of what an expression that prints its class alone may use: each attribute that its operator gets.

` **org.apache.spark.sql.sedona_sql.expressions.ST_Area**  ` (Apache Sedona 1.4 to 1.8).
"""
CALL_NAME = re.compile(r"[^\s()\[\],=]*$")
_LONGEST_CALL_NAME = 200
_LONGEST_FIELD = 1_000
_NO_NAME = frozenset("\\^|?*+.{}")
_FIELD_ENDS = frozenset(" ,.#")
_NAME_END = re.compile(r"$|[^\w#]")


class Token(NamedTuple):
    """A token: its kind, its span in the text, and an attribute's, variable's or subquery's id."""

    kind: str
    start: int
    end: int
    expr_id: int = -1


def find_attributes(text: str, names: AttributeNames) -> list[Token]:
    """Return the attributes in a text, in order.

    A name may itself look like an attribute (`sum(v#122)#123` is one attribute): the longer one wins.

    >>> [(token.start, token.end) for token in find_attributes("Brand#12 = b#3", {3: ("b",)})]
    [(11, 14)]
    """
    found: list[Token] = []
    at = text.find("#")
    if at < 0:
        return found
    for match in ID_PATTERN.finditer(text, at):
        _add_attribute(found, match, text, names)
    return found


def tokenize(text: str, names: AttributeNames) -> list[Token]:
    """Return the tokens of an expression, in order and without overlaps.

    >>> [(token.kind, token.start, token.end) for token in tokenize("upper(a#1)", {1: ("a",)})]
    [('(', 5, 6), ('attribute', 6, 9), (')', 9, 10)]
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind is None:
            tokens.append(Token(match[0], *match.span()))
        elif kind == ATTRIBUTE:
            _add_attribute(tokens, match, text, names)
        else:
            expr_id = match["variable"] or match["number"] or match["set"] or match["result"] or EVERY_INPUT
            tokens.append(Token(kind, match.start(), match.end(), int(expr_id)))
    return tokens


def _add_attribute(tokens: list[Token], match: re.Match[str], text: str, names: AttributeNames) -> None:
    """Add the attribute that ends in an id, and remove the tokens within its name.

    Args:
        tokens: The tokens before the id; updated.
    """
    expr_id = int(match[1])
    known = names.get(expr_id)
    if known is None:
        return  # the same number in a literal, as in `Brand#12`
    end = match.start()
    for name in known:
        start = end - len(name)
        if start >= 0 and (text.startswith(name, start) or unescaped(text[start:end]).lower() == name.lower()):
            while tokens and tokens[-1].end > start:
                tokens.pop()
            tokens.append(Token(ATTRIBUTE, start, match.end(), expr_id))
            return


def is_known(name: str, expr_id: int, names: AttributeNames) -> bool:
    """Return whether an attribute of the plan has this name, in upper or lower case.

    >>> is_known("AMOUNT", 46, {46: ("amount",)}), is_known("amount", 47, {46: ("amount",)})
    (True, False)
    """
    known = names.get(expr_id, ())
    return name in known or name.lower() in (each.lower() for each in known)


def field_end(text: str, at: int) -> int:
    """Return the end of a field's name: `.max(v)` of a merged subquery contains brackets.

    Source: `GetStructField.toString`, `MergeScalarSubqueries` (3.4+).

    >>> field_end("a#1.max(v) + 2", 4)
    10
    """
    depth = 0
    opened = stop = min(len(text), at + _LONGEST_FIELD)
    for end in range(at, stop):
        char = text[end]
        if char in "([":
            if depth == 0:
                if char == "[":
                    return end
                opened = end
            depth += 1
        elif char in ")]":
            if depth == 0:
                return end
            depth -= 1
        elif depth == 0 and char in _FIELD_ENDS:
            return end
    return opened if depth else stop


def merged_field_end(text: str, at: int, names: AttributeNames) -> int:
    """Return the end of a field of a merged subquery, which has the name of an attribute: `.a b` of `a b#3`.

    Source: `MergeScalarSubqueries` (3.4+) makes a struct of the outputs of several subqueries.

    Returns:
        The end of the longest name; `at` without one.

    >>> merged_field_end("subquery#4.a b + 2", 11, {3: ("a b",)})
    14
    """
    known = {name for each in names.values() for name in each}
    rest = unescaped(text[at : at + _LONGEST_FIELD])
    return at + max(
        (len(each) for each in known if rest.startswith(each) and _NAME_END.match(rest, len(each))), default=0
    )


def call_name(text: str, start: int, at: int) -> str | None:
    r"""Return the name of the function whose bracket opens at an offset.

    Returns:
        The name; empty for a group; None for a bracket that is not syntax, as in the regular expression `\(`.

    >>> call_name("upper(a#1)", 0, 5), call_name("(a#1 + 2)", 0, 0), call_name("rlike \\(", 0, 7)
    ('upper', '', None)
    """
    if at == start or text[at - 1] in " (":
        return ""
    match = CALL_NAME.search(text, max(start, at - _LONGEST_CALL_NAME), at)
    name = match[0] if match else ""
    return None if name and name[-1] in _NO_NAME else name
