"""Redact credentials of HTTP: `Authorization: Basic …`, `Cookie: …`, as the value of a header's name."""

from __future__ import annotations

import re

from eventlog_lineage.redaction.mask import LONGEST, Span, is_nothing

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
