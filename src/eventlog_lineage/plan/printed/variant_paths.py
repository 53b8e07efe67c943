"""Restore the paths of VARIANTs that a scan reads: extended text has them in its analyzed plan.

`PushVariantIntoScan` (4.0 to 4.3) replaces a relation's VARIANT by a new attribute, a struct of the requested paths,
`variant_get(doc#4, $.a, IntegerType, true, Some(UTC))` by `doc#9.0`, and `doc#4` by `doc#9.1 AS doc#4`. The numbers
follow from what is around them in both plans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute

from .sections import Sections

_RELATION = re.compile(r"Relation (?P<table>[^\s\[]+)\[(?P<columns>[^\n]*)\] \w+")
_CALL = re.compile(rf"(?:try_)?variant_get\([^\s(),]+#{NUMBER}, \$[^,()]*, \w+Type(?:\([\d,]*\))?, [^()]*\([^()]*\)\)")
_PLAIN_CALL = re.compile(
    rf"(?:try_)?variant_get\([^\s(),]+#{NUMBER}, \$[^,()]*, \w+Type(?:\([\d,]*\))?, (?:true|false)\)"
)
_ALIAS = re.compile(rf" AS ([^,\[\]]+#{NUMBER})")
_AROUND = 60
_WHOLE = ""


def with_variant_paths(parts: Sections) -> Sections:
    """Return a plan text with the calls that read paths of VARIANTs, instead of numbers.

    Args:
        parts: The parts of the text; without an analyzed plan they are returned unchanged.
    """
    if "variant" not in parts.physical or not parts.analyzed:
        return parts
    physical, optimized = parts.physical, parts.optimized
    for attribute, original in _replaced(parts).items():
        for number, call in _requested(attribute, original, parts).items():
            pattern = re.compile(rf"(?<![\w.`]){re.escape(attribute)}\.{number}(?!\d)")
            restored = (call.replace(original, attribute) if call else attribute).replace("\\", r"\\")
            physical, optimized = pattern.sub(restored, physical), pattern.sub(restored, optimized)
    return parts._replace(physical=physical, optimized=optimized)


def _replaced(parts: Sections) -> dict[str, str]:
    """Return the attributes of VARIANTs in scans with those of the analyzed plan, `doc#9` to `doc#4`."""
    analyzed = list(_relations(parts.analyzed))
    found: dict[str, str] = {}
    for table, columns in _relations(parts.optimized):
        for originals in (each for known, each in analyzed if known == table and len(each) == len(columns)):
            changed = {new: old for new, old in zip(columns, originals, strict=True) if new != old}
            is_same = len(changed) < len(columns) or len(analyzed) == 1
            if is_same and list(map(_name, changed)) == list(map(_name, changed.values())):
                found |= changed
    return {new: old for new, old in found.items() if f"{new}." in parts.optimized}


def _relations(plan: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the relations of a plan: the table and its columns."""
    for match in _RELATION.finditer(plan):
        yield match["table"], match["columns"].split(",")


def _name(attribute: str) -> str:
    found = read_attribute(attribute)
    return found[0] if found else attribute


def _requested(attribute: str, original: str, parts: Sections) -> dict[str, str]:
    """Return the numbers of an attribute with the calls that they replace; the whole value is empty.

    Args:
        attribute: The struct of the requested paths, `doc#9`.
        original: The VARIANT, `doc#4`.
    """
    pattern = re.compile(rf"(?<![\w.`]){re.escape(attribute)}\.(\d+)")
    places: dict[str, list[re.Match[str]]] = {}
    for match in pattern.finditer(parts.optimized):
        places.setdefault(match[1], []).append(match)
    found = {
        number: _WHOLE
        for number, matches in places.items()
        if any(_is_whole(match, original, parts) for match in matches)
    }
    kept = set(_calls(original, parts.optimized))
    calls = {call: matches for call, matches in _calls(original, parts.analyzed).items() if call not in kept}
    return found | _likeliest({number: at for number, at in places.items() if number not in found}, calls, parts)


def _likeliest(
    places: Mapping[str, list[re.Match[str]]], calls: Mapping[str, list[re.Match[str]]], parts: Sections
) -> dict[str, str]:
    """Return the calls that numbers replace, by what is around both; a call of two numbers is that of neither."""
    if len(places) == len(calls) == 1:
        return dict(zip(places, calls, strict=True))
    found: dict[str, str] = {}
    for number, matches in places.items():
        ranked = sorted(((_likeness(matches, at, parts), call) for call, at in calls.items()), reverse=True)
        if ranked and (len(ranked) == 1 or ranked[0][0] > ranked[1][0]):
            found[number] = ranked[0][1]
    chosen = list(found.values())
    return {number: call for number, call in found.items() if chosen.count(call) == 1}


def _is_whole(place: re.Match[str], original: str, parts: Sections) -> bool:
    """Return whether a number is the whole VARIANT: its alias is that of the VARIANT in the analyzed plan."""
    alias = _ALIAS.match(parts.optimized, place.end())
    return alias is not None and (alias[1] == original or f"{original} AS {alias[1]}" in parts.analyzed)


def _calls(original: str, plan: str) -> dict[str, list[re.Match[str]]]:
    found: dict[str, list[re.Match[str]]] = {}
    for pattern in (_CALL, _PLAIN_CALL):
        for match in pattern.finditer(plan):
            if f"variant_get({original}, " in match[0]:
                found.setdefault(match[0], []).append(match)
    return found


def _likeness(places: list[re.Match[str]], calls: list[re.Match[str]], parts: Sections) -> int:
    """Return how many characters around a number and around a call are the same, at their most similar places."""
    optimized, analyzed = parts.optimized, parts.analyzed
    return max(
        _common(optimized[: place.start()][-_AROUND:][::-1], analyzed[: call.start()][-_AROUND:][::-1])
        + _common(optimized[place.end() :][:_AROUND], analyzed[call.end() :][:_AROUND])
        for place in places
        for call in calls
    )


def _common(one: str, other: str) -> int:
    """Return the number of characters with which both texts start."""
    size = min(len(one), len(other))
    return next((at for at in range(size) if one[at] != other[at]), size)
