"""The rules for vendors' tokens, by prefixes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from eventlog_lineage.redaction.mask import Span, offsets

from .gitleaks_rules import RULES
from .own_rules import FURTHER_RULES, OWN_RULES

_FAR = frozenset({"s.", "t1.", "sl.", "pk.", "v1.0-", "pat.", "sat.", "pat", ":aa", "1//0", "$1$"})
"""Ambiguous prefixes: the text after them decides whether it is a token."""
_LONG_BODIES = frozenset("akia asia a3t abia acca dapi dkea dose ddba dsap aiza ltai".split())
"""Prefixes of only letters, of tokens that are too regular to be a part of a word."""
_INSIDE = frozenset(
    {"q~", "-us", "_mmk", ":aa", ".atlasv1.", "azdo", "jqqj99", "azfu", "azse", "azca", "aiot", "acdb", "ffffnral"}
)
"""Text in the middle or at the end of a token."""
_OTHER_THAN_WORDS = re.compile(r"\+/|\+\\/|=|\\\.|~\.|(?<!\?)(?<!\?i):")


class Rule(NamedTuple):
    """A vendor's tokens.

    Attributes:
        prefixes: Every token contains one of them, in lower case.
        expression: The token, as a regular expression.
        begins: Whether every token begins with one of the prefixes.
        bounded: Whether no token begins within a word, as its prefix is short, or only letters and digits.
        one_word: Whether the token only has characters of words.
        far: Whether its prefixes are ambiguous.
    """

    prefixes: tuple[str, ...]
    expression: str
    begins: bool
    bounded: bool
    one_word: bool
    far: bool

    @property
    def pattern(self) -> re.Pattern[str]:
        """The token; compiled on first use, as all rules take a tenth of a second and a log needs few of them."""
        return _compiled(self.expression)

    def spans(self, text: str, lower: str) -> Iterator[Span]:
        """Yield the spans of the tokens in a text.

        Args:
            text: Any text.
            lower: The text in lower case.
        """
        if not self.begins:
            yield from (match.span() for match in self.pattern.finditer(text))
            return
        for prefix in self.prefixes:
            for place in offsets(lower, prefix):
                before = text[place - 1 : place]
                if self.bounded and before.isalnum() and before.isascii():
                    continue
                if match := self.pattern.match(text, place):
                    yield match.span()


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    """Return all rules."""
    return tuple(_rule(prefixes, expression) for _, prefixes, expression in (*OWN_RULES, *FURTHER_RULES, *RULES))


def _rule(prefixes: tuple[str, ...], expression: str) -> Rule:
    return Rule(
        prefixes,
        expression,
        begins=_INSIDE.isdisjoint(prefixes),
        bounded=any((prefix.isalnum() and prefix not in _LONG_BODIES) or len(prefix) <= 3 for prefix in prefixes),
        one_word=_OTHER_THAN_WORDS.search(expression.removeprefix("(?i)")) is None,
        far=not _FAR.isdisjoint(prefixes),
    )


@lru_cache(maxsize=1)
def known_prefixes() -> re.Pattern[str]:
    """Return an expression that finds an unambiguous prefix.

    It contains common beginnings once, as `re` tries alternatives one by one.
    """
    tree: _Tree = {}
    for prefix in {prefix for rule in rules() if not rule.far for prefix in rule.prefixes}:
        branch = tree
        for char in prefix:
            branch = branch.setdefault(char, {})
        branch[""] = {}
    return re.compile(_expression(tree))


@lru_cache(maxsize=1)
def rules_by_prefix() -> tuple[re.Pattern[str], Mapping[str, Sequence[Rule]]]:
    """Return an expression that finds all unambiguous prefixes, and the rules by their shortest prefix.

    Only a word with a prefix needs them.
    """
    every = re.compile(f"(?=({known_prefixes().pattern}))")
    by_prefix: dict[str, list[Rule]] = {}
    for rule in (each for each in rules() if not each.far):
        for shortest in {match[1] for prefix in rule.prefixes if (match := every.match(prefix))}:
            by_prefix.setdefault(shortest, []).append(rule)
    return every, by_prefix


_Tree = dict[str, "_Tree"]


def _expression(tree: _Tree) -> str:
    if "" in tree:
        return ""
    branches = [re.escape(char) + _expression(branch) for char, branch in sorted(tree.items())]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
