"""The outline of formatted plan text: tree lines, detail blocks, subqueries.

Source: `ExplainUtils.processPlan`, `QueryPlan.verboseStringWithOperatorId` and `TreeNode.generateTreeString`
of Spark 3.0 to 4.3. A section is a tree with details; the main one comes first, then one for each subquery
(`Subquery:1 Hosting operator id = …`), then one for each exchange that adaptive execution left out of its final
plan (`Subplan:1`, 3.5+). Nothing in the text is quoted: `headers` chooses the true headers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eventlog_lineage.plan.nodes import Field

from .detail_fields import FieldReader
from .header_candidates import HeaderCandidates, SectionCandidate
from .headers import true_headers

_FIRST_LINE = "== Physical Plan ==\n"
_NUMBERED = re.compile(
    r"^(.*) \((\d+|unknown)\)"
    r"(?:, Statistics\(.*\)|, [a-z][a-z, ]*| \(columnarIn=\w+, columnarOut=\w+\))?$",  # 3.4+; 4.3: `, coalesced`
    re.DOTALL,
)
_CODEGEN = " [codegen id : "
_REUSES = "[Reuses operator id: "


@dataclass(frozen=True, slots=True)
class TreeLine:
    """A line of the tree: an operator, or the marker of an adaptive section.

    Attributes:
        column: The column of the text, in characters.
        connected: The text follows a branch, `+- ` or `:- `.
        label: The text without operator id.
        operator_id: The operator id; None if it is not printed or `unknown`.
        marker: The name of an adaptive section, `Final Plan`; empty for operators.
    """

    column: int
    connected: bool
    label: str
    operator_id: int | None
    marker: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """The detail block of an operator: its name, its fields, the operator id it reuses."""

    operator_id: int
    name: str
    fields: dict[str, Field]
    reuses: int | None


@dataclass(frozen=True, slots=True)
class Section:
    """A tree, with the details of the operators that no earlier section describes."""

    lines: tuple[TreeLine, ...]
    details: tuple[Detail, ...]


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
    """Return the hosting expression, which ends before an empty line or a tree, and the offset of its end.

    Args:
        text: The text of the plan.
        start: Offset of the expression.
    """
    end = text.find("\n", start)
    while end >= 0:
        line_end = text.find("\n", end + 1)
        following = text[end + 1 : line_end if line_end >= 0 else len(text)]
        if not following or _split_id(following):
            return text[start:end], end
        end = line_end
    return text[start:], len(text)


class _Reader:
    """Reads sections, one after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._candidates = HeaderCandidates(text)
        self._fields = FieldReader()
        self._described: set[int] = set()

    def section(self, start: int, kind: str, number: int) -> tuple[Section, SectionCandidate | None]:
        """Return a section, and the candidate for the next one.

        Args:
            start: Offset of its tree.
            kind: The kind of the section that may come next.
            number: The number of that section.
        """
        following = self._candidates.following(start, kind, number)
        ends = [*(candidate.start for candidate in following), len(self._text)]
        tree_end = self._candidates.tree_end(start, ends[0])
        lines = read_tree(self._text[start:tree_end])
        labels: dict[int, list[str]] = {}
        for line in lines:
            if line.operator_id is not None:
                labels.setdefault(line.operator_id, []).append(line.label)
        headers, end = true_headers(self._candidates, tree_end, ends, labels, self._described)
        borders = [*(header.start for header in headers[1:]), end]
        details = [
            self._detail(header.operator_id, header.name_at, border, labels[header.operator_id])
            for header, border in zip(headers, borders, strict=False)
        ]
        self._described.update(labels)
        return Section(tuple(lines), tuple(details)), next(
            (candidate for candidate in following if candidate.start == end), None
        )

    def _detail(self, operator_id: int, start: int, end: int, labels: Sequence[str]) -> Detail:
        text = self._text
        line_end = start
        for label in labels:
            if "\n" in label and text.startswith(label.rstrip(), start):
                line_end = start + len(label.rstrip())
        line_end = text.find("\n", line_end, end)
        line_end = line_end if line_end >= 0 else end
        name = text[start:line_end]
        reused = ""
        if name.endswith("]"):
            head, found, reused = name.rpartition(_REUSES)
            name = head.rstrip(" ") if found else name
            name = name.rpartition(_CODEGEN)[0] or name
        reuses = reused[:-1]
        fields = self._fields.read(text, line_end + 1, end)
        return Detail(operator_id, name, fields, int(reuses) if reuses.isdecimal() else None)


def read_tree(text: str) -> list[TreeLine]:
    r"""Return the lines of a tree; a node name with line breaks is one line.

    Args:
        text: The tree as `TreeNode.treeString` prints it, with operator ids.

    >>> [(line.column, line.label, line.operator_id) for line in read_tree("Project (2)\n+- Range (1)")]
    [(0, 'Project', 2), (3, 'Range', 1)]
    """
    lines: list[TreeLine] = []
    begun = ""
    rest: list[str] = []  # further lines of the name in `begun`
    for raw in text.strip("\n").split("\n"):
        if begun:
            line, label = begun, raw
        else:
            line, label = raw, raw.lstrip(" :+-")
            if label.startswith("== ") and label.endswith(" =="):
                lines.append(_line(line, label, None, label[3:-3]))
                continue
        numbered = _split_id(label)
        if numbered is not None:
            name = "\n".join((begun.lstrip(" :+-"), *rest, numbered[0])) if begun else numbered[0]
            lines.append(_line(line, name, numbered[1]))
            begun, rest = "", []
        elif begun:
            rest.append(raw)
        else:
            begun = raw if label else ""
    return lines


def _line(raw: str, label: str, operator_id: int | None, marker: str = "") -> TreeLine:
    column = len(raw) - len(raw.lstrip(" :+-"))
    if label.startswith(("* ", "^ ")):
        label = label[2:]
    elif label.startswith("!"):
        label = label[1:]
    return TreeLine(column, raw[column - 2 : column] == "- ", label, operator_id, marker)


def _split_id(label: str) -> tuple[str, int | None] | None:
    """Return name and id of `Project (7)`; the id is None for `unknown`. None if the text does not end in an id."""
    at = label.rfind(" (")
    if at > 0 and label.endswith(")"):
        operator_id = label[at + 2 : -1]
        if operator_id.isdecimal() and len(operator_id) < 10:
            return label[:at], int(operator_id)
    if label.endswith((")", "coalesced", "local", "skewed")) and (match := _NUMBERED.match(label)):
        return match[1], int(match[2]) if match[2].isdecimal() else None
    return None
