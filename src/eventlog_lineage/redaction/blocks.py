"""Redact armoured keys, and addresses that are secret."""

from __future__ import annotations

import re

from .mask import MASK, Span, masked

_LONGEST_BLOCK = 100_000

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 _-]{0,60}(?:PRIVATE KEY(?: BLOCK)?|PGP MESSAGE)-----", re.IGNORECASE)
_END = re.compile(r"-----END [A-Z0-9 _-]{0,60}-----", re.IGNORECASE)
_BODY = re.compile(
    r"(?:(?:\s|\\[nr]){0,4}(?:[\w-]{1,40}: [^\n\"']{0,200}(?=\n)|[A-Za-z0-9+/=]{16,100})){0,2000}"
    r"(?:(?:\n|\\n)(?=[A-Za-z]{0,15}[0-9+/=])[A-Za-z0-9+/=]{1,15})?"
)
_PUTTY = re.compile(
    r"PuTTY-User-Key-File-\d: [^\n]{0,200}"
    r"(?:\n(?:[\w-]{1,40}: [^\n]{0,200}|[A-Za-z0-9+/=]{20,200}|[A-Za-z0-9+/]{1,20}=)){0,2000}"
)
_WEBHOOK = re.compile(
    r"(?P<before>hooks\.slack\.com/(?:services|workflows|triggers)/|\.office(?:365)?\.com/webhook(?:b2)?/"
    r"|discord(?:app)?\.com/api/webhooks/|hooks\.zapier\.com/hooks/|events\.pagerduty\.com/integration/)[\w/@.*-]{8,512}",
    re.IGNORECASE,
)
_HOOK = re.compile(
    r"(?P<before>://(?:[\w.:-]{0,64}hooks?\b[\w.:-]{0,64}/(?:[\w.-]{1,64}/){0,4}"
    r"|[\w.:-]{1,128}/(?:[\w.-]{1,64}/){0,4}(?:web)?hooks?/(?:[\w.-]{1,64}/){0,4}))"
    r"(?=[\w-]{0,64}\d)(?=[\w-]{0,64}[A-Za-z])[\w-]{16,512}",
    re.IGNORECASE,
)


def without_blocks(text: str) -> str:
    """Return a text without private keys, encrypted messages and the secret part of webhooks' addresses."""
    text = masked(text, _blocks(text))
    text = _PUTTY.sub(MASK, text) if "PuTTY-User-Key" in text else text
    return _HOOK.sub(rf"\g<before>{MASK}", _WEBHOOK.sub(rf"\g<before>{MASK}", text))


def _blocks(text: str) -> list[Span]:
    """Return the spans of the blocks; a truncated block ends with its characters."""
    spans: list[Span] = []
    end = _END.search(text)
    for begin in _BEGIN.finditer(text):
        if spans and begin.start() < spans[-1][1]:
            continue
        if end is not None and end.start() < begin.end():
            end = _END.search(text, begin.end())
        is_whole = end is not None and end.start() - begin.end() <= _LONGEST_BLOCK
        last = end if is_whole else _BODY.match(text, begin.end())
        spans.append((begin.start(), last.end() if last else begin.end()))
    return spans
