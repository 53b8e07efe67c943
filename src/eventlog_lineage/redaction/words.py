"""Find the kinds of secrets that a text may contain, by its words.

A plan text has thousands of words, nearly all of them known: operators, columns, functions. So a text is split into
words once, in C, and the set of words that indicate no secret is subtracted, in C. Only the remaining words are
classified, and only the searches for their kinds run; mostly none.
"""

from __future__ import annotations

import re
from enum import IntFlag

from .names import KEYS, PARTS, is_sensitive, undisguised
from .tokens.vendor_tokens import is_random, is_token


class Kind(IntFlag):
    """The kinds of secrets that a word indicates."""

    NOTHING = 0
    NAME = 1
    """A sensitive name: `sfPassword`."""
    KEY = 2
    """The word `key`: an application key is a secret, a primary key is not."""
    KEY_OF = 4
    """A word before `key`: `account`."""
    NAME_OF_KEY = 8
    """A name that ends with the word `key`."""
    KEYS = 16
    """The word `keys`, which each plan has: of an aggregate; `.keys` is the end of an option's name."""
    OPTIONS = 32
    """A word before a list of options, in which a `key` is a secret."""
    TOKEN = 64
    """A token with a vendor's prefix."""
    RANDOM = 128
    """Text that may follow a vendor's prefix."""
    FORM = 256
    """A word of a form: `IDENTIFIED BY`, `Bearer`, `mysql`."""
    LETTER = 512
    """A letter alone: of `u: x p: y`, or of `p/w`."""


_IN_WORDS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-~")
_TABLE = bytes(byte if byte in _IN_WORDS else 32 for byte in range(256))
_KNOWN: dict[str, Kind] = {
    **dict.fromkeys(("code", "codes", "answer"), Kind.KEY),
    **dict.fromkeys(("options", "with", "tblproperties", "properties", "credential", "credentials"), Kind.OPTIONS),
    **dict.fromkeys(
        "identified declare variable var pragma attach connect bearer basic token pat ssws dpop splunk geniekey"
        " hook hooks webhook webhooks webhookb2 pagerduty 5432 --user --proxy-user --creds --login --auth vault"
        " logon stdin conn getconnection pdo dbi- passwordauthentication mysql postgresql openrowset convertto-"
        " securestring fernet rclone rabbitmqctl secretkeyspec aes createhmac net login authenticate cryptsetup"
        " age chpasswd kinit sudo ssh-keygen mc plaintextauthprovider sp_addlogin sp_addlinkedsrvlogin"
        " sp_setapprole sqlplus sqlldr expdp impdp exp imp rman put-secret scp rsync".split(),
        Kind.FORM,
    ),
    **dict.fromkeys("setvariable createvariable system.session".split(), Kind.NAME),
    "p": Kind.LETTER,
    **dict.fromkeys(("apr1", "argon2id", "argon2i"), Kind.RANDOM),
    **dict.fromkeys(
        "verification activation confirmation unlock backup mfa otp 2fa sms sensitive".split(), Kind.KEY_OF
    ),
    **dict.fromkeys(
        "sid passe userinfo ssword ssw0rd chave chiave one-time phrase community kata mat parola".split(), Kind.NAME
    ),
}
_LOGINS = ("login", "logon", "log-in", "signin", "sign-in", "authenticated", "connect", "mysqli", "remote", "zugang")
"""Words before a user and a secret."""
_SHORTEST_WITH_END = 20
_BEGIN_FORMS = ("-p", "-u", "-a", "-k", "-w", "-b", "-----begin", "putty-user-key")
"""Beginnings of flags and blocks."""
_ASCII = tuple(part for part in PARTS if part.isascii())
_NOT_ASCII = tuple(part for part in PARTS if not part.isascii())
_KEY_OF = tuple(sorted(KEYS))
_MOST_KNOWN = 100_000
_LONG_NUMBER = 20
"""Digits of a number that may be a part of a token; ids have 64 bits."""
_APPLICATION_ID = re.compile(rb"(?:application|app|local)(?:[-_]\d{1,19})+").fullmatch
"""Ids of YARN, of standalone clusters and Kubernetes, and of local masters (SparkContext, 3.x and 4.x)."""
_HARMLESS: set[bytes] = set()
_TELLING: dict[bytes, int] = {}
_TOKEN = Kind.TOKEN.value
_LETTER = Kind.LETTER.value
_PLURAL = Kind.KEYS.value
_KEYS = {"key": Kind.KEY, "keys": Kind.KEYS}


def kinds_of(text: str) -> tuple[Kind, list[str]]:
    """Return the kinds of secrets that a text's words indicate, and the words that are tokens."""
    found, tokens = 0, []
    if not text.isascii():
        text = undisguised(text)
        found = Kind.NAME.value if any(part in text.lower() for part in _NOT_ASCII) else 0
    for word in set(text.encode("ascii", "replace").translate(_TABLE).split()) - _HARMLESS:
        if word.isdigit() and len(word) < _LONG_NUMBER and word != b"5432":
            continue  # most are attribute ids, which are other ones in each plan
        if _APPLICATION_ID(word):
            continue  # another one in each log's path
        known = _TELLING.get(word)
        kind = known if known is not None else _learned(word)
        found |= kind
        if kind & _TOKEN:
            tokens.append(word.decode("ascii"))
    if found & _PLURAL and ".keys" in text:
        found |= Kind.KEY.value
    if found & _LETTER and "p/w" in text.lower():
        found |= Kind.NAME.value
    return Kind(found), tokens


def _learned(word: bytes) -> int:
    """Return the kind of an unknown word, and cache it."""
    kind = _kind_of(word.decode("ascii")).value
    if len(_HARMLESS) + len(_TELLING) >= _MOST_KNOWN:
        _HARMLESS.clear()
        _TELLING.clear()
    if kind:
        _TELLING[word] = kind
    else:
        _HARMLESS.add(word)
    return kind


def _is_name(word: str) -> bool:
    """Return whether a word is a sensitive name, or one with a random end."""
    return is_sensitive(word) or (
        len(word) > _SHORTEST_WITH_END and is_sensitive(word.replace("-", "_").partition("_")[0])
    )


def _begins_word(before: str) -> bool:
    """Return whether what follows a text begins a word; `-d` is Java's flag for a system property."""
    return before in ("", "-d") or not "a" <= before[-1] <= "z"


def _of_key(lower: str) -> Kind:
    """Return the kinds of the word `key`, of names that end with it, and of a word before it."""
    if lower.endswith(("key", "keys")):
        return _KEYS.get(lower, Kind.NAME_OF_KEY)
    ends = (each for each in _KEY_OF if lower.endswith(each)) if lower.endswith(_KEY_OF) else ()
    return Kind.KEY_OF if any(_begins_word(lower[: -len(each)]) for each in ends) else Kind.NOTHING


def _kind_of(word: str) -> Kind:
    lower = word.lower()
    kind = _KNOWN.get(lower, Kind.NOTHING)
    plain = (word if word.isalpha() else undisguised(word)).partition("~")[0]
    if lower.endswith(_LOGINS) or (any(map(plain.lower().__contains__, _ASCII)) and _is_name(plain)):
        kind |= Kind.NAME
    kind |= _of_key(lower)
    if "crypt" in lower or "hmac" in lower or lower.startswith(_BEGIN_FORMS):
        kind |= Kind.FORM
    if is_token(word):
        kind |= Kind.TOKEN
    elif is_random(word):
        kind |= Kind.RANDOM
    return kind
