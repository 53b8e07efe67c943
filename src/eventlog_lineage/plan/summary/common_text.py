"""Rewrite parts of a plan text so that they are the same in all runs of the plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.extensions import text_patterns

from .fingerprint import VARYING

_ID = re.compile(rf"#({NUMBER})")
_VARIES = "…"
"""Replaces what varies."""


class CommonText:
    """Rewrites parts of a plan text so that they are the same for all texts of its fingerprint.

    Ids of attributes become their numbers in the order of their first appearance, from 1; what else varies from run to
    run becomes `…`.

    Args:
        ids: The attribute ids of the plan text, `number_plan(text).ids`.

    >>> common = CommonText((46, 47))
    >>> common.rewritten("rand(-7) AS r#47"), common.number(46)
    ('rand(…) AS r#2', 1)
    """

    def __init__(self, ids: Sequence[int]) -> None:
        self._numbers = {expr_id: number for number, expr_id in enumerate(ids, start=1)}

    def number(self, expr_id: int) -> int:
        """Return the number of an attribute's id; one that the text does not print stays as it is."""
        return self._numbers.get(expr_id, expr_id)

    def rewritten(self, text: str) -> str:
        """Return a part of the plan text, rewritten."""
        text = text.replace("[id=#", "[plan_id=")
        for word, pattern in text_patterns("not_ids"):
            if word in text:
                text = pattern.sub(_VARIES, text)
        text = _ID.sub(self._renumbered, text)
        for word, varying in (*VARYING, *text_patterns("varying")):
            if word in text:
                text = varying.sub(partial(_shortened, word), text)
        return text

    def _renumbered(self, match: re.Match[str]) -> str:
        return f"#{self.number(int(match[1]))}"


def _shortened(word: str, match: re.Match[str]) -> str:
    r"""Return the match of a pattern of what varies, with `…` in place of it.

    Args:
        word: What the match begins with, if the pattern has no group.
        match: The match; its groups have what does not vary.

    >>> _shortened("RDD[", re.compile(r"(RDD\[)\d+(\])").fullmatch("RDD[12]"))
    'RDD[…]'
    """
    first, *rest = [group for group in match.groups() if group is not None] or [word]
    return "".join((first, _VARIES, *rest))
