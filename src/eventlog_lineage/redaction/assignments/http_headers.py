"""Redact credentials of HTTP: `Authorization: Basic …`, `Cookie: …`, and `Bearer …` without a header's name."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error

from eventlog_lineage.redaction.mask import LONGEST, MASK, Span, is_nothing
from eventlog_lineage.redaction.names import looks_secret

from .ends import bare

_SCHEME = re.compile(
    r"(?:bearer|basic|token|digest|negotiate|ntlm|api-?key|api-token|key|hawk|oauth|ssws|splunk|aws4?(?:-hmac-sha256)?|bot|jwt"
    r"|dpop|sharedkey(?:lite)?|genie-?key|sso-key|mac|googlelogin|[a-z][\w-]{1,20}(?=\s(?=[\w+/=.~-]{0,64}\d)[\w+/=.~-]{16}))"
    r"(?:\\?\s{1,3}|%20)(?=\S)",
    re.IGNORECASE,
)
_PARAMETER = r"[\w-]{1,64}=(?:\\?\"[^\"\n]{0,1024}\"|[^\s,\"']{1,1024})"
_PARAMETERS = re.compile(rf"{_PARAMETER}(?:,\s{{0,3}}{_PARAMETER}){{1,32}}")
_COOKIES = re.compile(r"[^\s;\"',\])]{1,4096}(?:;\s{0,2}[\w.$-]{1,128}(?:=[^\s;\"',\])]{0,4096})?){0,64}")

_BEARER = re.compile(
    r"(?<=Bearer )[A-Za-z0-9._~+/=-]{8,4096}|(?i:(?<=bearer[ \t]))(?=[\w.~+/=-]{0,64}\d)[\w.~+/=-]{8,4096}"
    r"|(?i:(?<=\bpat[ \t=:])|(?<=\bpat[=:][ \t]))(?=[a-z]{0,64}\d)(?=\d{0,64}[A-Za-z])[A-Za-z0-9]{32,512}"
    r"|(?i:(?<=\btoken[ \t])|(?<=\b(?:ssws|dpop)[ \t])|(?<=\bsplunk[ \t])|(?<=\bgeniekey[ \t]))"
    r"(?=[\w.~+/=-]{0,64}\d)(?=[\w.~+/=-]{0,64}[A-Za-z])[\w.~+/=-]{16,4096}"
)
_BASIC = re.compile(r"(?<=basic[ \t])[A-Za-z0-9+/_-]{6,4096}={0,2}", re.IGNORECASE)
_SHORTEST_RANDOM = 20


def value_of_header(name: str, text: str, at: int) -> Span | None:
    """Return the span of an unquoted header's secret, without the scheme."""
    if name.lower().endswith(("authorization", "auth")):
        scheme = _SCHEME.match(text, at)
        at = scheme.end() if scheme else at
        parameters = _PARAMETERS.match(text, at) if scheme else None
        end = parameters.end() if parameters else bare(text, at)
        return (at, end) if scheme and not is_nothing(text, at, end) else (at, at) if scheme else None
    if name.lower().endswith(("cookie", "cookies")):
        cookies = _COOKIES.match(text, at, at + LONGEST)
        return (at, cookies.end()) if cookies else None
    return None


def without_credentials(text: str) -> str:
    """Return a text without credentials of requests that no header's name precedes."""
    text = _BEARER.sub(MASK, text)
    return _BASIC.sub(lambda match: MASK if _is_user_and_password(match[0]) else match[0], text)


def _is_user_and_password(encoded: str) -> bool:
    """Return whether a text is a credential of `Basic`: base64 of `user:password`, or random."""
    if len(encoded) >= _SHORTEST_RANDOM and looks_secret(encoded):
        return True
    padded = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = b64decode(padded + "=" * (-len(padded) % 4), validate=True)
    except Error:
        return False
    return b":" in decoded and decoded.isascii()
