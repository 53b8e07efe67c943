"""Read the lists and arguments in a line of a tree string."""

from __future__ import annotations

import re

from eventlog_lineage.plan.expressions.attribute_ids import ends_with_id
from eventlog_lineage.plan.expressions.lists import merge_unnamed, split_items
from eventlog_lineage.plan.nodes import Field

TRUNCATION = re.compile(r"\.\.\. \d+ more fields$")
"""The end of a list that Spark truncated."""


def attribute_items(text: str) -> list[str]:
    """Return the items of a scan's list, which has no spaces after its commas.

    >>> attribute_items("id#1L,k#2,... 37 more fields")
    ['id#1L', 'k#2', '... 37 more fields']
    """
    items: list[str] = []
    current: list[str] = []
    depth = 0
    for piece in text.split(","):
        current.append(piece)
        depth += piece.count("(") + piece.count("[") - piece.count(")") - piece.count("]")
        if depth <= 0 and (ends_with_id(piece) or TRUNCATION.search(piece)):
            items.append(",".join(current).strip())
            current, depth = [], 0
    return [*items, ",".join(current).strip()] if current and text else items


def argument_field(text: str) -> dict[str, Field]:
    """Return the arguments in the form of formatted text: options are `[k=v]` there, `Map(k -> v)` in tree strings.

    >>> argument_field("a#1, Map(path -> /x)")["Arguments"].text
    'a#1, [path=/x]'
    """
    if "Map(" in text:
        text = ", ".join(map(_without_arrows, split_items(text)))
    return {"Arguments": Field(text)} if text else {}


def _without_arrows(part: str) -> str:
    if not (part.startswith("Map(") and part.endswith(")")):
        return part
    pairs = (pair.replace(" -> ", "=", 1) for pair in split_items(part[4:-1]))
    return f"[{', '.join(pairs)}]"


def first_list(text: str) -> list[str]:
    """Return the items of the first list of a text, which can follow a word.

    >>> first_list("<empty>, [x#1, y#2]")
    ['x#1', 'y#2']
    """
    for part in split_items(text):
        if part.startswith("[") and part.endswith("]"):
            return merge_unnamed(split_items(part[1:-1]))
    return []
