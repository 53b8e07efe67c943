r"""Find the brackets, commas and keywords of an expression that belong to its literals.

`(status#1 = :()`, `concat(range [0, , qty#3)`: literals are printed raw. The brackets, commas and keywords of an
expression are read from left to right, as structure or as part of a literal; of all readings that close every bracket,
the cheapest is chosen: the one with the fewest brackets in literals. A bracket after text that cannot be a function's
name, as in `:(` or `\\(`, is more likely part of a literal, and so is a group without an operator: Spark prints groups
only around binary operators. A known function has as many arguments as it is printed with.

`Expression.toString` (2.4 to 4.3) prints all constructor arguments that are not child-independent: the time zone of
`date_format(d#1, yyyy, Some(Etc/UTC))`, the limit of `split(s#1, ,, -1)`. Versions differ, so a function can have
several counts: those of the plans of `benchmarks/function_sweep.py` on 3.5, 4.1 and 4.3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.plan.grammar.tokens import CALL_NAME

from .attribute_ids import LOGICAL_SUBQUERY, PLAN_ID, escaped
from .costs import COSTS
from .symbols import split_items

_COUNTS = """
1: abs acos acosh array_compact array_distinct array_max array_min array_size ascii asin asinh atan atanh avg
1: bin bit_and bit_count bit_length bit_or bit_xor bool_and bool_or btrim cast cbrt ceil ceiling char
1: char_length character_length chr collation cos cosh cot count_if crc32 csc date_from_unix_date day dayname
1: dayofmonth dayofweek dayofyear degrees exp explode expm1 factorial flatten floor hex inline is_valid_utf8
1: is_valid_variant is_variant_null isnan isnotnull isnull json_array_length json_object_keys
1: knownnotcontainsnull kurtosis last_day lcase len length ln log10 log1p log2 lower luhn_check make_valid_utf8
1: map_entries map_from_entries map_keys map_values max md5 mean median min month monthname negative ntile
1: nullifzero octet_length posexplode positive quarter quote radians rand reverse rint schema_of_variant sec
1: sha sha1 sign signum sin sinh skewness soundex space sqrt std stddev stddev_pop stddev_samp sum tan tanh
1: timestamp_micros timestamp_millis timestamp_nanos timestamp_seconds to_base32 to_variant_object try_avg
1: try_sum try_url_decode try_validate_utf8 typeof ucase unix_date unix_micros unix_millis unix_seconds upper
1: url_encode validate_utf8 var_pop var_samp variance weekday weekofyear year zeroifnull
1 2: base64 cardinality hour initcap ltrim minute parse_json rtrim second shuffle size trim try_parse_json
1 2: unbase64 url_decode
1 2 3: to_csv to_json to_xml
1 2 4: try_to_date
1 2 5: to_timestamp_ltz to_timestamp_ntz try_to_timestamp
1 3: schema_of_variant_agg
1 3 4: collect_list collect_set
1 4: approx_count_distinct collect_union
2: add_months array_append array_contains array_except array_intersect array_position array_prepend
2: array_remove array_repeat array_union arrays_overlap atan2 bit_get bround collate contains corr covar_pop
2: covar_samp date_add date_diff date_sub datediff endswith equal_null exists filter find_in_set forall
2: format_number get get_json_object getbit hypot ifnull ilike jaro_winkler_similarity left log
2: make_ym_interval map_contains_key map_filter map_from_arrays mod nanvl nullif nvl pmod pow power regexp
2: regexp_count regexp_like regexp_substr repeat right rlike round sha2 shiftleft shiftright shiftrightunsigned
2: sort_array startswith stringsplitsql to_char to_number to_utc_timestamp transform transform_keys
2: transform_values trunc try_add try_divide try_mod try_multiply try_parse_url try_subtract try_to_binary
2: try_to_number variant_strip_nulls
2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19: concat_ws
2 3: array_join array_sort date_format date_trunc from_unixtime levenshtein next_day nth_value parse_url
2 3: substring to_binary
2 3 4: element_at try_element_at
2 3 4 5: lambdafunction
2 3 6: max_by min_by
2 4: decode encode histogram_numeric instr sequence string_agg to_unix_timestamp unix_timestamp variant_delete
2 4 5: listagg
2 4 6 8 10 12 14 16 18 19: named_struct struct
2 5: try_variant_get variant_get
3: convert_timezone from_csv hmac lag lead locate lpad map_zip_with nvl2 position regexp_extract
3: regexp_extract_all regexp_instr replace rpad slice split split_part str_to_map stringreplace substr
3: substring_index substringindex translate zip_with
3 4: array_insert conv make_date months_between try_variant_array_append try_variant_insert
3 4: variant_array_append variant_insert
3 5: approx_percentile percentile_approx
4: aggregate make_dt_interval overlay reduce regexp_replace width_bucket
4 5: try_variant_set variant_set
5: aes_decrypt mask
5 6: gettimestamp
6: aes_encrypt try_make_timestamp
6 7 10: make_timestamp make_timestamp_ltz try_make_timestamp_ltz
6 10: make_timestamp_ntz try_make_timestamp_ntz
7: try_make_interval
7 8: make_interval
"""
"""Counts, then the functions that are printed with them. `named_struct` and `struct` have pairs, `concat_ws` has a
separator; 19 is 19 or more."""


def _read(counts: str) -> Mapping[str, frozenset[int]]:
    lines = (line.partition(":") for line in counts.strip().split("\n"))
    return {name: frozenset(map(int, head.split())) for head, _, names in lines for name in names.split()}


ARGUMENTS: Mapping[str, frozenset[int]] = _read(_COUNTS)
"""Function in lower case to the counts of arguments that it is printed with."""

AGGREGATES = frozenset(
    """
    any any_value approx_count_distinct approx_percentile approx_top_k approx_top_k_accumulate array_agg avg
    bit_and bit_or bit_xor bitmap_and_agg bitmap_construct_agg bitmap_or_agg bloom_filter_agg bool_and bool_or
    collect_list collect_set corr count count_if count_min_sketch covar_pop covar_samp every first first_value
    grouping grouping_id histogram_numeric hll_sketch_agg hll_union_agg kll_sketch_agg_bigint
    kll_sketch_agg_double kll_sketch_agg_float kurtosis last last_value listagg max max_by mean median min min_by
    mode percentile percentile_approx percentile_cont percentile_disc pivotfirst product regr_avgx regr_avgy
    regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy schema_of_variant_agg skewness some
    std stddev stddev_pop stddev_samp string_agg sum sum_distinct theta_intersection_agg theta_sketch_agg
    theta_union_agg try_avg try_sum var_pop var_samp variance
    """.split()
)
"""Aggregate functions as `prettyName` prints them (2.4 to 4.3), in lower case."""

FUNCTIONS = tuple(ARGUMENTS)
"""The known functions; `index_of` returns their positions."""
_INDEXES = {name: index for index, name in enumerate(FUNCTIONS)}
_PREFIX = re.compile(r"^-*(?:partial_|merge_)?")


def index_of(function: str) -> int | None:
    """Return the index of a known function, whose name can have a minus and an aggregate's phase before it.

    >>> index_of("partial_Abs"), index_of("f")
    (0, None)
    """
    return _INDEXES.get(_PREFIX.sub("", function).lower())


def is_scalar(function: str) -> bool:
    """Return whether a name is that of a known function that is not an aggregate.

    >>> is_scalar("array_max"), is_scalar("partial_max"), is_scalar("f")
    (True, False, False)
    """
    name = _PREFIX.sub("", function).lower()
    return name in ARGUMENTS and name not in AGGREGATES


Links = tuple[int, object] | None
"""The indexes of tokens within literals, the last one first."""


class State(NamedTuple):
    """A reading so far: its cost, open frames, tokens within literals, those of a reading of the same cost.

    A tuple, as a long expression has half a million of them: a frozen dataclass takes several times as long to make.
    """

    cost: int
    stack: tuple[int, ...]
    literals: Links
    other: Links = None
    is_tied: bool = False

    def extended(self, cost: int, stack: tuple[int, ...]) -> State:
        """Return the reading with another token as structure."""
        return State(self.cost + cost, stack, self.literals, self.other, self.is_tied)

    def with_literal(self, cost: int, index: int) -> State:
        """Return the reading with another token as part of a literal."""
        other = (index, self.other) if self.is_tied else None
        return State(self.cost + cost, self.stack, (index, self.literals), other, self.is_tied)


def indexes_in(link: Links) -> Iterator[int]:
    """Yield the indexes of the tokens within literals, the last one first."""
    while link is not None:
        yield link[0]
        link = link[1]  # type: ignore[assignment]


_SUBQUERY = rf"\b{LOGICAL_SUBQUERY} \[[^\]]*\]"
_TOKEN = re.compile(
    rf", {PLAN_ID}|{_SUBQUERY}|[()\[\]]|, |CASE WHEN | WHEN | THEN | ELSE | END(?!\w)|\bif (?=\()| else "
)
_FUNCTION = re.compile(r"-?\.?(?:[A-Za-z_][\w$.<>:-]*|<lambda>)$")
_OPERATOR = re.compile(
    r"(?:^| )(?:<=>|<=|>=|!=|<>|=|<|>|\+|-|\*|/|%|\|\||&|\||\^|AND|OR|LIKE|ILIKE|RLIKE|div|IN|INSET)(?: |$)"
)
_LISTED = re.compile(r"(?: IN | INSET | FILTER )$")
_FIELD_NAME = re.compile(r"(\bStructField\()([^,\n]*[()\[\]][^,\n]*)(?=,\w+Type\b)")
"""A field of a schema that an evaluator prints, `StructField(s(,StringType,true)` (`StructField.toString`, 4.0+)."""
SORT_DIRECTION = re.compile(r" (?:ASC|DESC) NULLS (?:FIRST|LAST)$")
_POSTFIXED = re.compile(r"[\w)\]]$")
_AFTER_CALL = re.compile(r"$|[\s,)\].\[(>#]")
"""What follows the end of a call or a group: another argument, an operator, a field, the id of a name."""
_ATTRIBUTE_END = re.compile(rf"#{NUMBER}L?(?:\.\w+|\[\d+\])*$")
_OFFSETS = re.compile(r", 0, 0[,)]")
"""The last arguments of an aggregate, `listagg(x#1, ], [, x#1 ASC NULLS FIRST, 0, 0)`."""
_CALL, _GROUP, _FILLED, _LIST, _INDEX, _WHEN, _THEN, _ELSE, _IF, _OTHERWISE, _INSET = range(11)
_UNCLOSED = frozenset((_OTHERWISE, _INSET))
"""The value of an IF and the values of an INSET have no closing word: they end where what is around them does."""
_COUNTED = 100
"""Frames from this number on are calls of known functions: the function's index and its arguments so far."""
_MOST_COUNTED = 20
_ITEMS = 1_000_000
"""The frame of a list, plus its items so far."""
_CLOSED = -1
_DELIMITER = _COUNTED + FUNCTIONS.index("listagg") * _MOST_COUNTED + 2
"""The frame of the second argument of `listagg(x#1, delimiter, order#2 ASC NULLS FIRST, 0, 0)`."""
_OPENING = {"CASE WHEN ": _WHEN, "if ": _IF}
_AFTER = {
    (_CALL, ")"): _CLOSED,
    (_GROUP, ")"): _CLOSED,
    (_FILLED, ")"): _CLOSED,
    (_LIST, ")"): _CLOSED,
    (_INDEX, "]"): _CLOSED,
    (_WHEN, " THEN "): _THEN,
    (_THEN, " WHEN "): _WHEN,
    (_THEN, " ELSE "): _ELSE,
    (_THEN, " END"): _CLOSED,
    (_ELSE, " END"): _CLOSED,
    (_IF, " else "): _OTHERWISE,
}
"""(open frame, token that ends it) to the frame that is open after the token."""
_MOST_STATES = (64, 512)
"""Readings that are followed at once: more of them where the first ones are all unlikely."""
_FEW_STATES = 16
_MANY_TOKENS = 1_000
_MOST_WORK = 100_000
"""Limit of the tokens times the readings of the second attempt."""
_UNLIKELY = 240
"""A reading of this cost, or a higher one, may not be the cheapest if others were given up."""
_MOST_TOKENS = 6_000


class _Token(NamedTuple):
    word: str
    start: int
    end: int


_Stack = tuple[int, ...]
"""The frames that are open."""

_Structure = Callable[[_Stack], "tuple[int, _Stack] | None"]


@dataclass(frozen=True, slots=True)
class Escaped:
    """An expression whose literals have no structural characters.

    Attributes:
        text: The cheapest reading.
        other: A different reading of the same cost; None if there is none.
    """

    text: str
    other: str | None = None


@lru_cache(maxsize=1024)
def escape_literals(text: str) -> Escaped:
    """Replace the structural characters in an expression's literals.

    Returns:
        The text, as long as before; unchanged if its brackets fit together.
    """
    return _escaped(_FIELD_NAME.sub(lambda match: f"{match[1]}{escaped(match[2])}", text), ())


@lru_cache(maxsize=1024)
def escape_items(text: str, count: int | None) -> list[str]:
    """Return the items of a list of expressions without names, the structural characters of their literals replaced.

    Args:
        count: The number of items; None if Spark does not print it.
    """
    return split_items(_escaped(text, (_ITEMS,), count).text)


def _escaped(text: str, opened: tuple[int, ...], count: int | None = None) -> Escaped:
    tokens = [_Token(match[0], *match.span()) for match in _TOKEN.finditer(text) if "#" not in match[0]]
    if len(tokens) > _MOST_TOKENS:
        return Escaped(text)
    best = _best_reading(text, tokens, opened, count)
    read = _with_literals(text, tokens, set(indexes_in(best.literals)))
    other = _with_literals(text, tokens, set(indexes_in(best.other))) if best.is_tied else None
    return Escaped(read, other if other != read else None)


def _with_literals(text: str, tokens: Sequence[_Token], literals: set[int]) -> str:
    pieces: list[str] = []
    at = 0
    for index, token in enumerate(tokens):
        if index in literals:
            pieces.extend((text[at : token.start], escaped(token.word)))
            at = token.end
    return "".join([*pieces, text[at:]])


def _best_reading(text: str, tokens: Sequence[_Token], opened: tuple[int, ...], count: int | None) -> State:
    """Return the cheapest reading of an expression, or of a list."""
    few, many = _MOST_STATES
    best, is_certain = _cheapest(text, tokens, opened, count, few if len(tokens) < _MANY_TOKENS else _FEW_STATES)
    more = min(many, _MOST_WORK // max(len(tokens), 1))
    if is_certain or best.cost < _UNLIKELY or more <= few:
        return best
    other, _ = _cheapest(text, tokens, opened, count, more)
    return min(other, best, key=lambda state: state.cost)


def _cheapest(
    text: str, tokens: Sequence[_Token], opened: tuple[int, ...], count: int | None, most: int
) -> tuple[State, bool]:
    """Return the cheapest of the readings that are followed, and whether all of them are."""
    states = [State(0, opened, None)]
    is_certain = True
    at, opening = 0, -1
    remaining = Counter(token.word for token in tokens)
    for index, token in enumerate(tokens):
        remaining[token.word] -= 1
        states = _after_text(states, text, at, token.start)
        at = token.end
        opening = token.end if token.word == "if " else opening
        found: dict[tuple[int, ...], State] = {}
        literal = _as_literal(text, token)
        structure = _structure(text, token)
        is_comma, is_opened = token.word == ", ", token.start == opening
        for state in states:
            if after := structure(state.stack):
                _keep(found, state.extended(*after))
            cost = literal + (COSTS.unclosed if is_opened and state.stack[-1:] == (_IF,) else 0)
            if is_comma:
                cost += _comma_as_literal(state.stack)
            _keep(found, state.with_literal(cost, index))
        states = list(found.values())
        if len(states) > most:
            is_certain = False
            states = sorted(states, key=lambda state: state.cost + _least_cost_to_close(state.stack, remaining))[:most]
    finished: dict[tuple[int, ...], State] = {}
    for state in states:
        _keep(finished, state.extended(_cost_of_open_frames(state.stack, count), ()))
    return finished[()], is_certain


def _after_text(states: list[State], text: str, start: int, end: int) -> list[State]:
    """Return the readings after the text between two tokens, which may have an operator or the end of a sort key."""
    if operator := _OPERATOR.search(text, start, end):
        inset = " INSET " in text[operator.start() : end]
        states = [_with_operator(state, inset) for state in states]
    if SORT_DIRECTION.search(text, start, end):
        states = [_with_sort_key(state) for state in states]
    return states


def _least_cost_to_close(stack: Sequence[int], remaining: Mapping[str, int]) -> int:
    """Return the least cost of the open frames that have no end among the tokens that follow."""
    ifs = stack.count(_IF)
    cases = sum(map(stack.count, (_WHEN, _THEN, _ELSE)))
    groups = len(stack) - ifs - cases - sum(map(stack.count, (_INDEX, _OTHERWISE, _INSET)))
    groups -= bool(stack) and stack[0] >= _ITEMS
    closing = remaining[")"]
    open_ones = max(ifs - remaining[" else "], 0) + max(cases - remaining[" END"], 0) + max(groups - closing, 0)
    return COSTS.unclosed * open_ones + COSTS.literal * max(closing - groups - remaining["("], 0)


def _keep(found: dict[tuple[int, ...], State], state: State) -> None:
    known = found.get(state.stack)
    if known is None or state.cost < known.cost:
        found[state.stack] = state
    elif state.cost == known.cost and not known.is_tied and state.literals != known.literals:
        found[state.stack] = State(known.cost, known.stack, known.literals, state.literals, is_tied=True)


def _cost_of_open_frames(stack: Sequence[int], count: int | None) -> int:
    """Return the cost of frames that are open at the end, and of a list with another number of items."""
    items = stack[0] - _ITEMS + 1 if stack and stack[0] >= _ITEMS else 0
    missed = abs(items - count) if count is not None else 0
    return COSTS.unclosed * (missed + sum(frame not in _UNCLOSED and frame < _ITEMS for frame in stack))


def _with_operator(state: State, inset: bool) -> State:
    stack = state.stack
    if stack and stack[-1] == _GROUP:
        stack = (*stack[:-1], _FILLED)
    if inset and not (stack and stack[-1] == _INSET):
        stack = (*stack, _INSET)
    return state.extended(0, stack)


def _with_sort_key(state: State) -> State:
    """Return a reading after a sort key: one that has it as the delimiter of a list is wrong."""
    frame = next((frame for frame in reversed(state.stack) if frame not in _UNCLOSED), 0)
    return state.extended(COSTS.unclosed if frame == _DELIMITER else 0, state.stack)


def _as_literal(text: str, token: _Token) -> int:
    """Return the cost of reading a token as part of a literal; of a comma, what is before it adds to the cost."""
    if token.word == ", ":
        return COSTS.literal_after_attribute if _is_after_attribute(text, token) else 0
    if token.word == ")":
        return COSTS.literal + _end_as_literal(text, token)
    if token.word == "(":
        return _opening_as_literal(_name_before(text, token.start))
    return 0 if token.word in "[]" and not _is_index(text, token) else COSTS.literal


def _is_after_attribute(text: str, token: _Token) -> bool:
    is_offset = _OFFSETS.match(text, max(token.start - 3, 0)) or _OFFSETS.match(text, token.start)
    return bool(is_offset or _ATTRIBUTE_END.search(text, max(token.start - 60, 0), token.start))


def _end_as_literal(text: str, token: _Token) -> int:
    """Return what the text before a closing bracket adds to the cost of reading it as part of a literal."""
    if _is_after_attribute(text, token):
        return COSTS.literal_after_attribute
    before = text[token.start - 1 : token.start]
    return COSTS.literal_after_bracket if before == ")" else COSTS.literal_after_word if before.isalnum() else 0


def _opening_as_literal(name: str) -> int:
    """Return the cost of reading an opening bracket as part of a literal, by the name before it."""
    if not name:
        return COSTS.literal
    if not _FUNCTION.fullmatch(name):
        return COSTS.literal - COSTS.no_function
    return COSTS.literal_function + (COSTS.literal_known_function if index_of(name) is not None else 0)


def _comma_as_literal(stack: tuple[int, ...]) -> int:
    """Return the cost of reading a comma as part of a literal; a comma outside all brackets certainly is."""
    if not stack:
        return COSTS.literal_comma_at_top
    return 0 if stack[-1] == _INSET else COSTS.literal_comma


def _is_index(text: str, token: _Token) -> bool:
    return token.word == "]" or _POSTFIXED.search(text, max(token.start - 2, 0), token.start) is not None


def _name_before(text: str, at: int) -> str:
    match = CALL_NAME.search(text, max(at - 200, 0), at)
    return match[0] if match else ""


def _structure(text: str, token: _Token) -> _Structure:
    """Return what a token is as structure: from the open frames before it, its cost and the frames after it."""
    if token.word == "(":
        return _opening(text, token)
    if token.word == "[":
        is_index = _is_index(text, token)
        return lambda stack: (0, (*stack, _INDEX)) if is_index else None
    if (opened := _OPENING.get(token.word)) is not None:
        return lambda stack: (0, (*stack, opened))
    if token.word == ", ":
        return lambda stack: _after_comma(_without_unclosed(stack))
    cost = COSTS.word_after_end if token.word == ")" and not _AFTER_CALL.match(text, token.end) else 0
    return lambda stack: _after_end(token.word, cost, _without_unclosed(stack))


def _opening(text: str, token: _Token) -> _Structure:
    """Return what an opening bracket is as structure: a call, a list or a group."""
    name = _name_before(text, token.start)
    if not name or name == "-":
        if _LISTED.search(text, max(token.start - 9, 0), token.start):
            return lambda stack: (0, (*stack, _LIST))
        return lambda stack: (0, (*stack, _FILLED if stack and stack[-1] == _IF else _GROUP))
    index = index_of(name)
    call = _CALL if index is None else _COUNTED + index * _MOST_COUNTED + 1
    cost = 0 if _FUNCTION.fullmatch(name) else COSTS.no_function
    return lambda stack: (cost, (*stack, call))


def _without_unclosed(stack: _Stack) -> _Stack:
    while stack and stack[-1] in _UNCLOSED:
        stack = stack[:-1]
    return stack


def _after_comma(stack: _Stack) -> tuple[int, _Stack] | None:
    frame = stack[-1] if stack else -1
    if frame >= _ITEMS:
        return 0, (*stack[:-1], frame + 1)
    if frame >= _COUNTED:
        return 0, (*stack[:-1], frame + (frame % _MOST_COUNTED < _MOST_COUNTED - 1))
    return (0, stack) if frame in (_CALL, _LIST) else None


def _after_end(word: str, cost: int, stack: _Stack) -> tuple[int, _Stack] | None:
    """Return the cost of a closing bracket or keyword, and the frames after it; None if it ends no frame."""
    frame = stack[-1] if stack else -1
    if _ITEMS > frame >= _COUNTED and word == ")":
        counts = ARGUMENTS[FUNCTIONS[(frame - _COUNTED) // _MOST_COUNTED]]
        return cost + (0 if frame % _MOST_COUNTED in counts else COSTS.other_arity), stack[:-1]
    after = _AFTER.get((frame, word))
    if after is None:
        return None
    cost += COSTS.no_operator if frame == _GROUP else 0
    return cost, (*stack[:-1], after) if after >= 0 else stack[:-1]
