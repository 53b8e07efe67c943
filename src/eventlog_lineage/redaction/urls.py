"""Redact users and passwords in URLs and in similar addresses of databases."""

from __future__ import annotations

import re
from urllib.parse import unquote

from .mask import MASK, Span, masked, offsets
from .names import is_sensitive, looks_secret

_PORT = re.compile(r"\d{1,5}(?=[/?#\s\"'`,;)\]}<>]|$)")
_USER = re.compile(r"[^\s/@:,\"'`<>\[]{0,256}:")
_PASSWORD = re.compile(
    r"[^\s@\"'`<>]{0,512}(?:(?<=\w) [^\s@\"'`<>:/=$,]{1,64}(?=@[\w.-]{1,255}[:/]))?@(?:[^\s@/\"'`<>]{1,256}@)*"
)
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}:(?!\d{1,5}[/?#])[^\s/@:\"'`<>]{1,512}@")
"""The address of a person as a user, and a password: `etl@example.com:x@`."""
_CUT = re.compile(
    r"[^\s/@:,\"'`<>\[]{0,256}:(?=[^\s\d]{0,64}\d)(?=[^\sA-Za-z]{0,64}[A-Za-z])[^\s@\"'`<>/?#:,;()\[\]{}]{2,512}$"
)
_LONGEST_CUT = 780
_KEY_OF_BUCKET = re.compile(r"[^\s/@:,\"']{1,256}:[^\s@\"']{1,512}@")
_USER_ONLY = re.compile(r"[^\s/@:,?#\"'`<>]{1,512}@(?=[\w\[])")
_TOKEN_ONLY = re.compile(r"(?=[\w.~-]{0,64}\d)(?=[\w.~-]{0,64}[A-Za-z])[\w.~-]{20,512}@")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}$")
_TOKEN_SCHEMES = frozenset("http https ws wss ftp ftps git git+http git+https redis rediss".split())
"""Schemes in which a single word before the `@` is a token; elsewhere it is a user, a container or a bucket."""
_CONTAINERS = frozenset("abfs abfss wasb wasbs adl".split())

_ENCODED = re.compile(
    r"(?P<before>%(?:25)?3A(?:%(?:25)?2F){2})(?:[^\s\"'&%]|%(?!(?:25)?40)[0-9A-F]{2}){0,256}"
    r"%(?:25)?3A(?:[^\s\"'&%]|%(?!(?:25)?40)[0-9A-F]{2}){1,512}(?P<after>%(?:25)?40)",
    re.IGNORECASE,
)
_ENTRY = re.compile(
    r"(?<=[?&;])(?P<name>[\w.-]{0,64}%[\w.%-]{2,128})=(?P<value>(?:[^\s\"'&<>%]|%[0-9A-F]{2}){1,4096})", re.IGNORECASE
)
"""An entry of a query whose name is encoded."""
_PARAMETER = re.compile(r"(?<=[?&])(?:(?:key|code|k|p|t)=|appid=(?=[\da-f]{32}))(?P<value>[\w.~+/=-]{5,4096})")
"""An entry of a query with a short name."""
_ORACLE = re.compile(r"(?P<before>jdbc:oracle:\w{1,20}:)[^\s/@:\"']{1,256}/(?:\"[^\"\n]{1,256}\"|[^\s@\"']{1,256})@")
_BEFORE_AT = re.compile(
    r"(?:(?<=connect )|(?<=conn )|(?<=sqlplus )|(?<=sqlplus -\w )|(?<=sqlplus [\"'])|(?<=[mx]pdp )"
    r"|(?<=userid=)|(?<=-logon )|(?<=connect\([\"']))"
    r"[\w.$#-]{1,128}/(?:\"[^\"\n]{1,256}\"|[^\s@\"']{1,256})$"
    r"|(?:(?<![\w/.:+-])|(?<=//))(?!mailto:)[\w.+-]{1,64}:[^\s@/:\"'`<>(),;=]{3,256}$"
    r"|(?<=[\w./]/)[\w.+-]{1,64}:[^\s/:\"'`<>(),;=]{3,256}$",
    re.IGNORECASE,
)
_ALONE = re.compile(r"[\w$-]{1,64}/[^\s/@.:'\"]{6,256}$")
_DATABASE = re.compile(
    r"(?!v?\d|sha\d|main\b|master\b|latest\b|head\b|dev\w*\b)[A-Za-z][\w.]{1,64}(?:[\s'\"),;]|$)", re.IGNORECASE
)
"""An alias of Oracle's, and neither a version nor a branch."""
_HOST_ALONE = re.compile(r"[\w.-]{1,255}(?:\s|$|[,;\"')\]])")
_LOGIN = re.compile(
    r"\b(?:log(?:ged|ging)?[ -]?(?:in|on)|sign(?:ed)?[ -]?in|connect(?:ed|ing)?|auth\w{0,16}|s?ftp|ssh)"
    r"(?: [a-z]{1,16}){0,2}[ :=]{1,3}$",
    re.IGNORECASE,
)
"""Words before a user and a password."""
_HOST = re.compile(r"\(|//[\w.-]{1,255}[:/]|[\w.-]{1,255}(?::\d{2,5}\b|/|\(|\s|$|[,;\"')\]])")
_IN_PIECES = re.compile(
    r"(?P<before>://(?:[\w.%+-]{1,64}:'?, '?|'?, [^,\n]{1,128}, '?:'?, '?))[^',\n]{1,512}(?='?, '?@)"
)
"""`concat('https://etl:', 'x', '@host')`, as statements and plans print it."""
_PGPASS = re.compile(r"(?P<before>[\w.*-]{1,255}:\d{4,5}:[\w*]{1,64}:[\w*]{1,64}:)[^\s\"']{1,256}(?<!,)")


def without_users(text: str) -> str:
    """Return a text without `user:password@` and without single tokens in its URLs.

    The keys of S3 (`s3a://key:secret@bucket`) and passwords may contain slashes; a port is not a password. Text before
    the `@` without a colon is a container in `abfss:` and a user in `hdfs:` or `jdbc:`, and is kept.
    """
    spans: list[Span] = []
    done = 0
    for at in offsets(text, "://"):
        begin = at + 3
        end = _user_end(text, at, begin) if begin >= done else begin
        if end > begin:
            spans.append((begin, end))
            done = end
    return masked(text, spans)


def _user_end(text: str, at: int, begin: int) -> int:
    """Return the end of the secrets before the host of a URL; their start if there are none."""
    found = _SCHEME.search(text[max(0, at - 31) : at])
    scheme = found[0].lower() if found else ""
    if scheme in ("s3", "s3a", "s3n"):
        keys = _KEY_OF_BUCKET.match(text, begin)
        return keys.end() - 1 if keys else begin
    user = _USER.match(text, begin)
    if user is None and (address := _ADDRESS.match(text, begin)):
        return address.end() - 1
    if user is None:
        pattern = _USER_ONLY if scheme in _TOKEN_SCHEMES else None if scheme in _CONTAINERS else _TOKEN_ONLY
        alone = pattern.match(text, begin) if pattern else None
        return alone.end() - 1 if alone else begin
    if _PORT.match(text, user.end()):
        return begin
    password = _PASSWORD.match(text, user.end())
    return password.end() - 1 if password else begin


def without_cut_user(text: str) -> str:
    """Return a text without the user at its end: Spark and other programs cut texts, also before the `@` of a URL.

    >>> without_cut_user("fetch https://etl:x7Qz"), without_cut_user("http://host:8080")
    ('fetch https://***', 'http://host:8080')
    """
    at = text.rfind("://", -_LONGEST_CUT)
    return f"{text[: at + 3]}{MASK}" if at >= 0 and _CUT.match(text, at + 3) else text


def without_connection_users(text: str) -> str:
    """Return a text without users, passwords and keys of URLs, and those before an `@` of Oracle and Go."""
    if "jdbc:oracle:" in text:
        text = _ORACLE.sub(rf"\g<before>{MASK}@", text)
    if "://" in text:
        text = _IN_PIECES.sub(rf"\g<before>{MASK}", without_users(text))
    if "?" in text:
        text = masked(text, [each.span("value") for each in _PARAMETER.finditer(text) if looks_secret(each["value"])])
    return masked(text, _without_scheme(text)) if "@" in text else text


def without_encoded_users(text: str) -> str:
    """Return a text without users and passwords of URLs within URLs, and without values of encoded names.

    `https%3A%2F%2Fetl%3Ax%40host`, `?api%5Fkey=x`.
    """
    text = _ENCODED.sub(rf"\g<before>{MASK}\g<after>", text) if "40" in text else text
    return masked(text, [each.span("value") for each in _ENTRY.finditer(text) if is_sensitive(unquote(each["name"]))])


def without_pgpass(text: str) -> str:
    """Return a text without the passwords of a `.pgpass` file: `host:5432:database:user:password`."""
    return _PGPASS.sub(rf"\g<before>{MASK}", text) if ":5432:" in text else text


def _is_service(text: str) -> bool:
    """Return whether a text begins with the address of an Oracle service: `//host`, `host:1521/service`."""
    host, slash, _ = text.partition("/")
    name, _, port = host.partition(":")
    return text.startswith("//") or bool(slash and name.replace(".", "").replace("-", "").isalnum() and port.isdigit())


def _is_strong(user: str) -> bool:
    """Return whether it is `user/password`, or `user:password` whose password is not a word."""
    name, _, password = user.partition(":")
    if "/" in user:
        return True
    kinds = {str.isdigit, str.islower, str.isupper}
    return len(password) >= 8 and all(any(map(kind, password)) for kind in kinds) and not is_sensitive(name)


def _is_login(before: str, user: re.Match[str]) -> bool:
    """Return whether words for a login precede `user:password`, rather than a port."""
    return not user[0].rpartition(":")[2].isdigit() and _LOGIN.search(before, 0, user.start()) is not None


def _without_scheme(text: str) -> list[Span]:
    """Return the spans of users and passwords without a scheme: `sqlplus u/p@db`, `u:p@tcp(db:3306)/x`."""
    spans: list[Span] = []
    for at in offsets(text, "@"):
        before = text[max(0, at - 400) : at]
        word = before.replace("\n", " ").replace("\t", " ").rpartition(" ")[2].lstrip("\"'(=[")
        if "://" in word or {":", "/"}.isdisjoint(word) or not _HOST.match(text, at + 1):
            continue
        found = _BEFORE_AT.search(before)
        if word.count("/") == 1 and _is_service(text[at + 1 : at + 256]):
            spans.append((at - len(word), at))  # Oracle's `user/password@//host:1521/service`
        elif (
            not found and _ALONE.match(word) and _DATABASE.match(text, at + 1) and looks_secret(word.partition("/")[2])
        ):
            spans.append((at - len(word), at))
        elif found and (_is_strong(found[0]) or not _HOST_ALONE.match(text, at + 1) or _is_login(before, found)):
            spans.append((at - len(before) + found.start(), at))
    return spans
