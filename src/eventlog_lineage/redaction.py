"""Secrets out of texts, before anything keeps, prints or even looks at them.

What is known to be a secret by its shape or by the name before it is replaced by `***`: passwords in URLs, values of
options and properties with telling names, cloud keys, bearer tokens, private keys. A user's own patterns add to these.
Every search is linear in the text's length: repetitions are bounded, and begin at a word that is found first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from .errors import UsageError

MASK = "***"

_Value = TypeVar("_Value")

_WORDS = (
    "passw",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "credential",
    "authorization",
    "signature",
    "sig=",
    "_key",
    ".key",
    "-key",
    "accesskey",
    "accountkey",
    "apikey",
    "privatekey",
    "sas",
    "auth",
)
"""What a name has in it whose value is a secret, in lower case."""

_INNER_WORD = re.compile(r"(?<![a-z])(?:sig=|sas(?![a-z])|auth(?![a-z])|oauth2?(?![a-z]))", re.IGNORECASE)
_KEY_KIND = re.compile(r"(?:access|account|api|private|shared|encryption|sas)$", re.IGNORECASE)
_RUN = re.compile(r"[\w.-]*")
_SEPARATOR = re.compile(
    r"(?:[\"'`]\s{0,3})?(?:=>?|->|:(?=\s{0,3}[\"'])|,(?=\s{0,3}[\"'])|(?=\s{0,3}['\"]))\s{0,3}"
    r"|\s{1,3}(?:=>?|->)\s{0,3}"
)
_SECRET = re.compile(
    r"(?!\*\*\*)(?:\"[^\"\n]{0,4096}\"|'[^'\n]{0,4096}'|`[^`\n]{0,4096}`"
    r"|(?:Bearer |Basic |Some\()?(?:[^\s,;&)\]}\"'`<>]|,(?![\s\"'`])|[)\]}](?![\s,;)\]}.:]|$)){1,4096})"
)
_USER_OF_URL = re.compile(r"[^\s/@:,\"']{0,256}:[^\s/@\"']{1,512}@")
_KEY_OF_BUCKET = re.compile(r"[^\s/@:,\"']{1,256}:[^\s@\"']{1,512}@")
_NUMBERS = re.compile(r"(?:int|bool|float|None|tuple|[\s\[\],.|])+")
_USER_OF_ORACLE = re.compile(r"(jdbc:oracle:\w{1,20}:)[^\s/@:\"']{1,256}/[^\s@\"']{1,256}@")
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("AKIA", re.compile(r"AKIA[0-9A-Z]{16}(?![0-9A-Za-z])")),
    ("ASIA", re.compile(r"ASIA[0-9A-Z]{16}(?![0-9A-Za-z])")),
    ("Bearer ", re.compile(r"(?<=Bearer )[A-Za-z0-9._~+/=-]{8,4096}")),
    ("uthorization: Basic ", re.compile(r"(?<=uthorization: Basic )[A-Za-z0-9+/=_-]{4,4096}")),
    ("pi-key: ", re.compile(r"(?<=pi-key: )[^\s,;\"']{4,4096}")),
    ("IDENTIFIED BY ", re.compile(r"(?<=IDENTIFIED BY )'[^'\n]{1,4096}'")),
    ("--password ", re.compile(r"(?<=--password )[^\s,;]{1,4096}")),
    ("eyJ", re.compile(r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?")),
    ("dapi", re.compile(r"dapi[0-9a-f]{32}(?:-\d)?")),
    ("gh", re.compile(r"gh[pousr]_[A-Za-z0-9]{20,255}")),
    ("xox", re.compile(r"xox[abposr]-[A-Za-z0-9-]{10,255}")),
    ("AIza", re.compile(r"AIza[\w-]{35}")),
    (
        "PRIVATE KEY-----",
        re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}-----)?"),
    ),
)


OWN_WORDS = "own words"
"""Stands in the metadata of a dataclass' field whose texts are this program's own, so that no secret can be in them."""

_PLAIN_TYPES = frozenset({int, float, bool, type(None)})
_WITHOUT_TEXTS: tuple[str, ...] = ("",)
_KINDS: dict[Any, tuple[str, ...]] = {}
"""Type to the names of its fields that can hold texts; `_WITHOUT_TEXTS` for numbers and for dataclasses of numbers."""

_SHORT = 512
_MOST_KNOWN = 20_000
_SHORT_TEXTS: dict[tuple[str, ...], dict[str, str]] = {}
"""By patterns, what short texts come to: names of operators and places are the same in all of a night's logs."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """What to take out of texts.

    Attributes:
        patterns: Regular expressions of a user; what they match is replaced as a whole.
    """

    patterns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Compiles the patterns once, so that a wrong one is told at once.

        Raises:
            UsageError: A pattern is no regular expression, or it matches the empty string.
        """
        for pattern in self.patterns:
            _check(pattern)

    def text(self, text: str) -> str:
        """A text without secrets."""
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
        if "@" in text:
            text = without_users(text)
            text = _USER_OF_ORACLE.sub(rf"\1{MASK}@", text) if "jdbc:oracle:" in text else text
        for mark, shape in _SHAPES:
            if mark in text:
                text = shape.sub(MASK, text)
        text = _without_named(text)
        for pattern in self.patterns:
            text = _compiled(pattern).sub(MASK, text)
        return text

    def value(self, value: _Value, left: str = "") -> _Value:
        """A value without secrets in any of its texts: strings, bytes, tuples, lists, mappings, dataclasses.

        Args:
            value: Anything.
            left: The name of a dataclass' field that is left as it is.
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
            return self._with_fields(value, (name for name in names if name != left) if left else names)
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
        """A mapping's value: its name can tell that it is a secret."""
        if type(value) in _PLAIN_TYPES:
            return value
        if isinstance(value, str) and isinstance(name, str):
            return self.text(f"{name}={value}").partition("=")[2] if _is_telling(name) else self.text(value)
        return self._redacted(value)


def without_users(text: str) -> str:
    """A text without `user:password@` in URLs; the keys of S3 (`s3a://key:secret@bucket`) may hold slashes."""
    pieces: list[str] = []
    kept = 0
    for at in _places(text, "://"):
        pattern = _KEY_OF_BUCKET if text.endswith(("s3", "s3a", "s3n"), max(0, at - 3), at) else _USER_OF_URL
        user = pattern.match(text, at + 3) if at + 3 >= kept else None
        if user is not None:
            pieces += (text[kept : at + 3], MASK)
            kept = user.end() - 1
    return "".join((*pieces, text[kept:])) if pieces else text


def _without_named(text: str) -> str:
    """A text without the values that stand behind telling names: `password=…`, `token -> …`, `"secret": "…"`."""
    lower = text.lower()
    if len(lower) != len(text):  # a few letters become two
        lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    pieces: list[str] = []
    kept = done = 0
    for at in sorted(place for word in _WORDS if word in lower for place in _places(lower, word)):
        if at < done:
            continue
        done, start, end = _value_behind(text, lower, at)
        if end > start:
            pieces += (text[kept:start], MASK)
            kept = end
    return "".join((*pieces, text[kept:])) if pieces else text


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _value_behind(text: str, lower: str, at: int) -> tuple[int, int, int]:
    """Where to look on, and where the secret begins and ends whose name has one of the words at `at`."""
    run = _RUN.match(text, at)
    name_end = run.end() if run else at
    if lower.startswith(("sig=", "sas", "auth"), at) and not lower.startswith("authorization", at):
        telling = _INNER_WORD.match(text, at) is not None or _INNER_WORD.match(text, max(at - 1, 0)) is not None
        if not telling:
            return at + 1, 0, 0
    elif lower[at] in "_.-" and not _KEY_KIND.search(text, max(0, at - 12), at):
        return at + 1, 0, 0
    separator = _SEPARATOR.match(text, name_end)
    secret = _SECRET.match(text, separator.end()) if separator else None
    if secret is None:
        return name_end, 0, 0
    return secret.end(), secret.start(), secret.end()


def _is_telling(name: str) -> bool:
    return any(word in name.lower() for word in _WORDS)


def _changed(before: Any, after: list[Any]) -> Any:
    """A sequence of the same type, or the one before where nothing has changed."""
    if all(old is new for old, new in zip(before, after, strict=True)):
        return before
    if isinstance(before, list):
        return after
    return type(before)(*after) if hasattr(before, "_fields") else tuple(after)


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
    """The fields of a dataclass that can hold texts: all but numbers, and tuples of nothing else; of others none."""
    if kind in _PLAIN_TYPES:
        return _WITHOUT_TEXTS
    if not is_dataclass(kind):
        return ()
    found = tuple(
        each.name for each in fields(kind) if not _NUMBERS.fullmatch(str(each.type)) and OWN_WORDS not in each.metadata
    )
    return found or _WITHOUT_TEXTS


PLAIN = Redaction()
"""What is taken out where a user adds nothing."""
