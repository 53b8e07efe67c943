"""Recognize names whose value is a secret: `password`, `sfPass`, `DB_PASS`, `fs.azure.account.key.x`."""

from __future__ import annotations

import re
from functools import lru_cache

PARTS = (
    *(
        "pass",
        "pw",
        "psw",
        "secret",
        "token",
        "cred",
        "auth",
        "sig",
        "sas",
        "pin",
        "otp",
        "cookie",
        "jwt",
        "sess",
        "key",
    ),
    *("kennwort", "wachtwoord", "contrase", "senha", "salasana", "adgangskode", "heslo", "haslo", "mot_de_", "motde"),
    *("hasło", "lösenord", "losenord", "şifre", "пароль", "密码", "密碼", "パスワード", "비밀번호"),
    "connect.sid",
)
"""Every sensitive name contains one of these, in lower case."""

_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
"""A word within a name: `sfPass` has two, `DB_PASS` has two, `PGPASSWORD` has one."""

_PROPERTY = re.compile(r"^-D(?=[A-Za-z])")
"""Java's flag for a system property."""

_ANYWHERE = re.compile(
    r"passw|pass[_.-]?phrase|pass[_.-]?code|pwd|pswd|secret|token|credential|authorization|signature"
    r"|(?:access|account|api|private)key|jsessionid|sessid|connect\.sid|asp\.net_session|(?:gitlab|laravel|rack)_session"
    r"|kennwort|wachtwoord|contrase[nñ]a|salasana|adgangskode|h[ea]slo|hasło|l[oö]senord|mot_?de_?passe|şifre|пароль"
    r"|密码|密碼|パスワード|비밀번호",
    re.IGNORECASE,
)
"""Parts of names whose value is a secret."""

_WORDS = frozenset({"auth", "oauth", "sas"})
"""Words in such names: `author` does not contain the word `auth`."""

_LAST = frozenset(
    "pass passwd password pw psw pswd pin otp sig cred creds credential credentials cookie cookies jwt secret token"
    " authorization"
    " passphrase passcode signature sas senha".split()
)
"""Words that make a name sensitive only if they end it: `pass_count` is a number."""

_LAST_LETTERS = ("pass", "pw", "pwd", "password", "passwd", "secret", "token", "apikey", "accesskey", "secretkey")
_ENGLISH = frozenset("compass bypass surpass trespass encompass overpass underpass".split())

KEYS = frozenset(
    "access account admin aes api app application auth certificate cipher client consumer crypto deploy enc encrypt"
    " encryption function functions gpg hmac host instrumentation integration licence license master pgp private root"
    " rsa sas secret security server service session shared sign signing ssh ssl storage subscription tls vault"
    " webhook".split()
)
"""Words before `key` in the names of secret keys: a primary, foreign or partition key is not secret."""
_KEY_AS_ONE = re.compile(rf"(?:{'|'.join(sorted(KEYS, key=len, reverse=True))})keys?$")

_LONGEST_NAME = 128


@lru_cache(maxsize=16_384)
def is_sensitive(name: str) -> bool:
    """Return whether the value of an option, a property or a variable with this name is a secret.

    >>> is_sensitive("sfPassword"), is_sensitive("pass_count")
    (True, False)
    """
    name = name[-_LONGEST_NAME:]
    if _ANYWHERE.search(name):
        return True
    words = _words(name)
    return any(word in _WORDS for word in words) or _ends_sensitive(words) or _has_key(words)


@lru_cache(maxsize=16_384)
def is_secret_column(name: str) -> bool:
    """Return whether a column with this name contains secrets; stricter, as plans have many columns.

    >>> [is_secret_column(name) for name in ("token", "token_count", "password_changed_at", "author")]
    [True, False, False, False]
    """
    words = _words(name[-_LONGEST_NAME:])
    return _ends_sensitive(words) or _has_key(words[-2:])


def _words(name: str) -> list[str]:
    words = [word.lower() for word in _HUMP.findall(_PROPERTY.sub("", name))]
    while words and words[-1].isdigit():
        words.pop()
    return words


def _ends_sensitive(words: list[str]) -> bool:
    if not words:
        return False
    last = words[-1]
    return (
        last in _LAST
        or last.removesuffix("s") in ("password", "secret", "token", "pin")
        or (last.endswith(_LAST_LETTERS) and last not in _ENGLISH)
    )


def _has_key(words: list[str]) -> bool:
    return any(
        (word in ("key", "keys") and before in KEYS) or _KEY_AS_ONE.search(word) is not None
        for before, word in zip(("", *words), words, strict=False)
    )
