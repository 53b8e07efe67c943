"""Which kinds of secrets a text may hold, by its words.

A plan text has thousands of words, nearly all of them seen before: operators, columns, functions. So a text is split
into words once, in C, and the set of those that no kind of secret has to do with is taken away from the set of its
words, in C. Only what remains is looked at, and only the searches run that it calls for; mostly none.
"""

from __future__ import annotations

import re
from enum import IntFlag

from .names import KEYS, PARTS, is_telling
from .tokens.vendor_tokens import is_random, is_token


class Kind(IntFlag):
    """What a word gives a reason to look for."""

    NOTHING = 0
    NAME = 1
    """A telling name: `sfPassword`."""
    KEY = 2
    """The word `key`: a secret of an application, a primary one is none."""
    KEY_OF = 4
    """What a key is of: `account`."""
    OPTIONS = 8
    VALUES = 16
    STATEMENT = 32
    """`IDENTIFIED BY`, `aes_encrypt`."""
    TOKEN = 64
    """A token with a vendor's prefix."""
    HEADER = 128
    FLAG = 256
    BLOCK = 512
    PGPASS = 1024
    RANDOM = 2048
    """What may follow a vendor's prefix."""


_IN_WORDS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-~")
_TABLE = bytes(byte if byte in _IN_WORDS else 32 for byte in range(256))
_KNOWN: dict[str, Kind] = {
    "key": Kind.KEY,
    **dict.fromkeys(("options", "with", "tblproperties", "properties", "credential", "credentials"), Kind.OPTIONS),
    "values": Kind.VALUES,
    **dict.fromkeys(("identified", "aes_encrypt", "aes_decrypt", "try_aes_decrypt"), Kind.STATEMENT),
    **dict.fromkeys(("bearer", "basic", "token"), Kind.HEADER),
    **dict.fromkeys(("--user", "--proxy-user", "--creds", "--login", "--auth", "vault"), Kind.FLAG),
    **dict.fromkeys(("hooks", "webhook", "webhooks", "webhookb2"), Kind.BLOCK),
    "5432": Kind.PGPASS,
    "sid": Kind.NAME,
}
_KEY_OF = tuple(sorted(KEYS))
_BEFORE_KEY_OF = re.compile(r"(?:^|^-d|[^a-z])$")
_FLAG = re.compile(r"-[puawPU]")
_BLOCK = ("-----BEGIN", "-----begin", "PuTTY-User-Key")
_MOST_KNOWN = 100_000
_HARMLESS: set[bytes] = set()
_TELLING: dict[bytes, int] = {}
_TOKEN = Kind.TOKEN.value


def kinds_of(text: str) -> tuple[Kind, list[str]]:
    """Return the kinds of secrets that words of a text give a reason to look for, and the words that are tokens."""
    found, tokens = 0, []
    for word in set(text.encode("ascii", "replace").translate(_TABLE).split()) - _HARMLESS:
        known = _TELLING.get(word)
        kind = known if known is not None else _learned(word)
        found |= kind
        if kind & _TOKEN:
            tokens.append(word.decode("ascii"))
    return Kind(found), tokens


def _learned(word: bytes) -> int:
    """Return what an unknown word gives a reason for, and remember it; numbers are too many."""
    if word.isdigit() and word != b"5432":
        return 0
    kind = _kind_of(word.decode("ascii")).value
    if len(_HARMLESS) + len(_TELLING) >= _MOST_KNOWN:
        _HARMLESS.clear()
        _TELLING.clear()
    if kind:
        _TELLING[word] = kind
    else:
        _HARMLESS.add(word)
    return kind


def _kind_of(word: str) -> Kind:
    lower = word.lower()
    kind = _KNOWN.get(lower, Kind.NOTHING)
    if any(part in lower for part in PARTS) and is_telling(word):
        kind |= Kind.NAME
    if lower.endswith(_KEY_OF) and any(
        lower.endswith(each) and _BEFORE_KEY_OF.search(lower[: -len(each)]) for each in _KEY_OF
    ):
        kind |= Kind.KEY_OF
    if is_token(word):
        kind |= Kind.TOKEN
    elif is_random(word):
        kind |= Kind.RANDOM
    if word.startswith("-") and _FLAG.match(word):
        kind |= Kind.FLAG
    if any(block in word for block in _BLOCK):
        kind |= Kind.BLOCK
    return kind
