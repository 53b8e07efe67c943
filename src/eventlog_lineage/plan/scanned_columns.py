"""Find the columns of scans and tables whose names look like plan structure, where their lists show their ends.

A table's list in a logical plan has a comma without a space between its columns, `db.t[x#1, y#2#30,c)#31]`, a scan's
`ReadSchema` has their names, and the ids of a table's columns follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from eventlog_lineage.attribute_patterns import ID, ID_START

from .expressions.item_costs import unmatched
from .expressions.types import struct_fields
from .repeated_names import FOLLOWING_ID, LAST_ID, is_whole

_SEPARATOR_AFTER = re.compile(r"(?<=\d),(?=[^ ])|(?<=\dL),(?=[^ ])")
_RELATION = re.compile(r"(?<!Local)Relation [^\[\n]*\[([^\n]*)\](?: \w+)?$", re.MULTILINE)
"""A table's list; that of a `LocalRelation <empty>, [a#1, b#2]` has spaces after its commas."""
_LOGICAL_RELATION = re.compile(r"^Arguments: [\w.$]+, \[([^\n]*)\], (?:`[^\n]*`, )?(?:true|false)$", re.MULTILINE)
"""A table in the logical plan that a physical operator prints, in formatted text (`UnionLoop`, 4.1+; commands)."""
_CERTAIN_RUN = 3
_READ_SCHEMA = re.compile(r"ReadSchema: (struct<[^\n]*>)$", re.MULTILINE)


def scanned_columns(text: str) -> list[str]:
    """Return the attributes with the name of a scanned column that looks like plan structure: `x#1, y#2#55`, `c)#3`.

    Args:
        text: A plan text.

    >>> scanned_columns("Relation db.t[id#1,x#1, y#2#2] parquet")
    ['x#1, y#2#2']
    >>> scanned_columns("LocalRelation <empty>, [c#1, v#2]")
    []
    """
    listed = [name for match in _RELATION.finditer(text) for name in _SEPARATOR_AFTER.split(match[1])]
    listed += [
        name
        for match in _LOGICAL_RELATION.finditer(text)
        for name in _consecutive(match[1])
        if (_is_certain(name, match[1]) or is_whole(name.rpartition("#")[0], text)) and _is_only_name(name, text)
    ]
    read = [name for match in _READ_SCHEMA.finditer(text) for name, _ in struct_fields(match[1])]
    found = {each: None for each in listed if unmatched(each) or ", " in each}
    for name in dict.fromkeys((*(each.rpartition("#")[0] for each in listed), *read)):
        if FOLLOWING_ID.search(name):  # only then: `upper(c)#9` ends like a column `c)`
            printed = re.compile(rf"{re.escape(name)}{ID}(?!\w|{ID_START})")
            found.update(dict.fromkeys(match[0] for match in printed.finditer(text)))
    return list(found)


def _is_certain(attribute: str, columns: str) -> bool:
    """Return whether a column `x#1, y#2#46` has a name that ends in an id, and columns with the next ids after it.

    Args:
        attribute: The column, as printed.
        columns: The table's list.
    """
    name, _, expr_id = attribute.rpartition("#")
    following = (f"#{int(expr_id.rstrip('L')) + place}" for place in range(1, _CERTAIN_RUN + 1))
    return FOLLOWING_ID.search(name[name.rfind("#") :]) is not None and all(each in columns for each in following)


def _is_only_name(attribute: str, text: str) -> bool:
    """Return whether an attribute's id is printed with its name only, not with the end of the name.

    Args:
        attribute: The attribute, as printed.
        text: The plan text.
    """
    name, _, expr_id = attribute.rpartition("#")
    ends = re.finditer(rf"#{expr_id}(?!\w|{ID_START})", text)
    return all(text.endswith(name, 0, match.start()) for match in ends)


def _consecutive(text: str) -> Iterator[str]:
    """Yield the columns of a table from the last one on: their ids follow each other (`LogicalRelation`, 2.4 to 4.3).

    >>> list(_consecutive("x#1, y#2#30, p[q#31, w#3#32"))
    ['w#3#32', 'p[q#31', 'x#1, y#2#30']
    """
    ends = [(match.end(), int(match[1])) for match in LAST_ID.finditer(text)]
    if not ends or ends[-1][0] != len(text):
        return
    stop, expr_id = ends[-1]
    for end, before in reversed(ends[:-1]):
        if before == expr_id - 1 and text.startswith(", ", end):
            yield text[end + 2 : stop]
            stop, expr_id = end, before
    yield text[:stop]
