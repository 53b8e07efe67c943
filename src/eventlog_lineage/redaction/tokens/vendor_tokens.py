"""Redact tokens by the prefixes of their vendors, with gitleaks' rules and further ones.

There are more than a hundred prefixes, and tokens are rare: `words` classifies each word once, and only the rules for
its words run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eventlog_lineage.redaction.mask import masked

from .gitleaks_rules import RULES
from .own_rules import FURTHER_RULES, OWN_RULES, SHORTER
from .rules import known_prefixes, rules, rules_by_prefix

_SHORTEST = 16
_REST = re.compile(r"[A-Za-z0-9]{0,4096}(?:[=_+]{1,3}[A-Za-z0-9][\w+/=-]{15,4096})?={0,2}")
"""What a token is longer by than its vendor's are today; Base64 in several parts."""
_BEFORE_DOT = frozenset(
    {"SG", "hvs", "hvb", "ya29", "dt0c01", "dt0s16", "dp", "atlasv1", "snyk_uat", "VF", "mlsn", "hvr", "sat", "pat"}
)
"""Unambiguous prefixes that end with a dot."""
_LONG_PREFIXES = tuple(
    {
        prefix
        for _, prefixes, expression in (*OWN_RULES, *FURTHER_RULES, *RULES)
        for prefix in prefixes
        if (len(prefix) > 3 and prefix[-1] in "_-.") or "+/]" in expression or "+\\/]" in expression
    }
)
"""Prefixes that are unambiguous before any text, and those before Base64, whose first `/` may be near."""
_RANDOM = re.compile(
    r"(?=[\w~-]{0,64}\d)(?=[\w~-]{0,64}[a-z])(?=[\w~-]{0,64}[A-Z])[\w~-]{20,}$|(?=\D{0,64}\d)\w{60,}|[\w-]{0,64}-[0-9a-f]{100,}"
)


_LONG_RANDOM = re.compile(
    r"(?<![\w+/.:-])(?=[^a-z]{0,64}[a-z])(?=[^A-Z]{0,64}[A-Z])[A-Za-z0-9+/_-]{60,8192}={0,2}(?![\w.(#])"
)
"""A key or token of an unknown vendor, whatever is before it."""
_TURN = re.compile(r"[a-z]\d|\d[a-z]|[A-Z]\d|\d[A-Z]")
_LEAST_TURNS = 8
_SHORTEST_PIECE = 24


def is_token(word: str) -> bool:
    """Return whether a word is a token, or the beginning of a token with further characters."""
    lower = word.lower()
    if len(word) < _SHORTEST:
        return word in _BEFORE_DOT or lower.startswith(_LONG_PREFIXES) or "q~" in lower
    if known_prefixes().search(lower) is None:
        return False
    every, by_prefix = rules_by_prefix()
    return SHORTER.search(word) is not None or any(
        rule.pattern.search(word) or (not rule.one_word and (not rule.begins or lower.startswith(rule.prefixes)))
        for prefix in sorted({match[1] for match in every.finditer(lower)})
        for rule in by_prefix[prefix]
    )


def is_random(word: str) -> bool:
    """Return whether a word may be the part of a token after a prefix that is not a word: `s.…`, `1//0…`."""
    return len(word) >= _SHORTEST and _RANDOM.match(word) is not None


def _whole(text: str, end: int) -> int:
    """Return the end of a token that is longer than its vendor's are today."""
    rest = _REST.match(text, end) if text[end - 1 : end].isalnum() or text[end - 1 : end] == "=" else None
    return rest.end() if rest else end


def without_vendor_tokens(text: str, tokens: Sequence[str]) -> str:
    """Return a text without the tokens that have a vendor's prefix.

    Args:
        text: Any text.
        tokens: Its words that are tokens, see `is_token`.
    """
    words, lower = " ".join(tokens).lower(), text.lower()
    for rule in rules():
        if rule.far or any(prefix in words for prefix in rule.prefixes) or (tokens and not rule.one_word):
            spans = sorted((start, _whole(text, end)) for start, end in rule.spans(text, lower))
            if spans:
                text = masked(text, spans)
                lower = text.lower()
    spans = [(match.start(), _whole(text, match.end())) for match in SHORTER.finditer(text)] if tokens else []
    text = masked(text, spans) if spans else text
    return masked(text, [match.span() for match in _LONG_RANDOM.finditer(text) if _is_one(match[0])])


def _is_one(text: str) -> bool:
    """Return whether a long text is random, and no path."""
    return len(_TURN.findall(text)) >= _LEAST_TURNS and len(max(text.split("/"), key=len)) >= _SHORTEST_PIECE
