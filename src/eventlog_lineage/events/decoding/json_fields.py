"""JSON of one line, and its fields as the types they should have; what is missing or odd becomes a default."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEEPEST = 1024
_LONGEST_NUMBER = 30
_LONGEST_LABEL = 1000
_ESCAPES = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


class UnreadableLine(Exception):  # noqa: N818 - becomes a `BadEvent`
    """A line is no JSON object that can be read; prints as the reason."""


def parsed(text: bytes) -> dict[str, Any]:
    """Parse a line.

    Spark 2.4 wrote event logs in the platform's charset, and drivers can put half a surrogate pair into a string: both
    are refused by orjson and read here with replacement characters.

    Raises:
        UnreadableLine: If it is no JSON, no object, or nested deeper than 1,024 levels.
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
    """Give a string; an empty one for null and what is missing, JSON of up to 250 levels for the rest."""
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        return ""


def label(value: object) -> str:
    """Return a string that names something, such as an id or an application's name, at most 1,000 characters long."""
    return words(value)[:_LONGEST_LABEL]


def number(value: object) -> int | None:
    """Give a whole number of 64 bits, as Java has, written as one or as a string; None for anything else."""
    if type(value) is int and -(2**63) <= value < 2**63:
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        try:
            value = int(value)
        except ValueError:
            return None
    return value if isinstance(value, int) and -(2**63) <= value < 2**63 else None


def needed(fields: Mapping[str, Any], key: str) -> int:
    """Give a whole number without which an event means nothing.

    Raises:
        UnreadableLine: If it is missing or no number.
    """
    value = number(fields.get(key))
    if value is None:
        raise UnreadableLine(f"no number in {key!r}")
    return value


def mapping(value: object) -> Mapping[str, Any]:
    """Give an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """Give an array; an empty one for anything else."""
    return value if isinstance(value, list) else []


def texts(value: object) -> tuple[str, ...]:
    """Give the strings of an array."""
    return tuple(item for item in items(value) if isinstance(item, str))
