"""Redact values: texts, and all values that contain texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from eventlog_lineage.errors import UsageError

from .mask import MASK
from .names import is_sensitive
from .texts import without_secrets

_Value = TypeVar("_Value")

OWN_WORDS = "own words"
"""Metadata key of dataclass fields whose texts are this program's, and contain no secrets."""

_NUMBERS = re.compile(r"(?:int|bool|float|None|tuple|[\s\[\],.|])+")
_PLAIN_TYPES = frozenset({int, float, bool, type(None)})
_WITHOUT_TEXTS: tuple[str, ...] = ("",)
_KINDS: dict[Any, tuple[str, ...]] = {}
"""Type to the names of its fields that can contain texts; `_WITHOUT_TEXTS` for numbers and dataclasses of numbers."""

_SHORT = 512
_MOST_KNOWN = 20_000
_SHORT_TEXTS: dict[tuple[str, ...], dict[str, str]] = {}
"""Limit of the cached short texts: names of operators and locations repeat in all logs of a night."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """Redaction of secrets and of a user's patterns.

    Attributes:
        patterns: The user's regular expressions; their matches are replaced.
    """

    patterns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Compile the patterns, and report invalid ones.

        Raises:
            UsageError: A pattern is not a regular expression, or it matches the empty string.
        """
        for pattern in self.patterns:
            _check(pattern)

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        if len(text) > _SHORT:
            return self._searched(text)
        texts = _SHORT_TEXTS.setdefault(self.patterns, {})
        known = texts.get(text)
        if known is None:
            if len(texts) >= _MOST_KNOWN:
                texts.clear()
            known = texts[text] = self._searched(text)
        return text if known == text else known

    def _searched(self, text: str) -> str:
        text = without_secrets(text)
        for pattern in self.patterns:
            text = _compiled(pattern).sub(MASK, text)
        return text

    def value(self, value: _Value, left: str = "") -> _Value:
        """Return a value without secrets in any of its texts: strings, bytes, tuples, lists, mappings, dataclasses.

        Args:
            value: Any value.
            left: The name of a dataclass field that is not redacted.
        """
        redacted: Any = self._redacted(value, left)
        return redacted  # type: ignore[no-any-return]

    def _redacted(self, value: Any, left: str = "") -> Any:
        kind: Any = type(value)
        if kind is str:
            return self.text(value) if len(value) > 3 else value
        names = _KINDS.get(kind)
        if names is None:
            names = _KINDS[kind] = _text_fields(kind)
        if names is _WITHOUT_TEXTS or not value:
            return value
        if names:
            return self._with_fields(value, _without(names, left) if left else names)
        if isinstance(value, (tuple, list)):
            return _changed(value, [self._redacted(item) for item in value])
        if isinstance(value, Mapping):
            return {key: self._named(key, item) for key, item in value.items()}
        return self._searched(value) if isinstance(value, str) else value

    def _with_fields(self, value: Any, names: Iterable[str]) -> Any:
        fresh = {}
        for name in names:
            before = getattr(value, name)
            if before:
                after = self._redacted(before)
                if after is not before:
                    fresh[name] = after
        return replace(value, **fresh) if fresh else value

    def _named(self, name: object, value: Any) -> Any:
        """Return a mapping's value, redacted if its name is sensitive."""
        if type(value) in _PLAIN_TYPES:
            return value
        if isinstance(value, str) and isinstance(name, str):
            return MASK if value and is_sensitive(name) else self.text(value)
        return self._redacted(value)


def _changed(before: Any, after: list[Any]) -> Any:
    """Return a sequence of the same type; the old one if no item has changed.

    Args:
        before: The sequence.
        after: Its items, redacted.
    """
    if all(old is new for old, new in zip(before, after, strict=True)):
        return before
    if isinstance(before, list):
        return after
    return type(before)(*after) if hasattr(before, "_fields") else tuple(after)


@lru_cache(maxsize=256)
def _without(names: tuple[str, ...], left: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != left)


def _check(pattern: str) -> None:
    try:
        if _compiled(pattern).fullmatch(""):
            raise UsageError("the pattern matches the empty string", pattern, "let it match a secret only")
    except re.error as error:
        raise UsageError(f"no regular expression: {error}", pattern, "see Python's re module") from error


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _text_fields(kind: Any) -> tuple[str, ...]:
    """Return the fields of a dataclass that can contain texts: all except numbers and tuples of numbers."""
    if kind in _PLAIN_TYPES:
        return _WITHOUT_TEXTS
    if not is_dataclass(kind):
        return ()
    found = tuple(
        each.name for each in fields(kind) if not _NUMBERS.fullmatch(str(each.type)) and OWN_WORDS not in each.metadata
    )
    return found or _WITHOUT_TEXTS


PLAIN = Redaction()
"""The redaction without patterns of a user."""
