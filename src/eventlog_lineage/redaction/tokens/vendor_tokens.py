"""Tokens that vendors mark with a prefix, by gitleaks' rules and some of our own.

There are more than a hundred prefixes, and hardly ever a token: `words` asks `is_token` about each word once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from eventlog_lineage.redaction.mask import MASK

from .gitleaks_rules import RULES

OWN_RULES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "aws-key-pair",
        ("akia", "asia"),
        r"(?:AKIA|ASIA)[0-9A-Z]{16}(?:\\{0,8}[\"']?\s{0,3}[,:;/|]\s{0,3}\\{0,8}[\"']?[A-Za-z0-9/+=]{40})?",
    ),
    ("azure-client-secret", ("q~",), r"\w{3}\dQ~[\w~.-]{31,40}"),
    ("buildkite", ("bkua_", "bkaj_"), r"bk(?:ua|aj)_[0-9a-f]{20,}"),
    ("circleci", ("ccipat_", "ccipjt_"), r"CCIP[AJ]T_[\w-]{20,}"),
    ("confluent", ("cflt",), r"cflt[A-Za-z0-9+/]{40,}"),
    ("databricks", ("dapi", "dkea", "dose", "ddba", "dsap"), r"d(?:api|kea|ose|dba|sap)[0-9a-f]{32}(?:-\d{1,2})?"),
    ("docker", ("dckr_pat_", "dckr_oat_"), r"dckr_[po]at_[\w-]{20,}"),
    ("figma", ("figd_",), r"figd_[\w-]{20,}"),
    (
        "gitlab",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-"),
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w-]{20,300}(?:\.[0-9a-z]{2}\.?[0-9A-Za-z]{7,9})?",
    ),
    ("google-access", ("ya29.",), r"ya29\.[\w.-]{20,}"),
    ("google-client", ("gocspx-",), r"GOCSPX-[\w-]{20,}"),
    ("groq", ("gsk_",), r"gsk_[A-Za-z0-9]{20,}"),
    ("huggingface", ("hf_",), r"hf_[A-Za-z0-9]{30,}"),
    ("jwt", ("eyj",), r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"),
    ("mailchimp", ("-us",), r"[0-9a-f]{32}-us\d{1,2}"),
    ("maxmind", ("_mmk",), r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    ("mongodb-atlas", ("mdb_sa_sk_",), r"mdb_sa_sk_[\w-]{20,}"),
    ("netlify", ("nfp_",), r"nfp_[A-Za-z0-9]{30,}"),
    ("openai", ("sk-",), r"sk-(?=[\w-]{0,64}\d)[\w-]{20,}"),
    ("pypi", ("pypi-agei", "pypi-agen"), r"pypi-Ag[eE][IN][\w-]{20,}"),
    ("replicate", ("r8_",), r"r8_[A-Za-z0-9]{30,}"),
    ("slack", ("xox", "xapp-"), r"(?:xox[a-z](?:\.xox[bp])?|xapp)-[A-Za-z0-9-]{12,}"),
    ("square", ("sq0csp-", "sq0idp-"), r"sq0(?:csp|idp)-[\w-]{22,}"),
    ("stripe-webhook", ("whsec_",), r"whsec_[A-Za-z0-9]{20,}"),
    ("supabase", ("sbp_", "sb_secret_"), r"sb(?:p|_secret)_[\w-]{20,}"),
    ("tailscale", ("tskey-",), r"tskey-[a-z]{2,16}-[\w-]{16,}"),
    ("telegram", ("aa",), r"\d{8,10}:AA[\w-]{33}"),
    ("terraform-cloud", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    ("twilio", ("sk",), r"SK[0-9a-fA-F]{32}"),
    ("vault-legacy", ("s.",), r"s\.(?=[A-Za-z0-9]{0,23}\d)(?=[A-Za-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\w.])"),
    ("xai", ("xai-",), r"xai-[A-Za-z0-9]{40,}"),
)
"""What gitleaks has no rule for or binds to the vendor's name: rule, prefixes in lower case, expression."""

_MIXED = r"(?=[\w.-]{0,32}\d)(?=[\w.-]{0,32}[A-Za-z])"
_SHORTER = re.compile(
    r"(?:gh[pousr]_|npm_|do[por]_v1_|shp(?:at|ca|pa|ss)_|[rs]k_(?:live|test|prod)_|rubygems_|lin_api_|ntn_|glsa_|glc_|sntry[su]_"
    r"|pscale_(?:tkn|oauth|pw)_|pnu_|rdme_|sgp_|shippo_(?:live|test)_|tfp_|sm_[aps]at_|duffel_(?:live|test)_|clojars_|ATATT3"
    rf"|AGE-SECRET-KEY-1){_MIXED}[A-Za-z0-9]{{12,}}"
    r"|(?:github_pat_|gl(?:pat|dt|rt|ptt|cbt|ft|soat|agent|imt|oas|ffct)-|hv[sb]\.|SG\.|PMAK-|NRAK-|dp\.pt\.|dt0c01\.|sq0atp-|xkeysib-"
    rf"|pplx-|HRKU-){_MIXED}[\w-]{{12,}}(?:\.[\w-]{{8,}}){{0,2}}"
)
"""Tokens with a vendor's prefix and another length than today's: vendors change it, texts are cut."""

_SHORTEST = 16
_BEFORE_DOT = frozenset({"SG", "hvs", "hvb", "ya29", "dt0c01", "dp", "atlasv1", "pat", "sat"})
"""Prefixes that a dot ends: they are words of their own."""
_RANDOM = re.compile(
    r"(?=[\w~-]{0,64}\d)(?=[\w~-]{0,64}[a-z])(?=[\w~-]{0,64}[A-Z])[\w~-]{20,}$|(?=\D{0,64}\d)\w{60,}|[\w-]{0,64}-[0-9a-f]{100,}"
)
"""What may be a token whose prefix is in another word: `s.…`, `1//0…`, `123456789:AA…`."""
_OTHER_THAN_WORDS = re.compile(r"\+/|\+\\/|=|\\\.|(?<!\?)(?<!\?i):")
_GOOGLE_REFRESH = re.compile(r"1//0[\w-]{20,}")


class _Rule(NamedTuple):
    """A vendor's tokens.

    Attributes:
        prefixes: One of them is in every token, in lower case.
        pattern: The token.
        one_word: The token is one word.
    """

    prefixes: tuple[str, ...]
    pattern: re.Pattern[str]
    one_word: bool


def is_token(word: str) -> bool:
    """Return whether a word is a token, or a part of one."""
    if len(word) < _SHORTEST:
        return word in _BEFORE_DOT
    if _RANDOM.match(word):
        return True
    if _prefixes().search(word) is None:
        return False
    lower = word.lower()
    return _SHORTER.search(word) is not None or any(
        rule.pattern.search(word) if rule.one_word else lower.startswith(rule.prefixes)
        for rule in _rules()
        if any(prefix in lower for prefix in rule.prefixes)
    )


def without_vendor_tokens(text: str, suspects: Iterable[str]) -> str:
    """Return a text without the tokens that have a vendor's prefix.

    Args:
        text: Any text.
        suspects: Its words that are tokens, see `is_token`.
    """
    words, lower = " ".join(suspects).lower(), text.lower()
    for rule in _rules():
        if any(prefix in (words if rule.one_word else lower) for prefix in rule.prefixes):
            text = rule.pattern.sub(MASK, text)
    text = _SHORTER.sub(MASK, text)
    return _GOOGLE_REFRESH.sub(MASK, text) if "1//0" in text else text


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    """All rules, compiled when the first word is seen that has a prefix: that takes a tenth of a second."""
    return tuple(_compiled(prefixes, pattern) for _, prefixes, pattern in (*OWN_RULES, *RULES))


def _compiled(prefixes: tuple[str, ...], pattern: str) -> _Rule:
    """A rule; a token whose prefix is short, or letters and digits alone, does not begin within a word."""
    flag, body = ("(?i)", pattern[4:]) if pattern.startswith("(?i)") else ("", pattern)
    bounded = any(prefix.isalnum() or len(prefix) <= 3 for prefix in prefixes)
    one_word = _OTHER_THAN_WORDS.search(body) is None
    return _Rule(prefixes, re.compile(f"{flag}(?<![A-Za-z0-9])(?:{body})" if bounded else pattern), one_word)


@lru_cache(maxsize=1)
def _prefixes() -> re.Pattern[str]:
    """All prefixes as one expression in which common beginnings stand once: `re` tries alternatives one by one."""
    tree: _Tree = {}
    for prefix in {prefix for _, prefixes, _ in (*OWN_RULES, *RULES) for prefix in prefixes}:
        branch = tree
        for char in prefix:
            branch = branch.setdefault(char, {})
        branch[""] = {}
    return re.compile(_expression(tree), re.IGNORECASE)


_Tree = dict[str, "_Tree"]


def _expression(tree: _Tree) -> str:
    if "" in tree:
        return ""
    branches = [re.escape(char) + _expression(branch) for char, branch in sorted(tree.items())]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
