"""Types of expressions that follow from their functions and arguments, as Spark's analyzer derives them.

A type is a catalog string, empty where the text leaves more than one. Literals have none of their own unless the text
can be of one type only: Spark prints `1`, `1L` and `'1'` alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice
from typing import Final

from eventlog_lineage.plan.grammar.expression import (
    AttributeReference,
    Call,
    CaseWhen,
    Expression,
    FilteredAggregate,
    GetField,
    GetItem,
    Literal,
    Phrase,
    SubqueryExpression,
    WindowExpression,
    all_parts,
    plain_text,
)
from eventlog_lineage.plan.grammar.types import split_parts, struct_fields

from .functions import TRANSPARENT, base_name

TypeOf = Callable[[AttributeReference | SubqueryExpression], str]

_BY_TYPE: Final[Mapping[str, str]] = {
    "bigint": """
        approx_count_distinct bit_count count count_if crc32 factorial monotonically_increasing_id regr_count
        to_unix_timestamp unix_micros unix_millis unix_seconds unix_timestamp unscaledvalue xxhash64
    """,
    "binary": "aes_encrypt encode to_binary unbase64 unhex",
    "boolean": """
        array_contains arrays_overlap bool_and bool_or contains endswith every exists forall in inset isnan isnotnull
        isnull like map_contains_key not rlike some startswith
    """,
    "date": """
        add_months curdate current_date date_add date_from_unix_date date_sub last_day make_date
        next_day to_date trunc truncdate
    """,
    "double": """
        acos acosh asin asinh atan atan2 atanh cbrt corr cos cosh cot covar_pop covar_samp cume_dist degrees exp expm1
        hypot kurtosis log log10 log1p log2 median months_between percent_rank percentile percentile_cont pow power
        radians rand randn random regr_slope rint signum sin sinh skewness sqrt std stddev stddev_pop stddev_samp tan
        tanh var_pop var_samp variance
    """,
    "int": """
        array_size ascii bit_length cardinality char_length date_diff datediff day dayofmonth dayofweek dayofyear
        dense_rank find_in_set hash hour instr json_array_length length levenshtein locate minute month murmur3hash
        ntile octet_length quarter rank regexp_count regexp_instr row_number second size unix_date weekday weekofyear
        year
    """,
    "string": """
        base64 bin chr concat_ws conv current_catalog current_database current_user date_format decode format_number
        format_string from_unixtime get_json_object hex initcap input_file_name lcase listagg lower lpad ltrim mask md5
        monthname dayname parse_url regexp_extract regexp_replace regexp_substr repeat replace rtrim rpad sha sha1 sha2
        soundex space split_part string_agg substring_index to_char to_json to_varchar translate trim typeof ucase
        upper url_decode url_encode uuid
    """,
    "timestamp": """
        current_timestamp date_trunc from_utc_timestamp make_timestamp now timestamp_micros timestamp_millis
        timestamp_seconds to_utc_timestamp trunctimestamp
    """,
    "array<string>": "regexp_extract_all split",
    "map<string,string>": "str_to_map",
}
FUNCTION_TYPES: Final[Mapping[str, str]] = {name: kind for kind, names in _BY_TYPE.items() for name in names.split()}
"""Function to its type, whatever its arguments are. Names as `prettyName` prints them, in lower case."""

_SAME = TRANSPARENT - {"checkoverflow"} | frozenset(
    """
    abs any_value approx_percentile array_compact array_distinct array_except array_intersect array_remove array_sort
    array_union bround filter first first_value lag last last_value lead map_filter max max_by min min_by mode
    negative nth_value nullif percentile_approx percentile_disc positive reverse shuffle slice sort_array
    """.split()
)
"""Functions whose type is that of their first argument."""

_CHOOSING = frozenset(("coalesce", "greatest", "least", "nvl", "ifnull", "nanvl"))
"""Functions whose arguments all have their type."""

_INTEGERS = frozenset(("tinyint", "smallint", "int", "bigint"))
_FLOATS = frozenset(("double", "float"))
_NUMBERS = _INTEGERS | _FLOATS
_TIMES = frozenset(("date", "timestamp", "timestamp_ntz"))
_DIVISIONS = {"div": "bigint", "/": "double"}
_DECIMAL = re.compile(r"decimal\((\d+),\s*(\d+)\)")
_NUMBER = re.compile(r"-?\d+(?:\.(\d+))?")
_NOT_TEXT = re.compile(
    r"null|true|false|\[.*|\{.*|(?:INTERVAL|0x|X')\b.*|[-+.\d].*|keys: .*|NaN|-?Infinity", re.IGNORECASE
)
_COMPARISON = re.compile(r" (?:=|<=>|<>|!=|<=?|>=?|AND|OR|&&|\|\||I?LIKE|RLIKE|IN|INSET) ")
_ARITHMETIC = re.compile(r"(\S+|\S.*\S) (\+|-|\*|/|%|div) (\S+|\S.*\S)", re.DOTALL)
_OPERAND = re.compile("\ue000(\\d+)\ue001")
_MOST_DIGITS = 38
_MOST_PARTS = 2000
_LONGEST_TYPE = 200_000


def result_type(expression: Expression, type_of: TypeOf) -> str:
    """Return the type of an expression; empty if it does not follow from the text.

    Args:
        type_of: Returns the type of an attribute or of a scalar subquery, empty if it is unknown.
    """
    if isinstance(expression, Literal):
        return literal_type(expression.text)
    ordered = list(islice(all_parts(expression), _MOST_PARTS + 1))
    if len(ordered) > _MOST_PARTS:
        return ""
    types: dict[int, str] = {}
    for part in reversed(ordered):
        types[id(part)] = _type(part, types, type_of)
    return types[id(expression)]


def _type(part: Expression, types: Mapping[int, str], type_of: TypeOf) -> str:
    if isinstance(part, (AttributeReference, SubqueryExpression)):
        return type_of(part)
    if isinstance(part, (GetField, GetItem)):
        return _part_of(part, types[id(part.child)])
    if isinstance(part, CaseWhen):
        return _common([(each, types[id(each)]) for each in part.values])
    if isinstance(part, (WindowExpression, FilteredAggregate)):
        return types[id(part.function)]
    if isinstance(part, Call):
        return _call(part, [types[id(each)] for each in part.arguments])
    if isinstance(part, Phrase):
        return _phrase(part, types)
    return ""


def _part_of(part: GetField | GetItem, kind: str) -> str:
    """Return the type of a field, of an array's element or of a map's value."""
    if isinstance(part, GetField):
        return _field_types(kind).get(part.name, "")
    return entry_types(kind)[-1] if entry_types(kind) else ""


@lru_cache(maxsize=64)
def _field_types(kind: str) -> Mapping[str, str]:
    """Return field to type of a struct or of an array's structs, split once for all; empty for a type too long."""
    if len(kind) > _LONGEST_TYPE:
        return {}
    if kind.startswith("array<struct<"):
        return {name: f"array<{field}>" for name, field in struct_fields(kind[6:-1])}
    return dict(struct_fields(kind))


@lru_cache(maxsize=64)
def entry_types(kind: str) -> tuple[str, ...]:
    """Return the type of an array's elements, or those of a map's keys and values; empty for other types.

    >>> entry_types("array<int>"), entry_types("map<string,array<int>>")
    (('int',), ('string', 'array<int>'))
    """
    for container in ("array<", "map<"):
        if kind.startswith(container) and kind.endswith(">") and len(kind) <= _LONGEST_TYPE:
            first, *others = split_parts(kind[len(container) : -1])
            return (kind[6:-1],) if container == "array<" else (first, ",".join(others))
    return ()


def _common(values: Sequence[tuple[Expression, str]]) -> str:
    """Return the type of values of one type, which the analyzer has cast to it; literals only count alone."""
    known = {kind for _, kind in values if kind}
    if not known and all(isinstance(each, Literal) for each, _ in values):
        known = {literal_type(each.text) for each, _ in values if isinstance(each, Literal) and each.text != "null"}
    return known.pop() if len(known) == 1 else ""


def literal_type(text: str) -> str:
    """Return the type of a literal's text; empty if it may have several.

    A text with letters is a string. Spark prints no type of numbers, dates and intervals: `1` may be a string.

    >>> literal_type("web"), literal_type("0.00"), literal_type("1"), literal_type("2026-11-20")
    ('string', 'decimal(2,2)', 'int', '')
    """
    if number := _NUMBER.fullmatch(text):
        if number[1] is None:
            return "int" if len(text) < 10 else ""
        return _decimal_of(text) if len(number[1]) > 1 and number[1].endswith("0") else ""
    return "" if not text.strip() or _NOT_TEXT.fullmatch(text) else "string"


def _decimal_of(text: str) -> str:
    whole, _, fraction = text.lstrip("-").partition(".")
    digits = len(whole.lstrip("0")) + len(fraction)
    return f"decimal({max(digits, len(fraction), 1)},{len(fraction)})"


def _call(call: Call, types: Sequence[str]) -> str:
    name = base_name(call.function)
    made = _BUILT.get(name)
    return FUNCTION_TYPES.get(name) or (made(call, types or ("",)) if made is not None else "")


def _cast(call: Call, _: Sequence[str]) -> str:
    text = call.arguments[0] if call.arguments else None
    parts = text.parts if isinstance(text, Phrase) else ()
    kind = "".join(plain_text(part) or "?" for part in parts[1:])
    if not kind.startswith(" as "):  # a literal's cast is one text, of which the type is the end
        kind = " as " + (plain_text(text) or "").rpartition(" as ")[2] if text is not None else ""
    return kind.removeprefix(" as ").strip().replace(", ", ",")


def _sum(_: Call, types: Sequence[str]) -> str:
    if decimal := _decimal(types[0]):
        return _bounded(decimal[0] + 10, decimal[1])
    return "bigint" if types[0] in _INTEGERS else "double" if types[0] in _FLOATS else ""


def _average(_: Call, types: Sequence[str]) -> str:
    if decimal := _decimal(types[0]):
        return _bounded(decimal[0] + 4, decimal[1] + 4)
    return "double" if types[0] in {*_NUMBERS, "string"} else ""


def _numbers(call: Call, _: Sequence[str]) -> str:
    """Return the decimal type that `MakeDecimal(…,20,2)` and `CheckOverflow(…, DecimalType(12,2))` print."""
    text = plain_text(call.arguments[-1]) or ""
    if isinstance(call.arguments[-1], Phrase):
        last = call.arguments[-1].parts[-1]
        text = last.text if isinstance(last, Literal) else ""
    found = re.search(r"(\d+),\s*(\d+)\)?$", text)
    return f"decimal({found[1]},{found[2]})" if found else ""


def _concatenated(_: Call, types: Sequence[str]) -> str:
    known = {kind for kind in types if kind}
    return known.pop() if len(known) == 1 else "string" if not known else ""


def _chosen(call: Call, types: Sequence[str]) -> str:
    return _common(list(zip(call.arguments, types, strict=False)))


def _array(call: Call, types: Sequence[str]) -> str:
    kind = _chosen(call, types)
    return kind and f"array<{kind}>"


def _collected(_: Call, types: Sequence[str]) -> str:
    return types[0] and f"array<{types[0]}>"


def _struct(call: Call, types: Sequence[str]) -> str:
    names = [plain_text(each) for each in call.arguments[::2]]
    values = zip(call.arguments[1::2], types[1::2], strict=False)
    kinds = [kind or (literal_type(each.text) if isinstance(each, Literal) else "") for each, kind in values]
    if len(names) != len(kinds) or None in names or not all(kinds):
        return ""
    return f"struct<{','.join(f'{name}:{kind}' for name, kind in zip(names, kinds, strict=True))}>"


def _rounded(call: Call, types: Sequence[str]) -> str:
    decimal = _decimal(types[0])
    if decimal is None:
        return types[0]
    digits = plain_text(call.arguments[1]) if len(call.arguments) > 1 else "0"
    if digits is None or not digits.lstrip("-").isdigit():
        return ""
    scale = min(max(int(digits), 0), decimal[1])
    return _bounded(decimal[0] - decimal[1] + scale + 1, scale)


def _entries_of(index: int) -> Callable[[Call, Sequence[str]], str]:
    def entries(_: Call, types: Sequence[str]) -> str:
        known = entry_types(types[0])
        return f"array<{known[index]}>" if len(known) == 2 else ""

    return entries


def _element(_: Call, types: Sequence[str]) -> str:
    return next(reversed(entry_types(types[0])), "")


def _sliced(_: Call, types: Sequence[str]) -> str:
    return "binary" if types[0] == "binary" else "string"


def _whole_number(_: Call, types: Sequence[str]) -> str:
    if decimal := _decimal(types[0]):
        return _bounded(decimal[0] - decimal[1] + 1, 0)
    return types[0] and "bigint"


_BUILT: Final[Mapping[str, Callable[[Call, Sequence[str]], str]]] = {
    **dict.fromkeys(_SAME, lambda _, types: types[0]),
    **dict.fromkeys(_CHOOSING, _chosen),
    **dict.fromkeys(("cast", "ansi_cast", "try_cast"), _cast),
    **dict.fromkeys(("sum", "try_sum"), _sum),
    **dict.fromkeys(("avg", "mean", "try_avg"), _average),
    **dict.fromkeys(("makedecimal", "checkoverflow"), _numbers),
    "concat": _concatenated,
    "array": _array,
    **dict.fromkeys(("array_agg", "collect_list", "collect_set", "sequence"), _collected),
    **dict.fromkeys(("named_struct", "struct"), _struct),
    "round": _rounded,
    **dict.fromkeys(("element_at", "try_element_at", "explode", "get"), _element),
    "map_keys": _entries_of(0),
    "map_values": _entries_of(1),
    **dict.fromkeys(("substring", "substr", "overlay"), _sliced),
    **dict.fromkeys(("ceil", "floor"), _whole_number),
}
"""Functions whose type is made of those of their arguments."""


def _numbered(phrase: Phrase) -> str:
    """Return the text of a phrase, with the numbers of its operands in their places."""
    number = count()
    words = (part.text if isinstance(part, Literal) else f"\ue000{next(number)}\ue001" for part in phrase.parts)
    return "".join(words).strip()


def _phrase(phrase: Phrase, types: Mapping[int, str]) -> str:
    """Return the type of a comparison, or of an operation on two values: `(amount#1 - discount#2)`."""
    operands = [part for part in phrase.parts if not isinstance(part, Literal)]
    text = _numbered(phrase)
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    if text.startswith("NOT ") or _COMPARISON.search(text):
        return "boolean"
    if alone := _OPERAND.fullmatch(text.lstrip("-")):
        return types[id(operands[int(alone[1])])]
    found = _ARITHMETIC.fullmatch(text)
    if found is None:
        return ""
    return _arithmetic(found[2], *(_operand(each, operands, types) for each in (found[1], found[3])))


def _operand(text: str, operands: Sequence[Expression], types: Mapping[int, str]) -> str:
    """Return the type of an operand; a literal's text with a mark before it."""
    found = _OPERAND.fullmatch(text)
    return types[id(operands[int(found[1])])] if found else f"={text}"


def _arithmetic(operator: str, left: str, right: str) -> str:
    known = [each for each in (left, right) if each and not each.startswith("=")]
    if any(map(_decimal, known)):
        return _decimal_result(operator, _operand_decimal(left), _operand_decimal(right))
    if operator in _DIVISIONS:
        return _DIVISIONS[operator] if known or operator == "div" else ""
    if len(set(known)) == 1 and known[0] in _NUMBERS:
        return known[0]
    return _shifted_time(operator, list(filter(_TIMES.__contains__, known)))


def _shifted_time(operator: str, times: Sequence[str]) -> str:
    """Return the type of a time plus or minus an interval; empty for a date, which can become a timestamp."""
    is_shifted = len(times) == 1 and operator in "+-" and times[0] != "date"
    return times[0] if is_shifted else ""


def _operand_decimal(operand: str) -> tuple[int, int] | None:
    """Return precision and scale of an operand next to a decimal: then a literal's number is one, too."""
    literal = operand.removeprefix("=")
    return _decimal(_decimal_of(literal) if literal != operand and _NUMBER.fullmatch(literal) else operand)


def _decimal(kind: str) -> tuple[int, int] | None:
    found = _DECIMAL.fullmatch(kind)
    return (int(found[1]), int(found[2])) if found else None


def _decimal_result(operator: str, left: tuple[int, int] | None, right: tuple[int, int] | None) -> str:
    """Return the type of an operation on decimals (`DecimalPrecision`, `DecimalType.adjustPrecisionScale`)."""
    if left is None or right is None:
        return ""
    (precision, scale), (other, places) = left, right
    whole = max(precision - scale, other - places)
    if operator in "+-":
        return _adjusted(whole + max(scale, places) + 1, max(scale, places))
    if operator == "*":
        return _adjusted(precision + other + 1, scale + places)
    if operator == "/":
        made = max(6, scale + other + 1)
        return _adjusted(precision - scale + places + made, made)
    if operator == "%":
        return _adjusted(min(precision - scale, other - places) + max(scale, places), max(scale, places))
    return "bigint"


def _bounded(precision: int, scale: int) -> str:
    return f"decimal({min(precision, _MOST_DIGITS)},{min(scale, _MOST_DIGITS)})"


def _adjusted(precision: int, scale: int) -> str:
    if precision <= _MOST_DIGITS:
        return f"decimal({precision},{scale})"
    return f"decimal({_MOST_DIGITS},{max(_MOST_DIGITS - (precision - scale), min(scale, 6))})"
