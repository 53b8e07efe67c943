"""Spark's functions by their effect on lineage: aggregates, masks, choices, wrappers without effect.

Names as `prettyName` prints them (Spark 2.4 to 4.3), in lower case.
"""

from __future__ import annotations

import re

from eventlog_lineage.plan.expressions import arities

AGGREGATES = arities.AGGREGATES

RANKS = frozenset(
    """
    rank dense_rank percent_rank cume_dist row_number ntile
    """.split()
)
"""Window functions whose printed arguments, if any, are the window's order (`rank(v#1)`)."""

CHOOSING = frozenset(("max_by", "min_by"))
"""Aggregates whose last argument only chooses the row."""

KEEPING = frozenset(
    ("collect_list", "collect_set", "array_agg", "first", "first_value", "last", "last_value", "any_value")
)
"""Aggregates that return values unchanged."""

LISTING = frozenset(("listagg", "string_agg"))
"""Aggregates whose arguments after the second order what they list: `listagg(x#1, -, y#2 DESC NULLS LAST, 0, 0)`."""

MASKS = frozenset(
    """
    md5 sha sha1 sha2 xxhash64 hash hive_hash hivehash murmur3hash crc32 mask
    """.split()
)
"""Functions whose argument cannot be recovered from the result; `count` is masking, too."""

CHOICES = frozenset(
    """
    coalesce nvl nvl2 ifnull nullif nullifzero zeroifnull nanvl iff
    """.split()
)
"""Functions that choose one of their arguments by a condition on them."""

TRANSPARENT = frozenset(
    """
    knownnotnull knownnullable knownfloatingpointnormalized normalizenanandzero promote_precision assertnotnull
    checkoverflow checkoverflowintableinsert staticprunecolumn taggedexpression tempresolvedcolumn normalizefloats
    collationkey empty2null lateralaliasreference outer
    """.split()
)
"""Wrappers that Spark adds and that do not change the value."""

_PHASE = re.compile(r"^(?:partial_|merge_|finalmerge_|final_merge_)+")
_CHECKS = frozenset(("varcharTypeWriteSideCheck", "charTypeWriteSideCheck", "readSidePadding"))


def base_name(function: str) -> str:
    """Return a function's name in lower case, without the phase of an aggregate.

    >>> base_name("partial_Sum")
    'sum'
    """
    return _PHASE.sub("", function).lower()


def is_partial(function_text: str) -> bool:
    """Return whether an aggregate function only prepares or merges buffers.

    >>> is_partial("partial_sum(v#1)"), is_partial("sum(v#1)")
    (True, False)
    """
    return function_text.startswith(("partial_", "merge_"))


def is_length_check(argument_text: str) -> bool:
    """Return whether a call is a method of `CharVarcharCodegenUtils`, which checks or pads a CHAR or VARCHAR value."""
    return argument_text.strip() in _CHECKS
