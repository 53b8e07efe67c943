"""Find the names that are the text of their expression: `concat(#1, a#2) AS concat(#1, a)#3`.

Spark names a grouping key after its expression (`ResolveGroupingAnalytics`: its SQL, in 3.5 its text with ids), and so
does a select list without aliases. Whatever looks like plan structure in the name is then in the expression before it
as well, which shows where the name ends.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from eventlog_lineage.attribute_patterns import ID, ID_START, NUMBER

from .expressions.item_costs import unmatched

_ALIAS = re.compile(r"(?<=[)\]D]) AS ")
_ID = re.compile(ID)
_NO_NAME = re.compile(rf"(?<![\w)\]`]){ID}")
"""An id without a name before it, which is a literal's: `concat(#1, a)`."""
_END = re.compile(rf"(?<=[)\]D])#({NUMBER})L?(?!\w|{ID_START})")
_BOUNDARIES = ("[", ", ")
_LONGEST = 600
_MOST_ALIASES = 400
_MOST_ENDS = 40


def with_names_of_children(found: Mapping[int, str], text: str, columns: Sequence[str]) -> dict[int, str]:
    """Return attributes with those that are named by an expression, without parts of other names.

    Args:
        found: Id to attribute, as printed.
        text: A plan text, logical plans included.
        columns: Columns of scans, as printed: `f(c)#7, x#1` is not an attribute if `c)#7` is one.
    """
    named = names_of_children(text)
    kept = {
        expr_id: each
        for expr_id, each in found.items()
        if not _is_part(each, named.values()) and not any(column in each and column != each for column in columns)
    }
    return kept | dict(named)


def _is_part(attribute: str, names: Collection[str]) -> bool:
    """Return whether an attribute with a single bracket is a part of a name: the `concat(#1` of `concat(#1, a)#3`.

    Args:
        attribute: The attribute, as printed.
        names: Attributes, as printed.
    """
    return unmatched(attribute) > 0 and any(attribute in name and attribute != name for name in names)


@lru_cache(maxsize=4)
def names_of_children(text: str) -> Mapping[int, str]:
    r"""Return the attributes whose names are the text of an expression, with or without ids: id to attribute.

    Args:
        text: A plan text, logical plans included.

    >>> names_of_children("[concat(#1, a#2) AS concat(#1, a)#3]\n[concat(#1, a)#3, concat(#1, a)#4]")
    {3: 'concat(#1, a)#3', 4: 'concat(#1, a)#4'}
    """
    names = {name for line in dict.fromkeys(text.split("\n")) for name in _names(line)}
    found: dict[int, str] = {}
    for name in sorted(names, key=len):
        printed = re.finditer(rf"(?<=[\[(, ]){re.escape(name)}#({NUMBER})L?(?!\w|{ID_START})", text)
        found.update({int(match[1]): match[0] for match in printed})
    return found


def _names(line: str) -> Iterator[str]:
    """Yield the names in a line that are the text before their AS and look like a plan's structure."""
    for number, alias in enumerate(_ALIAS.finditer(line)):
        if number == _MOST_ALIASES:
            return
        start = alias.end()
        for place, end in enumerate(_END.finditer(line, start, start + _LONGEST)):
            if place == _MOST_ENDS:
                break
            name = line[start : end.start()]
            if name[-1] == line[alias.start() - 1] and _is_text_before(name, line, alias.start()):
                if _is_odd(name, has_ids=line.endswith(name, 0, alias.start())):
                    yield name
                break


def _is_odd(name: str, *, has_ids: bool) -> bool:
    """Return whether a name looks like a plan's structure: an id in it is a literal's, unless it has all ids.

    Args:
        name: The name.
        has_ids: Whether the ids of attributes are in the name.
    """
    inner = _NO_NAME if has_ids else _ID
    return "(" in name and (inner.search(name) is not None or " AS " in name or unmatched(name) > 0)


def _is_text_before(name: str, line: str, at: int) -> bool:
    """Return whether an item of a list before an offset is a name's text, apart from the ids of attributes.

    Args:
        name: The name.
        line: A line of a plan.
        at: The offset of the AS.
    """
    before = _ID.sub("", line[max(0, at - 3 * len(name) - _LONGEST) : at])
    plain = _ID.sub("", name)
    return before.endswith(tuple(f"{boundary}{plain}" for boundary in _BOUNDARIES))
