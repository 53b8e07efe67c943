r"""Read formatted plan text: tree lines, detail blocks with their fields, subqueries.

Source: `ExplainUtils.processPlan` and `generateFieldString`, `QueryPlan.verboseStringWithOperatorId` and
`TreeNode.generateTreeString` of Spark 3.0 to 4.3. A section is a tree with details; the main one comes first, then one
for each subquery (`Subquery:1 Hosting operator id = …`), then one for each exchange that adaptive execution left out of
its final plan (`Subplan:1`, 3.5+).

Names and literals are printed raw, so they can contain `\n\n(7) Project` or `\n\nSubquery:2 Hosting operator id = 3`.
For a true header, the tree contains an operator with its id and name; ids increase, and each operator is described
once; the block before it is complete: its lists have all their items, its brackets are balanced. A value can contain
line breaks and lines that look like fields (`CatalogTable(\nDatabase: …`): a counted list ends when it has as many
items as Spark prints, and the last field of a block ends with the block.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from eventlog_lineage.plan.grammar.attribute_ids import imbalance
from eventlog_lineage.plan.grammar.forms import LABELS
from eventlog_lineage.plan.grammar.readings import has_reading
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, NAMED, Field, read_counted

from .tree_lines import DescribedLines, Place, TreeLine, read_tree, split_id

_LABEL = re.compile(r"([A-Z][A-Za-z ]*?(?:\d{1,4} Input)?)(?: \[(\d{1,9})\]| )?")
_LONGEST_LABEL = 60
_LAST = frozenset({"Arguments", "Condition", "Join condition"})
"""Labels that Spark prints last: their values end with the block."""

_FOLLOWING = re.compile(
    r"\n(?:Input|Keys|Functions|Aggregate Attributes|Results|(?:Left|Right) keys|Join type|Join condition|Condition"
    r"|Arguments|Batched|Location)"
    r"(?: \[\d+\])?: "
)
"""Fields that can follow the lists of an operator."""

_EMPTY = Field("", 0)
_MAX_CLOSING_LINES = 256
"""Limit of the lines ending in a bracket that one list can have."""

DESCRIPTION = ""
"""The label of text without a label: a connector's description of its scan."""


class FieldReader:
    """Reads the fields of a plan's blocks, and caches lists that several operators print."""

    def __init__(self) -> None:
        self._lists: dict[str, Field] = {}

    def read(self, text: str, start: int, stop: int) -> dict[str, Field]:
        r"""Return the fields of a block, label to field; text without a label is under `DESCRIPTION`.

        Args:
            start: Offset of the block after its header line.

        >>> block = "Output [1]: [id#1L]\nCondition : (id#1L > 2)"
        >>> FieldReader().read(block, 0, len(block))["Output"].items
        ('id#1L',)
        """
        fields: dict[str, Field] = {}
        described: list[str] = []
        block = text[start:stop].rstrip("\n")
        stop = start + len(block)
        line_end = start - 1
        for line in block.split("\n"):
            at = line_end + 1
            line_end = at + len(line)
            if at < start:
                continue  # part of the previous value
            head, colon, value = line.partition(": ")
            label, count = _label(head) if colon and len(head) <= _LONGEST_LABEL else ("", None)
            if count is not None and value.startswith("["):
                field, start = self._counted(label, count, (text, line_end - len(value), line_end, stop))
            elif label:
                start = _plain_end(label, text, line_end - len(value), line_end, stop)
                field = _EMPTY if value == "[]" else Field(text[line_end - len(value) : start])
            else:
                if described or line:
                    described.append(line)
                continue
            fields.setdefault(label, field)
        if described:
            fields[DESCRIPTION] = Field("\n".join(described))
        return fields

    def _counted(self, label: str, count: int, location: tuple[str, int, int, int]) -> tuple[Field, int]:
        """Return a counted list and its end; cached, as most lists are printed as an output and as an input.

        Args:
            location: The text; the offsets of the list, of the end of its line and of the end of its block.
        """
        text, start, line_end, stop = location
        named = LABELS.get(label) is not EXPRESSIONS
        printed = text[start:line_end]
        known = self._lists.get(printed) if named else None
        if known is not None and known.count == count:
            return known, line_end
        end = _list_end(label, text, (start + 1, line_end, stop), count)
        field = counted_list(label, text[start + 1 : end].removesuffix("]"), count)
        if named and end == line_end:
            self._lists[printed] = field
        return field, end


@lru_cache(maxsize=1024)
def _label(head: str) -> tuple[str, int | None]:
    """Return label and count of `Output [2]`; an empty label for text that is not a label."""
    match = _LABEL.fullmatch(head)
    if not match:
        return "", None
    return match[1], int(match[2]) if match[2] else None


def _split_label(text: str, start: int, end: int) -> tuple[str, int | None, int]:
    """Return a line's label, its count, and the offset of its value; an empty label for a line without one."""
    colon = text.find(": ", start, end)
    if colon < 0 or colon - start > _LONGEST_LABEL:
        return "", None, start
    label, count = _label(text[start:colon])
    return label, count, colon + 2


def counted_list(label: str, text: str, count: int) -> Field:
    """Return a counted list with its items.

    Args:
        label: The field's label: items of `Functions` and of join keys have no names, all others do.

    >>> counted_list("Output", "id#1L, name#2", 2).items
    ('id#1L', 'name#2')
    """
    return Field(text, count, read_counted(LABELS.get(label, NAMED), text, count))


def _list_end(label: str, text: str, offsets: tuple[int, int, int], count: int) -> int:
    """Return the end of a counted list, with its bracket: the end of a line with enough items.

    Args:
        offsets: The start of the list, the end of its line, and the end of its block.
    """
    start, line_end, stop = offsets
    end = line_end if text.endswith("]", start, line_end) else _bracket_end(text, line_end, stop)
    if end == line_end and (end == stop or text[end + 1].isupper()):
        if text.find("(", start, end) < 0 and text.count(", ", start, end) + 1 == count:
            return end
        items = text[start : end - 1]
        if _FOLLOWING.match(text, end) and has_reading(items, count, are_named=LABELS.get(label) is not EXPRESSIONS):
            return end  # a literal or a name has unbalanced brackets
    return _closing_end(text, start, end, stop)


def _closing_end(text: str, start: int, end: int, stop: int) -> int:
    """Return the end of the first line after which a list has balanced brackets.

    Args:
        end: Offset of the first possible end; -1 if no line ends in a bracket.
    """
    first = end if end >= 0 else stop
    round_, square, counted = 0, 1, start  # the list's own bracket is open
    for _ in range(_MAX_CLOSING_LINES):
        if end < 0:
            break
        more_round, more_square = _open_brackets(text, counted, end)
        round_, square, counted = round_ + more_round, square + more_square, end
        if round_ == 0 and square == 0:
            return end
        end = _bracket_end(text, end, stop)
    return first


def _bracket_end(text: str, line_end: int, stop: int) -> int:
    """Return the end of the next line that ends in a bracket; -1 if there is none."""
    end = text.find("]\n", line_end + 1, stop)
    if end >= 0:
        return end + 1
    return stop if line_end < stop and text.endswith("]", line_end + 1, stop) else -1


def _plain_end(label: str, text: str, start: int, line_end: int, stop: int) -> int:
    """Return the end of a field without a count: the end of its line, or of the line that closes its brackets."""
    if label in _LAST:
        return stop
    end = line_end
    round_, square = _open_brackets(text, start, end)
    while round_ > 0 or square > 0:
        if end == stop:
            return line_end
        before, end = end, text.find("\n", end + 1, stop)
        end = end if end >= 0 else stop
        more_round, more_square = _open_brackets(text, before, end)
        round_, square = round_ + more_round, square + more_square
    return end


def _open_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    return (
        text.count("(", start, end) - text.count(")", start, end),
        text.count("[", start, end) - text.count("]", start, end),
    )


def lists_end(text: str, start: int) -> int:
    """Return the offset after the lists at the beginning of a block whose end is unknown."""
    end = text.find("\n", start)
    while end >= 0:
        line_end = text.find("\n", end + 1)
        line_end = line_end if line_end >= 0 else len(text)
        label, count, value = _split_label(text, end + 1, line_end)
        if count is not None and text.startswith("[", value):
            end = _list_end(label, text, (value + 1, line_end, len(text)), count)
        elif label and text[value:line_end] == "[]":
            end = line_end
        else:
            return end
    return len(text)


_HEADER = re.compile(r"\n\n\((\d{1,9})\) ")
_SECTION = re.compile(
    r"\n(?:===== Subqueries =====\n\n)?"
    r"Subquery:(\d{1,9}) Hosting operator id = (\d{1,9}|unknown) Hosting Expression = "
    r"|\n(?:===== Adaptively Optimized Out Exchanges =====\n\n)?Subplan:(\d{1,9})\n"
)


class Header(NamedTuple):
    """A candidate for a block's header.

    Attributes:
        start: Offset of the empty line before it: the end of the previous block.
        name_at: Offset of the name.
    """

    start: int
    name_at: int
    operator_id: int


class SectionCandidate(NamedTuple):
    """A candidate for the beginning of a section.

    Attributes:
        start: Its offset, with the headline above the first section of its kind.
        end: Offset of its end: a subquery's hosting expression or an exchange's tree follows.
        kind: `Subquery` or `Subplan`.
        host: The operator that hosts a subquery.
    """

    start: int
    end: int
    kind: str
    number: int
    host: int | None


class HeaderCandidates:
    """The candidates for headers and sections in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._headers = [Header(match.start(), match.end(), int(match[1])) for match in _HEADER.finditer(text)]
        self._starts = [header.start for header in self._headers]
        self._sections: dict[tuple[str, int], list[SectionCandidate]] = {}
        if "\nSubquery:" in text or "\nSubplan:" in text:
            for candidate in map(_section_candidate, _SECTION.finditer(text)):
                self._sections.setdefault((candidate.kind, candidate.number), []).append(candidate)

    def between(self, start: int, end: int, operator_ids: Container[int]) -> list[Header]:
        """Return the candidates for headers of certain operators between two offsets."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return [header for header in self._headers[first:last] if header.operator_id in operator_ids]

    def tree_end(self, start: int, limit: int) -> int:
        """Return the end of a tree: two empty lines precede the first block."""
        first = bisect_left(self._starts, start)
        for at in range(first, len(self._headers)):
            if self._starts[at] >= limit:
                break
            if self.text.startswith("\n", self._starts[at] - 1):
                return self._starts[at]
        return self._starts[first] if first < len(self._headers) and self._starts[first] < limit else limit

    def following(self, start: int, kind: str, number: int) -> list[SectionCandidate]:
        """Return the candidates for the next section: the one with the given number, or the first of the exchanges."""
        possible = {(kind, number), ("Subplan", 1)}
        return sorted(
            candidate for key in possible for candidate in self._sections.get(key, ()) if candidate.start >= start
        )

    def of(self, operator_id: int) -> Sequence[Header]:
        """Return the candidates for the header of an operator."""
        return self._by_id.get(operator_id, ())

    @cached_property
    def _by_id(self) -> Mapping[int, list[Header]]:
        found: dict[int, list[Header]] = {}
        for header in self._headers:
            found.setdefault(header.operator_id, []).append(header)
        return found


def _section_candidate(match: re.Match[str]) -> SectionCandidate:
    if match[3]:
        return SectionCandidate(match.start(), match.end(), "Subplan", int(match[3]), None)
    host = None if match[2] == "unknown" else int(match[2])
    return SectionCandidate(match.start(), match.end(), "Subquery", int(match[1]), host)


_NAME_END = re.compile(r" *(?:\[codegen id : \d+\])? *(?:\[Reuses operator id: (?:\d+|unknown)\])? *")
_LINE_BREAKS = re.compile(r"\n*")

Operator = tuple[int, str]
"""An operator's id, and its label in the tree."""


def true_headers(
    candidates: HeaderCandidates, start: int, ends: Sequence[int], operators: Sequence[Operator]
) -> tuple[dict[int, Header], int]:
    """Return the headers of a section's blocks, by the index of their operator, and the end of the section.

    Args:
        start: Offset of the end of the section's tree, where its blocks begin.
        ends: Possible offsets of the section's end, in order.
        operators: The described operators of its tree, in the order of their blocks.
    """
    ids = [operator_id for operator_id, _ in operators]
    found = candidates.between(start, ends[0], set(ids))
    if [header.operator_id for header in found] == ids:
        is_unique = len(ends) == 1 or len(found) == sum(len(candidates.of(operator_id)) for operator_id in set(ids))
        if is_unique and (len(ends) == 1 or not found or _is_complete(candidates, found[-1], ends[0])):
            return dict(enumerate(found)), ends[0]
    return _one_per_operator(candidates, start, ends, operators)


def named_headers(candidates: HeaderCandidates, start: int, end: int, operator: Operator) -> list[Header]:
    """Return the candidates for an operator's header between two offsets."""
    operator_id, label = operator
    own = (header for header in candidates.of(operator_id) if start <= header.start < end)
    return [header for header in own if _is_named(candidates.text, header, label)]


def _one_per_operator(
    candidates: HeaderCandidates, start: int, ends: Sequence[int], operators: Sequence[Operator]
) -> tuple[dict[int, Header], int]:
    """Return one header per operator, in order, and the end that fits the last block."""
    possible = [named_headers(candidates, start, ends[-1], operator) for operator in operators]
    headers: dict[int, Header] = {}
    block = -1
    for at, own in enumerate(possible):
        later = {header.start: header for header in own if header.start >= block}
        if later:
            headers[at] = later[_fitting_end(candidates, block, list(later), last=True)]
            block = _name_end(candidates.text, headers[at], operators[at][1])
    return headers, _fitting_end(candidates, block, [end for end in ends if end >= start], last=False)


def _name_end(text: str, header: Header, label: str) -> int:
    name = label.rstrip()  # it can have line breaks: a query
    return header.name_at + (len(name) if text.startswith(name, header.name_at) else 0)


def _fitting_end(candidates: HeaderCandidates, block: int, ends: Sequence[int], *, last: bool) -> int:
    """Return the offset of a block's end, among several possible ones.

    A block of lists ends with its lists. Free text (a condition, arguments) can contain literals that look like
    headers: it ends where the fewest brackets are open.

    Args:
        block: Offset of the block after its name; -1 for the first block of a section.
        last: Whether to choose the last of several ends that fit.
    """
    later = [end for end in ends if end >= block] if block >= 0 else []
    if len(later) < 2:
        return later[0] if later else ends[0]
    free = lists_end(candidates.text, block)
    later = [end for end in later if end >= free] or later[-1:]
    if later[0] <= _text_after(candidates.text, free):
        return later[0]
    pieces = zip((free, *later), later, strict=False)
    left_open = [max(depth, 0) for depth in accumulate(imbalance(candidates.text, *each) for each in pieces)]
    least = min(left_open)
    fitting = [end for end, count in zip(later, left_open, strict=True) if count == least]
    return fitting[-1] if last else fitting[0]


def _is_complete(candidates: HeaderCandidates, block: Header, end: int) -> bool:
    free = lists_end(candidates.text, block.name_at)
    return free <= end and (end <= _text_after(candidates.text, free) or imbalance(candidates.text, free, end) <= 0)


def _text_after(text: str, at: int) -> int:
    match = _LINE_BREAKS.match(text, at)
    return match.end() if match else at


def _is_named(text: str, header: Header, label: str) -> bool:
    """Return whether a header repeats an operator's label; joins print their type only in the tree (up to 3.3)."""
    for name in (label.rstrip(), label.partition(" ")[0]):
        if text.startswith(name, header.name_at):
            rest = header.name_at + len(name)
            line_end = text.find("\n", rest)
            if _NAME_END.fullmatch(text, rest, line_end if line_end >= 0 else len(text)):
                return True
    return False


_FIRST_LINE = "== Physical Plan ==\n"


@dataclass(frozen=True, slots=True)
class Detail:
    """The detail block of an operator: its name, its fields, the operator id it reuses."""

    operator_id: int
    name: str
    fields: dict[str, Field]
    reuses: int | None


@dataclass(frozen=True, slots=True)
class Section:
    """A tree with its details.

    Attributes:
        details: The blocks of the operators that no earlier section describes, in order.
        described: Index of a line to the block of its operator, also of one that an earlier section describes.
    """

    lines: tuple[TreeLine, ...]
    details: tuple[Detail, ...] = ()
    described: Mapping[int, Detail] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SubquerySection:
    """A subquery's section; empty for one that reuses another."""

    host: int | None
    expression: str
    section: Section


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a formatted plan text."""

    main: Section
    subqueries: tuple[SubquerySection, ...]
    optimized_out: tuple[Section, ...]


def read_outline(text: str) -> Outline:
    """Split formatted plan text into its parts.

    Args:
        text: The text with or without its `== Physical Plan ==` line.

    Returns:
        The outline; its main section is empty for a text without a tree.
    """
    reader = _Reader(text)
    start = len(_FIRST_LINE) if text.startswith(_FIRST_LINE) else 0
    main, candidate = reader.section(start, "Subquery", 1)
    subqueries: list[SubquerySection] = []
    while candidate and candidate.kind == "Subquery":
        host = candidate.host
        expression, start = _split_expression(text, candidate.end)
        section, candidate = reader.section(start, "Subquery", len(subqueries) + 2)
        subqueries.append(SubquerySection(host, expression, section))
    optimized_out: list[Section] = []
    while candidate:
        section, candidate = reader.section(candidate.end, "Subplan", len(optimized_out) + 2)
        optimized_out.append(section)
    return Outline(main, tuple(subqueries), tuple(optimized_out))


def _split_expression(text: str, start: int) -> tuple[str, int]:
    """Return the hosting expression, which ends before an empty line or a tree, and the offset of its end."""
    end = text.find("\n", start)
    while end >= 0:
        line_end = text.find("\n", end + 1)
        following = text[end + 1 : line_end if line_end >= 0 else len(text)]
        if not following or split_id(following):
            return text[start:end], end
        end = line_end
    return text[start:], len(text)


class _Reader:
    """Reads sections, one after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._candidates = HeaderCandidates(text)
        self._fields = FieldReader()
        self._lines = DescribedLines()
        self._sections: list[dict[int, Detail]] = []
        self._known: dict[tuple[int | None, str], Detail] = {}

    def section(self, start: int, kind: str, number: int) -> tuple[Section, SectionCandidate | None]:
        """Return a section, and the candidate for the next one."""
        following = self._candidates.following(start, kind, number)
        ends = [*(candidate.start for candidate in following), len(self._text)]
        tree_end = self._candidates.tree_end(start, ends[0])
        lines = read_tree(self._text[start:tree_end], self._describes)
        own, repeated = self._lines.of(
            lines, lambda *operator: len(named_headers(self._candidates, tree_end, ends[0], operator))
        )
        operators = [(lines[at].operator_id or 0, lines[at].label) for at in own]
        headers, end = true_headers(self._candidates, tree_end, ends, operators)
        borders = [*(header.start for header in headers.values()), end][1:]
        details = {
            own[at]: self._detail(header, border, lines[own[at]].label)
            for (at, header), border in zip(headers.items(), borders, strict=True)
        }
        section = Section(tuple(lines), tuple(details.values()), self._described(lines, details, repeated))
        return section, next((candidate for candidate in following if candidate.start == end), None)

    def _describes(self, operator_id: int | None, label: str) -> bool:
        return any(_is_named(self._text, header, label) for header in self._candidates.of(operator_id or 0))

    def _described(
        self, lines: Sequence[TreeLine], details: dict[int, Detail], repeated: Mapping[int, Place]
    ) -> Mapping[int, Detail]:
        """Return the block of each line, in this section or an earlier one.

        Args:
            details: Its own blocks, by line; changed.
        """
        self._sections.append(details)
        for at, (section, first) in repeated.items():
            if at not in details and first in self._sections[section]:
                details[at] = self._sections[section][first]
        for at, line in enumerate(lines):
            operator = (line.operator_id, line.label)
            if at in details:
                self._known.setdefault(operator, details[at])
            elif operator in self._known:
                details[at] = self._known[operator]
        return details

    def _detail(self, header: Header, end: int, label: str) -> Detail:
        text, start = self._text, header.name_at
        line_end = start
        if "\n" in label and text.startswith(label.rstrip(), start):
            line_end = start + len(label.rstrip())
        line_end = text.find("\n", line_end, end)
        line_end = line_end if line_end >= 0 else end
        name = text[start:line_end]
        reused = ""
        if name.endswith("]"):
            head, found, reused = name.rpartition("[Reuses operator id: ")
            name = head.rstrip(" ") if found else name
            name = name.rpartition(" [codegen id : ")[0] or name
        reuses = reused[:-1]
        fields = self._fields.read(text, line_end + 1, end)
        return Detail(header.operator_id, name, fields, int(reuses) if reuses.isdecimal() else None)
