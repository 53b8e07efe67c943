"""Compute fingerprints of plan texts: equal for texts that differ only in what varies from run to run.

A nightly warehouse repeats its plans. Attribute ids, plan ids, object hashes, random seeds and dates differ each night.
With ids numbered by first appearance and the rest blanked, the texts are equal, and each plan is parsed only once.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Container, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

from eventlog_lineage.attribute_patterns import NUMBER, SUFFIX
from eventlog_lineage.connectors.connector import varying_texts
from eventlog_lineage.extensions import text_patterns

_ID = re.compile(rf"#({NUMBER})")
_AFTER_LISTED = re.compile(rf"{SUFFIX}[,\]]")
"""What follows the number of an attribute's id in a list."""
_AFTER_MERGED = re.compile(r"(?:L(?!\w)|(?!\w))")
"""What follows such a number in a MERGE command, whose attributes are in no list."""
_WORD_END = re.compile(r"\w\Z")
_BEFORE_IDS = (")", "subquery", "dynamicpruning", "list", "exists", "table-argument")
"""Text before the ids of expressions: `scalar-subquery#12 [..]`, `grouping_id()#12L`, a Python UDF's `f(a#1)#12`."""
_GAP = "\0"
_PLAN_ID = "[id=\1"
"""Replaces `[id=#` while attributes are renumbered: it precedes the id of a subquery's plan, not an attribute's."""
_LONGEST_CACHED = 65_536
"""Longest text whose frame is cached, in characters."""
_MOST_PATTERNS = 2
"""Limit of the cached patterns of a frame; more than one is rare, and each has four bytes per number."""
_MOST_HIDDEN = 10_000
"""Limit of the ids that a list hides."""
_NAME = re.compile(r"\w+$")
VARYING = tuple(
    (word, re.compile(pattern))
    for word, pattern in (
        ("@", r"(@)[0-9a-f]{4,}\b"),  # identity hashes: DeltaCatalog@db6c021
        ("Lambda", r"(Lambda)(?:\$\d+)?/0x[0-9a-f]+"),
        ("RDD[", r"(RDD\[)\d+(\])"),
        ("SPARK_GEN_SUBQ_", r"(SPARK_GEN_SUBQ_)\d+"),  # a query that is sent to a database
        ("join_subquery_", r"(join_subquery_)\d+"),
        ("SEED(", r"(SEED\()-?\d+"),
        ("plan_id=", r"(plan_id=)\d+"),
        ("-", r"(-)\d\d-\d\d(?:[ T]\d\d:\d\d:\d\d(?:\.\d+)?)?"),  # the run's date: 2026-11-20 or 2026-11-20 04:00:00
        ("20", r"(20)\d\d[01]\d[0-3]\d(?!\d)"),  # the run's date: 20261120
        ("rand", r"(randn?\()-?\d+"),
        ("uuid(Some(", r"(uuid\(Some\()-?\d+"),
        ("part-", r"(part-)\d{5}-[0-9a-f-]{36}"),
        ("Statistics", r"(Statistics)\([^\n]*|(\nStatistics: )[^\n]*"),
        ("\nCreated Time: ", r"(\n(?:Created Time|Last Access): )[^\n]*"),  # of a CatalogTable, up to 3.3
        ("transient_lastDdlTime=", r"(transient_lastDdlTime=)\d+"),
        ("epoch: ", r"(epoch: )\d+"),  # a micro-batch, and the state at its start
        ("runId = ", r"(runId = )[0-9a-f-]{36}"),
        (" ver = ", r"( ver = )\d+"),
    )
)
"""Patterns of what varies, each with a text that its matches contain: searching for a text is much faster.

A group has what does not vary.
"""


@cache
def _varying() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return (*VARYING, *text_patterns("text.varying"), *varying_texts())


_DATE = re.compile(r"-\d\d-\d\d|20\d\d[01]\d[0-3]\d(?!\d)")
_NAME_BEFORE_DATE = re.compile(r"(?:/(?!\.)[^\s/=,;|()\[\]{}<>\"']*|\.[A-Za-z_]\w*)\Z")
"""The beginning of a folder, file or table that is named by a date; not that of a partition, `day=2026-11-20`."""
_NAME_AFTER_DATE = re.compile(r"[^\s/=,;|()\[\]{}<>\"']*")
_LONGEST_NAME = 100


_CHANGE = re.compile(r"(TableChange\$\w+)@")
"""A V2 `ALTER TABLE` prints its changes as class and hash code; only the hash code distinguishes them."""


class Numbered(NamedTuple):
    """The fingerprint and the attribute ids of a plan text.

    Attributes:
        fingerprint: 32 hexadecimal digits; equal for texts that differ only in what varies from run to run.
        ids: The attribute ids in the order of their first appearance: index to id.
    """

    fingerprint: str
    ids: tuple[int, ...]


def number_plan(text: str) -> Numbered:
    """Return the fingerprint of a plan text and its attribute ids.

    Only ids of attributes are renumbered (`_attributes`): a literal such as `Brand#12` is part of the fingerprint.

    >>> number_plan("Project [id#46L, name#47, at#48-T10000ms]").ids
    (46, 47, 48)
    """
    pieces = _pieces(text)
    frame = _frame(pieces)
    first: dict[str, int] = {}
    pattern = array("I", [first.setdefault(each, len(first)) for each in pieces[1::2]]).tobytes()
    fingerprint = frame.known.get(pattern)
    if fingerprint is not None:
        return Numbered(fingerprint, tuple(map(int, first)))
    listed = _attributes(pieces, frame)
    numbered = _numbered(frame, pieces[1::2], listed)
    if len(listed) == len(first):
        frame.remember(pattern, numbered.fingerprint)
    return numbered


def _numbered(frame: _Frame, numbers: Sequence[str], listed: Container[str]) -> Numbered:
    indexes: dict[str, int] = {}
    indexes_or_numbers = [indexes.setdefault(each, len(indexes)) if each in listed else f"#{each}" for each in numbers]
    digest = frame.digest.copy()
    digest.update(",".join(map(str, indexes_or_numbers)).encode())
    return Numbered(digest.hexdigest(), tuple(map(int, indexes)))


class _Frame(NamedTuple):
    """A text without its ids.

    Attributes:
        digest: The digest of the text between the ids, without what varies.
        listed: Indexes of the numbers that are certainly ids of attributes.
        known: Pattern of equal numbers to fingerprint, for texts whose numbers are all ids of attributes.
    """

    digest: hashlib.blake2b
    listed: tuple[int, ...]
    known: dict[bytes, str]

    def remember(self, pattern: bytes, fingerprint: str) -> None:
        """Cache a fingerprint."""
        if len(self.known) >= _MOST_PATTERNS:
            self.known.clear()
        self.known[pattern] = fingerprint


def _pieces(text: str) -> list[str]:
    text = text.replace("[id=#", "[plan_id=")  # up to 3.1; ids of exchanges and subqueries, not of attributes
    for word, pattern in text_patterns("text.not_ids"):
        if word in text:
            text = pattern.sub("~", text)
    return _ID.split(text)


def _frame(pieces: Sequence[str]) -> _Frame:
    framing = _GAP.join(pieces[0::2])
    if framing.count(_GAP) > len(pieces) // 2:  # the text contains such characters
        framing = _GAP.join(piece.replace(_GAP, " ") for piece in pieces[0::2])
    return _cached_frame(framing) if len(framing) <= _LONGEST_CACHED else _frame_of(framing)


def _frame_of(framing: str) -> _Frame:
    between = framing.split(_GAP)
    template = framing.replace(_GAP, "#")
    is_merge = "MergeInto" in template
    listed = tuple(
        index
        for index, (before, after) in enumerate(pairwise(between))
        if (_AFTER_MERGED.match(after) and _WORD_END.search(before) if is_merge else _AFTER_LISTED.match(after))
    )
    if "TableChange$" in template:
        template = _CHANGE.sub(r"\1 ", template)
    dated = "".join(f"\n{name}" for name in _dated_names(template))
    for word, varying in _varying():
        if word in template:
            template = varying.sub("~", template)
    template += dated
    return _Frame(hashlib.blake2b(template.encode("utf-8", "surrogatepass"), digest_size=16), listed, {})


def _dated_names(text: str) -> Iterator[str]:
    """Yield the names in a text that have a date, `/2026-11-20` or `.orders_20261120`: each is another dataset."""
    for date in _DATE.finditer(text):
        name = _NAME_BEFORE_DATE.search(text, max(0, date.start() - _LONGEST_NAME), date.start())
        rest = _NAME_AFTER_DATE.match(text, date.end())
        if name and rest:
            yield name[0] + date[0] + rest[0]


_cached_frame = lru_cache(maxsize=1000)(_frame_of)
"""The same plans are printed many times, with other ids."""


def _attributes(pieces: Sequence[str], frame: _Frame) -> set[str]:
    """Return the numbers that are ids of attributes, not part of a literal (`Brand#12`).

    Most are printed in a list. The others have a type suffix, precede an alias, or follow an expression or an
    attribute's name, or a truncated list may hide them. MERGE commands contain expressions whose attributes are in no
    list.
    """
    numbers = pieces[1::2]
    found = {numbers[index] for index in frame.listed}
    if found.issuperset(numbers):
        return found
    names = {_name_before(before) for before, number in _numbers_in(pieces) if number in found} - {""}
    hidden = frozenset(_hidden(pieces))
    unlisted = [
        number
        for (before, number), after in zip(_numbers_in(pieces), pieces[2::2], strict=True)
        if number not in found and (number in hidden or _is_attribute(before, after) or _name_before(before) in names)
    ]
    return found.union(unlisted)


def _is_attribute(before: str, after: str) -> bool:
    return after.startswith(("L", " AS ", " as ")) or before.endswith(_BEFORE_IDS)


def _hidden(pieces: Sequence[str]) -> Iterator[str]:
    """Yield the ids that truncated lists hide if they are those of a relation: they follow the last one printed."""
    for number, after in zip(pieces[1::2], pieces[2::2], strict=False):
        rest, end, _ = after[:40].removeprefix("L").lstrip(", ").partition(" more fields]")
        if end and rest.startswith("... ") and rest[4:].isdecimal():
            yield from map(str, range(int(number) + 1, int(number) + 1 + min(int(rest[4:]), _MOST_HIDDEN)))


def _numbers_in(pieces: Sequence[str]) -> Iterator[tuple[str, str]]:
    return zip(pieces[0::2], pieces[1::2], strict=False)


def _name_before(text: str) -> str:
    name = _NAME.search(text, max(0, len(text) - 100))
    return name[0] if name else ""


def renumbered(text: str, numbers: Sequence[int]) -> str:
    """Replace the attribute ids of a plan text.

    Args:
        numbers: The new ids, in the order of `number_plan(text).ids`.

    Returns:
        The text with the new ids; unchanged if the number of ids differs.

    >>> renumbered("Project [id#46L, name#47]", (1, 2))
    'Project [id#1L, name#2]'
    """
    text = text.replace("[id=#", _PLAN_ID)
    pieces = _ID.split(text)
    listed = _attributes(pieces, _frame(pieces))
    indexes: dict[str, int] = {}
    for each in pieces[1::2]:
        if each in listed:
            indexes.setdefault(each, len(indexes))
    if len(indexes) != len(numbers):
        return text
    pieces[1::2] = [f"#{numbers[indexes[each]] if each in listed else each}" for each in pieces[1::2]]
    return "".join(pieces).replace(_PLAN_ID, "[id=#")


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
        for word, pattern in text_patterns("text.not_ids"):
            if word in text:
                text = pattern.sub(_VARIES, text)
        text = _ID.sub(self._renumbered, text)
        for word, varying in _varying():
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
