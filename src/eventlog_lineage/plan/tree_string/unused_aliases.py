"""Find aliases that nothing uses: literals of a query that look like aliases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.repeated_names import WORD_WITH_ID

_ALIAS = re.compile(rf" AS (\w+)({ID})(?!\w)")


def unused_aliases(physical: str, logical: str, columns: Collection[str]) -> frozenset[str]:
    """Return the attributes of a physical plan that only ever follow an AS: `AS z#9` in a literal.

    An operator above uses each column, or the result has it; but a union has the ids of its first input, and a cached
    relation has new ones.

    Args:
        physical: The physical plan.
        logical: The logical plans.
        columns: The names of the result's columns; nothing is known without them.
    """
    if not columns or "Union" in physical or "InMemory" in physical:
        return frozenset()
    aliases = {f"{match[1]}{match[2]}" for match in _ALIAS.finditer(physical) if match[1] not in columns}
    if not aliases:
        return frozenset()
    every, after_as = Counter[str](), Counter[str]()
    for text in (physical, logical):
        every.update(match[0] for match in WORD_WITH_ID.finditer(text))
        after_as.update(f"{match[1]}{match[2]}" for match in _ALIAS.finditer(text))
    return frozenset(alias for alias in aliases if every[alias] == after_as[alias])
