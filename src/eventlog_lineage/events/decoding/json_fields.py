"""Parse the JSON of a line, and read its fields with their types; missing or malformed fields have a default."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson

from eventlog_lineage.redaction import shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEEPEST = 1024
_LONGEST_NUMBER = 30
_LONGEST_LABEL = 1000
_ESCAPES = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


class UnreadableLine(Exception):  # noqa: N818 - becomes a `BadEvent`
    """A line is not a readable JSON object; the message is the reason."""


def parsed(text: bytes) -> dict[str, Any]:
    """Parse a line.

    Spark 2.4 wrote event logs in the platform's charset, and drivers can write half a surrogate pair into a string:
    orjson rejects both, and they are read with replacement characters.

    Raises:
        UnreadableLine: It is not JSON, not an object, or nested deeper than 1,024 levels.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = _parsed_leniently(text)
    if not isinstance(value, dict):
        raise UnreadableLine("not a JSON object")
    return value


def _parsed_leniently(text: bytes) -> Any:
    repaired = text.decode("utf-8", "replace").encode()
    repaired = _ESCAPES.sub(lambda escape: rb"\ufffd" if escape[1] else escape[0], repaired)
    try:
        return orjson.loads(repaired)
    except orjson.JSONDecodeError as error:
        too_deep = "recursion" in str(error) or "depth" in str(error)
        raise UnreadableLine(f"nested deeper than {_DEEPEST} levels" if too_deep else f"not JSON ({error})") from error


def words(value: object) -> str:
    """Return a value as a string: empty for null and missing values, JSON of up to 250 levels for other types.

    >>> words("a"), words(None), words([1, 2])
    ('a', '', '[1,2]')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return ""


def label(value: object) -> str:
    """Return an id or a name: a string of at most 1,000 characters."""
    return shortened(words(value), _LONGEST_LABEL)


def number(value: object) -> int | None:
    """Return an integer of 64 bits, as a number or a string in the JSON; None for other values.

    >>> number("42"), number(42.0), number("x"), number(2**63)
    (42, 42, None, None)
    """
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        try:
            value = int(value)
        except ValueError:
            return None
    elif isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and -(2**63) <= value < 2**63 else None


def needed(fields: Mapping[str, Any], key: str) -> int:
    """Return a required integer.

    Raises:
        UnreadableLine: The field is missing or not a number.
    """
    value = number(fields.get(key))
    if value is None:
        raise UnreadableLine(f"no number in {key!r}")
    return value


def mapping(value: object) -> Mapping[str, Any]:
    """Return an object; an empty one for other values."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Return an array; an empty one for other values."""
    return value if isinstance(value, list) else []


def texts(value: object) -> tuple[str, ...]:
    """Return the strings of an array."""
    return tuple(item for item in items(value) if isinstance(item, str))
