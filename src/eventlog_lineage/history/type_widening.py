"""Classify changes of types: a widening keeps every value, a narrowing does not."""

from __future__ import annotations

import re

WIDENING, NARROWING, OTHER = "widening", "narrowing", "other"

_WHOLE = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19}
_DECIMAL = re.compile(r"^decimal\((\d+),(\d+)\)$")
_LENGTH = re.compile(r"^(?:var)?char\((\d+)\)$")
_UNBOUND = 1 << 31


def nature(old: str, new: str) -> str:
    """Classify a change of a type.

    Args:
        old: The type before, `int`.
        new: The type after it, `bigint`.

    Returns:
        `widening`: the new type holds every value of the old one; `narrowing`: the old type holds every value of the
        new one; else `other`. A string holds every simple value: to it is a widening, from it a narrowing.

    >>> nature("int", "bigint"), nature("bigint", "int"), nature("int", "date")
    ('widening', 'narrowing', 'other')
    """
    if _holds(new, old):
        return WIDENING
    return NARROWING if _holds(old, new) else OTHER


def _holds(wide: str, narrow: str) -> bool:
    """Return whether a type holds every value of another one.

    Args:
        wide: The type.
        narrow: The other type.
    """
    if wide == narrow:
        return True
    if wide in _WHOLE and narrow in _WHOLE:
        return _WHOLE[wide] >= _WHOLE[narrow]
    if wide in {"double", "float"}:
        exact = 15 if wide == "double" else 6
        return narrow == "float" or (narrow in _WHOLE and _WHOLE[narrow] <= exact)
    if (decimal := _DECIMAL.match(wide)) is not None:
        return _decimal_holds(int(decimal[1]), int(decimal[2]), narrow)
    if wide in {"timestamp", "timestamp_ntz"} and narrow == "date":
        return True
    return _text_holds(wide, narrow)


def _decimal_holds(precision: int, scale: int, narrow: str) -> bool:
    if narrow in _WHOLE:
        return precision - scale >= _WHOLE[narrow]
    other = _DECIMAL.match(narrow)
    return other is not None and scale >= int(other[2]) and precision - scale >= int(other[1]) - int(other[2])


def _text_holds(wide: str, narrow: str) -> bool:
    room = _room(wide)
    if room is None or "<" in narrow or narrow == "binary":
        return False
    taken = _room(narrow)
    return room == _UNBOUND if taken is None else room >= taken


def _room(text: str) -> int | None:
    if text == "string":
        return _UNBOUND
    length = _LENGTH.match(text)
    return int(length[1]) if length else None
