"""What makes two plan texts the same plan: everything but what varies from run to run.

A nightly warehouse repeats its plans. Attribute ids, plan ids, object hashes, random seeds and dates differ
each night; numbered by first appearance or blanked, the texts are equal, and a plan is understood once.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from eventlog_lineage.extensions import text_patterns
from eventlog_lineage.plan.expressions.attribute_ids import NUMBER

_ID = re.compile(rf"#({NUMBER})")
_LISTED = re.compile(r"L?[,\]]")
_MERGED = re.compile(r"(?:L(?!\w)|(?!\w))")
_WORD_END = re.compile(r"\w\Z")
_OWN_NAMES = (")", "subquery", "dynamicpruning", "list", "exists", "table-argument")
"""What stands before ids of expressions: `scalar-subquery#12 [..]`, `grouping_id()#12L`, a Python UDF's `f(a#1)#12`."""
_GAP = "\0"
_PLAN_ID = "[id=\1"
"""What stands for `[id=#` while attributes are numbered anew: the number behind it is a subquery's place."""
_LONGEST_KNOWN = 65_536
"""Characters of the longest text of which the frame is remembered."""
_MOST_PATTERNS = 2
"""Of a frame that are remembered; it seldom has a second one, and each has four bytes for each number of the text."""
_NAME = re.compile(r"\w+$")
_VARYING = tuple(
    (mark, re.compile(pattern))
    for mark, pattern in (
        ("@", r"@[0-9a-f]{4,}\b"),  # identity hashes: DeltaCatalog@db6c021
        ("Lambda", r"Lambda(?:\$\d+)?/0x[0-9a-f]+"),
        ("RDD[", r"RDD\[\d+\]"),
        ("plan_id=", r"plan_id=\d+"),
        ("-", r"-\d\d-\d\d(?:[ T]\d\d:\d\d:\d\d(?:\.\d+)?)?"),  # tonight, as 2026-11-20 or 2026-11-20 04:00:00
        ("20", r"20\d\d[01]\d[0-3]\d(?!\d)"),  # tonight, as 20261120
        ("rand", r"randn?\(-?\d+"),
        ("uuid(Some(", r"uuid\(Some\(-?\d+"),
        ("part-", r"part-\d{5}-[0-9a-f-]{36}"),
        ("Statistics", r"Statistics\([^\n]*|\nStatistics: [^\n]*"),
        ("\nCreated Time: ", r"\n(?:Created Time|Last Access): [^\n]*"),  # of a CatalogTable, up to 3.3
        ("transient_lastDdlTime=", r"transient_lastDdlTime=\d+"),
        ("epoch: ", r"epoch: \d+"),  # a micro-batch, and the state that it begins with
        ("runId = ", r"runId = [0-9a-f-]{36}"),
        (" ver = ", r" ver = \d+"),
    )
)
"""What varies, each with characters that stand in it: looking for them is much faster than for a pattern."""


_CHANGE = re.compile(r"(TableChange\$\w+)@")
"""A V2 `ALTER TABLE` prints its changes by class and hash code: the code is all that tells them apart."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A plan text's identity.

    Attributes:
        fingerprint: 32 hexadecimal digits; equal for texts that differ only in what varies between runs.
        ids: The attribute ids in the order of their first appearance: place to id.
    """

    fingerprint: str
    ids: tuple[int, ...]


def number_plan(text: str) -> Numbered:
    """Names a plan text and numbers its attribute ids.

    Ids are renumbered only where they are attributes' (`_attributes`): a literal such as `Brand#12` stays a literal.

    Args:
        text: `physicalPlanDescription`.
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
        frame.know(pattern, numbered.fingerprint)
    return numbered


def _numbered(frame: _Frame, numbers: Sequence[str], listed: Container[str]) -> Numbered:
    places: dict[str, int] = {}
    places_or_numbers = [places.setdefault(each, len(places)) if each in listed else f"#{each}" for each in numbers]
    digest = frame.digest.copy()
    digest.update(",".join(map(str, places_or_numbers)).encode())
    return Numbered(digest.hexdigest(), tuple(map(int, places)))


class _Frame(NamedTuple):
    """What a text is but for its ids.

    Attributes:
        digest: Of the words, without those that vary.
        listed: Which of the numbers are attributes' ids for certain, by their places among the numbers.
        known: Which numbers are the same, to the fingerprint; of texts all of whose numbers are attributes' ids.
    """

    digest: hashlib.blake2b
    listed: tuple[int, ...]
    known: dict[bytes, str]

    def know(self, pattern: bytes, fingerprint: str) -> None:
        """Remember a fingerprint."""
        if len(self.known) >= _MOST_PATTERNS:
            self.known.clear()
        self.known[pattern] = fingerprint


def _pieces(text: str) -> list[str]:
    """What stands between the numbers, and these in between."""
    text = text.replace("[id=#", "[plan_id=")  # up to 3.1; these are exchanges and subqueries, no attributes
    for word, pattern in text_patterns("not_ids"):
        if word in text:
            text = pattern.sub("~", text)
    return _ID.split(text)


def _frame(pieces: Sequence[str]) -> _Frame:
    framing = _GAP.join(pieces[0::2])
    if framing.count(_GAP) > len(pieces) // 2:  # the text has such characters itself
        framing = _GAP.join(piece.replace(_GAP, " ") for piece in pieces[0::2])
    return _known_frame(framing) if len(framing) <= _LONGEST_KNOWN else _frame_of(framing)


def _frame_of(framing: str) -> _Frame:
    between = framing.split(_GAP)
    words = framing.replace(_GAP, "#")
    merged = "MergeInto" in words
    listed = tuple(
        place
        for place, (before, after) in enumerate(pairwise(between))
        if (_MERGED.match(after) and _WORD_END.search(before) if merged else _LISTED.match(after))
    )
    if "TableChange$" in words:
        words = _CHANGE.sub(r"\1 ", words)
    for mark, varying in (*_VARYING, *text_patterns("varying")):
        if mark in words:
            words = varying.sub("~", words)
    return _Frame(hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16), listed, {})


_known_frame = lru_cache(maxsize=1000)(_frame_of)
"""A night's plans are printed again and again with other ids."""


def _attributes(pieces: Sequence[str], frame: _Frame) -> set[str]:
    """The numbers that are attributes' ids, and not a literal's (`Brand#12`).

    Most are printed by some list. Of the others, those are ids that have a type's suffix, a new name, an expression or
    a name of an attribute before them. Commands of MERGE hold expressions whose attributes no list prints.
    """
    numbers = pieces[1::2]
    found = {numbers[place] for place in frame.listed}
    if found.issuperset(numbers):
        return found
    names = {_name_before(before) for before, number in _places(pieces) if number in found} - {""}
    unlisted = [
        number
        for place, (before, number) in enumerate(_places(pieces))
        if number not in found
        and (
            pieces[2 * place + 2].startswith(("L", " AS ", " as "))
            or before.endswith(_OWN_NAMES)
            or _name_before(before) in names
        )
    ]
    return found.union(unlisted)


def _places(pieces: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What stands before each number, and the number."""
    return zip(pieces[0::2], pieces[1::2], strict=False)


def _name_before(text: str) -> str:
    name = _NAME.search(text, max(0, len(text) - 100))
    return name[0] if name else ""


def renumbered(text: str, numbers: Sequence[int]) -> str:
    """A plan text with other attribute ids.

    Args:
        text: `physicalPlanDescription`.
        numbers: The new ids, by the places of the old ones in `number_plan(text).ids`.

    Returns:
        The text as it is, if it has more or fewer ids than there are numbers.
    """
    text = text.replace("[id=#", _PLAN_ID)
    pieces = _ID.split(text)
    listed = _attributes(pieces, _frame(pieces))
    places: dict[str, int] = {}
    for each in pieces[1::2]:
        if each in listed:
            places.setdefault(each, len(places))
    if len(places) != len(numbers):
        return text
    pieces[1::2] = [f"#{numbers[places[each]] if each in listed else each}" for each in pieces[1::2]]
    return "".join(pieces).replace(_PLAN_ID, "[id=#")
