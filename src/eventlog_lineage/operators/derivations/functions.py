"""Spark's functions by their effect on lineage: aggregates, masks, choices, wrappers, lambdas; the roles of arguments.

Names as `prettyName` prints them (Spark 2.4 to 4.3), in lower case.
"""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from eventlog_lineage.errors import UsageError
from eventlog_lineage.model import Transformation
from eventlog_lineage.plan.grammar import literals
from eventlog_lineage.plan.grammar.expression import AttributeReference, Call, Literal, Phrase, is_sort_order

AGGREGATES = literals.AGGREGATES

RANKS = frozenset(
    """
    rank dense_rank percent_rank cume_dist row_number ntile
    """.split()
)
"""Window functions whose printed arguments, if any, are the window's order (`rank(v#1)`)."""

CHOOSING = frozenset(("max_by", "min_by"))
"""Aggregates whose second argument only chooses the row."""

_CONDITIONED: Mapping[str, int] = {
    **dict.fromkeys(CHOOSING, 1),
    **dict.fromkeys(
        """
        any any_value approx_count_distinct array_agg avg bit_and bit_or bit_xor bool_and bool_or collect_list
        collect_set count_if every first first_value kurtosis last last_value max mean median min skewness some std
        stddev stddev_pop stddev_samp sum var_pop var_samp variance
        """.split(),
        1,
    ),
    **dict.fromkeys(("corr", "covar_pop", "covar_samp"), 2),
}
"""Aggregates to the index of the first argument that only chooses rows.

Parsed queries of 3.0 and 3.1 print `sum(x) FILTER (WHERE c)` as `sum(x, c)`.
"""

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
    coalesce nvl ifnull nullif nullifzero zeroifnull nanvl
    """.split()
)
"""Functions that choose one of their arguments by a condition on them."""

TESTING = frozenset(("if", "iff", "nvl2"))
"""Functions that choose one of their arguments by the first one."""

STRICT = frozenset(
    """
    abs add_months array_contains array_distinct array_except array_intersect array_max array_min array_position
    array_remove array_union arrays_overlap ascii cbrt ceil ceiling char char_length character_length chr contains conv
    convert_timezone crc32 date_add date_diff date_format date_from_unix_date date_sub datediff day dayofmonth dayofweek
    dayofyear element_at encode endswith exp flatten floor format_number from_json from_unixtime from_utc_timestamp hex
    hour initcap instr last_day lcase len length levenshtein ln log log10 log2 lower lpad make_date make_timestamp
    make_timestamp_ltz make_timestamp_ntz map_entries map_keys map_values md5 minute mod month months_between next_day
    octet_length overlay pmod pow power quarter regexp_extract regexp_replace repeat replace reverse rlike rpad second
    sha sha1 sha2 sign signum slice sort_array soundex split sqrt startswith str_to_map stringsplitsql substr substring
    substring_index timestamp_micros timestamp_millis timestamp_seconds to_char to_number to_utc_timestamp translate
    ucase unbase64 unhex unix_date unix_micros unix_millis unix_seconds upper weekday weekofyear year
    """.split()
)
"""Functions that are null where one of their columns is: the optimizer tests those of a join's condition.

They are `NullIntolerant` in 3.5.9 and 4.3.0, as are those of angles and bits; `trim`, `round` and `trunc` are not.
"""

TRANSPARENT = frozenset(
    """
    knownnotnull knownnullable knownfloatingpointnormalized normalizenanandzero promote_precision assertnotnull
    checkoverflow checkoverflowintableinsert staticprunecolumn taggedexpression tempresolvedcolumn normalizefloats
    collationkey empty2null lateralaliasreference outer
    """.split()
)
"""Wrappers that Spark adds and that do not change the value."""

_PHASE = re.compile(r"^(?:partial_|merge_|finalmerge_|final_merge_)+")
CHECKS = frozenset(("varcharTypeWriteSideCheck", "charTypeWriteSideCheck", "readSidePadding"))
"""The methods of `CharVarcharCodegenUtils`, which check or pad a CHAR or VARCHAR value."""


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


CONTAINERS: Mapping[str, tuple[int, tuple[tuple[int, ...], ...]]] = {
    **dict.fromkeys(("transform", "filter", "exists", "forall", "any_match", "all_match"), (1, ((0,),))),
    **dict.fromkeys(("map_filter", "transform_keys", "transform_values", "array_sort"), (1, ((0, 1),))),
    **dict.fromkeys(("aggregate", "reduce"), (2, ((1,),))),
    "zip_with": (2, ((0,), (1,))),
    "map_zip_with": (2, ((0, 1), (0, 2))),
}
"""Higher-order function to the index of its lambda, and per container the indexes of its elements' variables."""

ELEMENTWISE = frozenset(("transform", "exists", "forall", "any_match", "all_match", "aggregate", "reduce", "zip_with"))
"""Functions whose value depends only on the elements' fields that the lambda uses."""


_SEPARATOR = re.compile(r"[.#$]")
_INVOKING = frozenset(("staticinvoke", "static_invoke", "invoke"))


ENTRY_POINTS = "eventlog_lineage.functions"
"""The group of entry points whose values are effects of functions: names to words of `EFFECTS`, or names of masks."""

EFFECTS = ("mask", "identity", "aggregate", "choice")
"""What a function of users can be declared to do: to mask its arguments; to return its first argument unchanged; to
aggregate; to choose one of its arguments by a condition on them, as `coalesce` does."""


def mask_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return a user's functions as `is_mask` and `effect_of` compare them: sorted, in lower case, without `_`.

    The functions of installed packages (entry points `eventlog_lineage.functions`) are among them. A function with an
    effect other than `mask` has it after its name, `acmetrim identity`.

    Args:
        names: The masking functions, as users write them: `tokenize`, `aes_encrypt`, `org.example.Mask`.

    Raises:
        UsageError: A package declares an effect that does not exist.
    """
    effects = dict.fromkeys(names, "mask")
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        declared = point.load()
        effects |= declared if isinstance(declared, Mapping) else dict.fromkeys(declared, "mask")
    if unknown := next((each for each in effects.values() if each not in EFFECTS), None):
        raise UsageError(f"unknown effect {unknown!r} of a function", ENTRY_POINTS, f"effects are {', '.join(EFFECTS)}")
    plain = ((_plain(name), effect) for name, effect in effects.items())
    return tuple(sorted({name if effect == "mask" else f"{name} {effect}" for name, effect in plain if name}))


def effect_of(call: Call, custom: Container[str]) -> str:
    """Return the declared effect of a user's function other than `mask`; empty for other functions.

    Args:
        custom: The user's functions, as `mask_names` returns them.
    """
    if not custom:
        return ""
    forms = [_plain(form) for form in _forms(call.function.strip())]
    return next((each for each in EFFECTS[1:] if any(f"{form} {each}" in custom for form in forms)), "")


def is_mask(call: Call, custom: Container[str]) -> bool:
    """Return whether a call masks its arguments, `count` aside.

    Functions of users are printed by their name (`main.default.tokenize(email#1)`) or by their class
    (`HiveSimpleUDF#org.example.Mask(email#1)`), built-in ones that call Java by the method's name: `aes_encrypt` is
    `static_invoke(ExpressionImplUtils.aesEncrypt(…))` from 4.0, `staticinvoke(class …, BinaryType, aesEncrypt, …)`
    before.
    """
    if base_name(call.function) in MASKS:
        return True
    if not custom:
        return False
    texts = [call.function]
    if call.function.lower() in _INVOKING:
        texts += [part.text for part in call.arguments if isinstance(part, Literal)]
    return any(_plain(form) in custom for text in texts for form in _forms(text.strip()))


def _forms(name: str) -> tuple[str, str, str]:
    """Return the forms of a printed name that users write: whole, the class after `HiveSimpleUDF#`, the last part."""
    return name, name.rpartition("#")[2], _SEPARATOR.split(name)[-1]


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "")


T = Transformation
_TESTS = frozenset(("=", "<=>", "<", "<=", ">", ">=", "AND", "OR", "NOT", "IN", "LIKE", "RLIKE"))
_NULL_TESTS = frozenset(("isnull", "isnotnull"))
_IGNORING = (" ignore nulls", ", true)")
_OF_GROUP = " FILTER (WHERE (gid#"
_DIRECT = frozenset((T.IDENTITY, T.TRANSFORMATION, T.AGGREGATION))
_ORDER = {T.IDENTITY: 0, T.TRANSFORMATION: 1, T.AGGREGATION: 2}


class Role(NamedTuple):
    """The influence of a part on a value.

    Attributes:
        kind: The kind of the edge.
        masking: Whether masking is applied between the part and the value.
    """

    kind: Transformation
    masking: bool

    def then(self, kind: Transformation, *, masking: bool = False) -> Role:
        """Return the role of a part of this part."""
        if self.kind not in _DIRECT:
            return self
        if kind in _DIRECT and _ORDER[kind] < _ORDER[self.kind]:
            kind = self.kind
        return Role(kind, self.masking or masking)


def is_counted_again(call: Call) -> bool:
    """Return whether a call wraps a count next to DISTINCT aggregates: `coalesce(first(count(x)#1) ignore nulls#2, 0)`.

    Source: `RewriteDistinctAggregates` (2.4 to 4.3). Several DISTINCT aggregates add ` FILTER (WHERE (gid#3 = 0))`.
    """
    first = call.arguments[0] if call.arguments else None
    if not isinstance(first, AttributeReference) or not first.name.startswith("first("):
        return False
    return first.name.partition(_OF_GROUP)[0].endswith(_IGNORING)


def argument_role(call: Call, name: str, index: int, role: Role, inner: Role) -> Role:
    """Return the role of a function's argument.

    Args:
        inner: The role of arguments that neither choose nor order.
    """
    if index == 0 and (name == "pivotfirst" or name in TESTING):
        return role.then(T.CONDITIONAL)
    if index >= _CONDITIONED.get(name, len(call.arguments)) or (name == "count" and _counts_if(call, index)):
        return role.then(T.CONDITIONAL)
    if name in LISTING and (index > 1 or is_sort_order(call.arguments[index])):
        return role.then(T.SORT)  # `listagg(x#1, delimiter, order#2 ASC NULLS FIRST, 0, 0)`
    return inner


def _counts_if(call: Call, index: int) -> bool:
    """Return whether an argument of a count is its FILTER, `count(1, (c#2 > 3))`; see `_CONDITIONED`."""
    condition = call.arguments[index]
    if index == 0 or isinstance(call.arguments[0], Literal):
        return index > 0
    if isinstance(condition, Call):
        return condition.function in _NULL_TESTS
    parts = condition.parts if isinstance(condition, Phrase) else ()
    return any(_TESTS & set(part.text.split()[:1]) for part in parts if isinstance(part, Literal))


def inner_role(name: str, role: Role, *, masking: bool, effect: str = "") -> Role:
    """Return the role of a function's arguments.

    Args:
        masking: Whether the function masks (`is_mask`); `count` always does.
        effect: What `effect_of` returns for the function.
    """
    if name in AGGREGATES or effect == "aggregate":
        return role.then(T.AGGREGATION, masking=masking or name == "count")
    return role.then(T.TRANSFORMATION, masking=masking)
