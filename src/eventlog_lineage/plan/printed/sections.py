r"""Split a plan text into its physical and logical plans; find its explain mode and the views that it reads.

Source: `QueryExecution.toString` (all versions: extended) and `QueryExecution.explainString` of Spark 3.0 to 4.3.
Spark 2.4 and 3.0 log extended text; later versions log formatted text by default (`spark.sql.ui.explainMode`, 3.1+).

Physical plans contain no views: `View.simpleString` of Spark 2.4 to 4.3, ``View (`spark_catalog`.`db`.`v`, [id#1L])``,
is in analyzed plans; formatted text prints it in the logical trees below commands, as ``(3) View`` with the same
arguments. Temporary views have such a node since 3.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.model import Word
from eventlog_lineage.plan.grammar.attribute_ids import common_start, ids_in, imbalance, read_attribute
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, TIGHT, hidden_items, split

from .tree_lines import BRANCH, read_lines, subtree_end

_PHYSICAL = "== Physical Plan ==\n"
_PARSED = "== Parsed Logical Plan ==\n"
ANALYZED = "\n== Analyzed Logical Plan ==\n"
"""The header of the analyzed plan, which extended text has, with the line break before it."""
_OPTIMIZED = "== Optimized Logical Plan ==\n"
_BLOCK = re.compile(r"\n\n\(\d{1,9}\) \S")
_NUMBERED = re.compile(r" \((?:\d{1,9}|unknown)\)")
_NUMBERED_ROOT = re.compile(r"[^\n]* \((?:\d{1,9}|unknown)\)$")
_STAGED_ROOT = re.compile(r"[*^]\(\d+\) ")
_BLOCKS = "\n== Blocks ==\n"
_LENGTH = "\n== Length ==\n"
_LONGEST_LENGTH = 40
"""Characters of that header and the number after it."""
_COLUMN_TYPE = re.compile(
    r": (?:bigint|int|smallint|tinyint|string|double|float|boolean|date|timestamp|timestamp_ntz|binary|variant|void"
    r"|decimal\(\d+,-?\d+\)|interval [a-z ]+|(?:array|map|struct)<.*?>|[a-z]\w*)(?:, |$)"
)
_SCHEMA_END = re.compile(r"(?:: [a-z][^A-Z]*(?:<.*>)?|\.\.\. \d+ more fields)$")


class Mode(Word):
    """The modes whose text contains a plan (`ExplainMode`); `codegen` and `none` contain none."""

    FORMATTED = "formatted"
    EXTENDED = "extended"
    COST = "cost"
    SIMPLE = "simple"


class Sections(NamedTuple):
    """The parts of a plan text.

    Attributes:
        physical: The physical plan with its header.
        analyzed: The tree of the analyzed plan without its line of output columns; empty if the mode has none.
        optimized: The tree of the optimized plan; empty if the mode has none.
        parsed: The tree of the parsed plan; empty if the mode has none.
        columns: The names of the output columns, from the line before the analyzed plan; `... 2 more fields` included.
        length: The length of the text that `spark.sql.maxPlanStringLength` truncated; 0 for other texts.
        blocks: The beginning of such a text up to its last complete block, if it was formatted.
    """

    mode: Mode
    physical: str
    analyzed: str = ""
    optimized: str = ""
    parsed: str = ""
    columns: tuple[str, ...] = ()
    length: int = 0
    blocks: str = ""


def logical_part(kept: str) -> str:
    """Return the logical plans that a truncated text has in full; empty if it has none."""
    if not kept.startswith((_PARSED, _OPTIMIZED)):
        return ""
    ends = (kept.rfind(f"\n{header}") for header in (_PHYSICAL, _OPTIMIZED, ANALYZED[1:]))
    return kept[: next((at for at in ends if at >= 0), 0)]


def completed_text(tree: str, kept: str, length: int) -> str:
    """Return a text that Spark truncated (`PlanStringConcat`, 3.0 to 4.3) as a tree string with what the text has.

    Args:
        tree: The physical plan as a tree string, with its header.
        kept: The text up to the place where it is truncated: complete logical plans or blocks remain.
        length: The length that it had.
    """
    if logical := logical_part(kept):
        tree = f"{logical}\n{tree}"
    elif kept.startswith(_PHYSICAL) and len(headers := list(_BLOCK.finditer(kept))) > 1:
        tree += f"{_BLOCKS}{kept[: headers[-1].start()]}\n"
    return f"{tree}{_LENGTH}{length}\n"


def _length_at(text: str) -> int:
    """Return the offset of the length that `completed_text` adds; that of the text's end if there is none."""
    at = text.find(_LENGTH, max(0, len(text) - _LONGEST_LENGTH))
    return at if at > 0 and text[at + len(_LENGTH) :].strip().isdecimal() else len(text)


def without_length(text: str) -> str:
    """Return a text without the length that `completed_text` adds: it varies from run to run."""
    return text[: _length_at(text)]


def split_sections(text: str) -> Sections | None:
    r"""Split a plan text into its parts; `PlanText.sections` caches them.

    Args:
        text: `physicalPlanDescription`, or another text that Spark's explain printed.

    Returns:
        The parts; None for a text that is not a plan.

    >>> split_sections("== Physical Plan ==\nRange (0, 5, step=1, splits=2)\n").mode
    <Mode.SIMPLE: 'simple'>
    """
    if (at := _length_at(text)) < len(text):
        tree, _, blocks = text[:at].partition(_BLOCKS)
        parts = Sections(Mode.SIMPLE, tree) if tree.startswith(_PHYSICAL) else split_sections(tree)
        return parts and parts._replace(length=int(text[at + len(_LENGTH) :]), blocks=blocks)
    if text.startswith(_PHYSICAL):
        return Sections(Mode.FORMATTED if _is_formatted(text) else Mode.SIMPLE, text)
    return _split_logical(text) if text.startswith((_PARSED, _OPTIMIZED)) else None


def _split_logical(text: str) -> Sections | None:
    """Split a text that begins with a logical plan; None if no physical plan follows."""
    extended = text.startswith(_PARSED)
    start = 0
    analyzed = _header(text, ANALYZED, start) if extended else -1
    start = max(analyzed, 0)
    optimized = _header(text, f"\n{_OPTIMIZED}", start) if extended else 0
    physical = _header(text, f"\n{_PHYSICAL}", max(optimized, start))
    if physical < 0:
        return None
    logical_end = optimized if optimized > 0 else physical
    return Sections(
        Mode.EXTENDED if extended else Mode.COST,
        text[physical + 1 :],
        _without_schema(text[analyzed + len(ANALYZED) : logical_end]) if analyzed >= 0 else "",
        text[text.index("\n", optimized + 1) + 1 : physical] if optimized >= 0 else "",
        text[len(_PARSED) : analyzed] if analyzed >= 0 else "",
        _columns(text[analyzed + len(ANALYZED) : logical_end]) if analyzed >= 0 else (),
    )


def _is_formatted(text: str) -> bool:
    """Return whether a text is formatted: its operators have numbers and blocks, those of simple text have neither."""
    start = len(_PHYSICAL)
    if _STAGED_ROOT.match(text, start):
        return False
    block = _BLOCK.search(text, start)
    if block is not None:
        return _NUMBERED.search(text, start, block.start()) is not None
    end = text.find("\n", start)
    return _NUMBERED_ROOT.match(text, start, end if end >= 0 else len(text)) is not None


def _header(text: str, header: str, start: int) -> int:
    """Return the offset of a section; -1 if there is none. A literal can forge the header, but only within brackets.

    Args:
        header: The header's line, with a line break before it.
    """
    offsets = []
    at = text.find(header, start)
    while at >= 0:
        offsets.append(at)
        at = text.find(header, at + 1)
    if len(offsets) < 2:
        return offsets[0] if offsets else -1
    depths = []
    depth, done = 0, start
    for offset in offsets:
        depth += imbalance(text, done, offset)
        done = offset
        depths.append(abs(depth))
    least = min(depths)
    return next(offset for offset, depth in zip(offsets, depths, strict=True) if depth == least)


def _columns(analyzed: str) -> tuple[str, ...]:
    """Return the names in an analyzed plan's line of output columns, which have types: `id: bigint, name: string`.

    `... 36 more fields` is the last of a truncated line.
    """
    schema = analyzed[: len(analyzed) - len(_without_schema(analyzed))].rstrip("\n")
    names, at = [], 0
    for match in _COLUMN_TYPE.finditer(schema):
        if match.start() >= at:
            names.append(schema[at : match.start()])
            at = match.end()
    return (*names, schema[at:]) if hidden_items(schema[at:]) else tuple(names)


def _without_schema(analyzed: str) -> str:
    """Return the analyzed plan without its line of output columns, `id: bigint, name: string`.

    Commands without output have an empty line in 2.4, and none from 3.0 on (`QueryExecution.writePlans`).
    """
    first, _, rest = analyzed.partition("\n")
    if first and (not rest.strip() or BRANCH.match(rest) or not _SCHEMA_END.search(first)):
        return analyzed
    return rest


_NAME = r"`(?:[^`\n]|``)+`(?:\.`(?:[^`\n]|``)+`)*"
_VIEW = re.compile(rf"View \((?P<name>{_NAME}), \[(?P<columns>[^\n]*)\]\)")
_VIEW_BLOCK = re.compile(rf"\n\n\(\d{{1,9}}\) View\nArguments: (?P<name>{_NAME}), \[(?P<columns>[^\n]*)\]\n")


class ViewRead(NamedTuple):
    """A view that a statement reads.

    Attributes:
        name: As printed: `` `spark_catalog`.`db`.`v` ``; a temporary view's is one word, or `` `global_temp`.`v` ``.
        columns: The columns that the rest of the plan names; truncated if Spark truncated the list.
    """

    name: str
    columns: tuple[str, ...]


def read_views(parts: Sections) -> tuple[ViewRead, ...]:
    """Return the distinct views that a plan text names, in the text's order.

    Args:
        parts: The parts of the text; the analyzed plan of extended text, or the logical trees of formatted text.
    """
    tree = parts.analyzed if parts.mode is Mode.EXTENDED else parts.physical
    if "View" not in tree:
        return ()
    found = _in_tree(tree) if parts.mode is Mode.EXTENDED else _in_blocks(tree)
    views: dict[str, tuple[str, ...]] = {}
    for view in found:
        views[view.name] = tuple(dict.fromkeys((*views.get(view.name, ()), *view.columns)))
    return tuple(ViewRead(name, columns) for name, columns in views.items())


def _in_blocks(text: str) -> Iterator[ViewRead]:
    """Yield the views of formatted text, without the columns that are used."""
    for match in _VIEW_BLOCK.finditer(text):
        yield ViewRead(match["name"], ())


def _in_tree(tree: str) -> Iterator[ViewRead]:
    lines = read_lines(tree)
    views = {at: match for at, line in enumerate(lines) if (match := _VIEW.fullmatch(line.label))}
    uses: dict[int, list[int]] = {}
    for at, line in enumerate(lines) if views else ():
        for expr_id in ids_in(line.label) if at not in views else ():
            uses.setdefault(expr_id, []).append(at)
    for at, match in views.items():
        end = subtree_end(lines, at)
        columns = filter(None, map(read_attribute, _listed(match["columns"])))
        used = [name for name, expr_id in columns if _is_outside(uses.get(expr_id, ()), at, end)]
        yield ViewRead(match["name"], tuple(used))


def _listed(text: str) -> list[str]:
    return split(EXPRESSIONS if ", " in text else TIGHT, text)


def _is_outside(lines: Iterable[int], start: int, end: int) -> bool:
    return any(not start <= line < end for line in lines)


_RELATION = re.compile(r"Relation (?P<table>[^\s\[]+)\[(?P<columns>[^\n]*)\] \w+")
_CALL = re.compile(
    rf"(?:try_)?variant_get\([^\s(),]+#{NUMBER}, \$[^,()]*, \w+Type(?:\([\d,]*\))?, "
    r"(?:[^()]*\([^()]*\)|true|false)\)"
)
_ALIAS = re.compile(rf" AS ([^,\[\]]+#{NUMBER})")
_AROUND = 60
_WHOLE = ""


def with_variant_paths(parts: Sections) -> Sections:
    """Return a plan text with the calls that read paths of VARIANTs, which its analyzed plan has, instead of numbers.

    `PushVariantIntoScan` (4.0 to 4.3) replaces a relation's VARIANT by a new attribute, a struct of the requested
    paths, `variant_get(doc#4, $.a, IntegerType, true, Some(UTC))` by `doc#9.0`, and `doc#4` by `doc#9.1 AS doc#4`. The
    numbers follow from what is around them in both plans.

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
    for match in _CALL.finditer(plan):
        if f"variant_get({original}, " in match[0]:
            found.setdefault(match[0], []).append(match)
    return found


def _likeness(places: list[re.Match[str]], calls: list[re.Match[str]], parts: Sections) -> int:
    """Return how many characters around a number and around a call are the same, at their most similar places."""
    optimized, analyzed = parts.optimized, parts.analyzed
    return max(
        len(common_start(optimized[: place.start()][-_AROUND:][::-1], analyzed[: call.start()][-_AROUND:][::-1]))
        + len(common_start(optimized[place.end() :][:_AROUND], analyzed[call.end() :][:_AROUND]))
        for place in places
        for call in calls
    )
