"""What makes two plan texts the same plan: everything but what varies from run to run.

A nightly warehouse repeats its plans. Attribute ids, plan ids, object hashes, random seeds and dates differ
each night; numbered by first appearance or blanked, the texts are equal, and a plan is understood once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ID = re.compile(r"#(\d{1,18})")
_LISTED_ID = re.compile(r"#(\d{1,18})L?(?=[,\]])")
_MERGED_ID = re.compile(r"\w#(\d{1,18})L?\b")
_OWN_NAMES = (")", "subquery", "dynamicpruning", "list", "exists", "table-argument")
"""What stands before ids of expressions: `scalar-subquery#12 [..]`, `grouping_id()#12L`, a Python UDF's `f(a#1)#12`."""
_NAME = re.compile(r"\w+$")
_STATE = re.compile(r"(?<= State )#\d+(?= - )|(?<= Stats )#\d+(?= - )|(?<= Snapshot )#\d+(?= - )")
"""Versions of Delta tables, which look like attribute ids; `snapshots.read_marks` keeps them."""
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
        ("napshotId=", r"napshotId=\d+"),  # Iceberg's scans (1.11)
        ("Delta[version=", r"Delta\[version=\d+"),
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
    text = text.replace("[id=#", "[plan_id=")  # up to 3.1; these are exchanges and subqueries, no attributes
    pieces = _ID.split(_STATE.sub("~", text) if "/_delta_log" in text else text)
    listed = _attributes(text, pieces)
    places: dict[str, int] = {}
    numbers = [places.setdefault(each, len(places)) if each in listed else f"#{each}" for each in pieces[1::2]]
    words = "#".join(pieces[0::2])
    if "TableChange$" in words:
        words = _CHANGE.sub(r"\1 ", words)
    for mark, varying in _VARYING:
        if mark in words:
            words = varying.sub("~", words)
    digest = hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=16)
    digest.update(",".join(map(str, numbers)).encode())
    return Numbered(digest.hexdigest(), tuple(map(int, places)))


def _attributes(text: str, pieces: Sequence[str]) -> set[str]:
    """The numbers that are attributes' ids, and not a literal's (`Brand#12`).

    Most are printed by some list. Of the others, those are ids that have a type's suffix, a new name, an expression or
    a name of an attribute before them. Commands of MERGE hold expressions whose attributes no list prints.
    """
    found = set((_MERGED_ID if "MergeInto" in text else _LISTED_ID).findall(text))
    if found.issuperset(pieces[1::2]):
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
    text = text.replace("[id=#", "[plan_id=")
    pieces = _ID.split(text)
    listed = _attributes(text, pieces)
    places: dict[str, int] = {}
    for each in pieces[1::2]:
        if each in listed:
            places.setdefault(each, len(places))
    if len(places) != len(numbers):
        return text
    pieces[1::2] = [f"#{numbers[places[each]] if each in listed else each}" for each in pieces[1::2]]
    return "".join(pieces)
