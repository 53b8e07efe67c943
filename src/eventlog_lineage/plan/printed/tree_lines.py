"""Lines of a printed tree, and which of them Spark describes, in the order of the blocks.

Since Spark 3.2 ids are unique, and blocks are in the order of ids. In 3.0 and 3.1 the ids below an `InMemoryRelation`
repeat those above it (`ExplainUtils.generateOperatorIDs` ignores the last id of an inner plan), and an inner plan that
a text prints several times has blocks, and ids that follow the relation's, only the first time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

_NUMBERED = re.compile(
    r"^(.*) \((\d+|unknown)\)"
    r"(?:, Statistics\(.*\)|, [a-z][a-z, ]*| \(columnarIn=\w+, columnarOut=\w+\))?$",  # 3.4+; 4.3: `, coalesced`
    re.DOTALL,
)
_LONGEST_NAME = 1_000
"""The number of lines that a name can have after the first one that may end it."""
_INNER = 3
"""Inner plans (of a cached relation, of a command) are printed two levels deeper: six columns instead of three."""


@dataclass(frozen=True, slots=True)
class TreeLine:
    """A line of the tree: an operator, or the marker of an adaptive section.

    Attributes:
        column: The column of the text, in characters.
        connected: The text follows a branch, `+- ` or `:- `.
        label: The text without operator id.
        operator_id: The operator id; None if it is not printed or `unknown`.
        marker: The name of an adaptive section, `Final Plan`; empty for operators.
        pending: The branch is `:- `: a further child of the same operator follows.
    """

    column: int
    connected: bool
    label: str
    operator_id: int | None
    marker: str = ""
    pending: bool = False


Named = Callable[[int | None, str], bool]
"""Whether the text describes an operator of an id under a label."""


def read_tree(text: str, is_named: Named = lambda *_: True) -> list[TreeLine]:
    r"""Return the lines of a tree; a node name with line breaks is one line.

    Args:
        text: The tree as `TreeNode.treeString` prints it, with operator ids.
        is_named: Decides where a name with open brackets ends, such as a query's: `Scan JDBCRelation((select … (1)`.

    >>> [(line.column, line.label, line.operator_id) for line in read_tree("Project (2)\n+- Range (1)")]
    [(0, 'Project', 2), (3, 'Range', 1)]
    """
    lines: list[TreeLine] = []
    printed = text.strip("\n").split("\n")
    at = 0
    while at < len(printed):
        raw, label = printed[at], printed[at].lstrip(" :+-")
        if label.startswith("== ") and label.endswith(" =="):
            lines.append(_line(raw, label, None, label[3:-3]))
        elif label:
            found = _numbered(_bare(label), printed, at + 1, is_named)
            if found is None:
                break
            at, name, operator_id = found
            lines.append(_line(raw, name, operator_id))
        at += 1
    return lines


def _numbered(label: str, printed: Sequence[str], after: int, is_named: Named) -> tuple[int, str, int | None] | None:
    """Return the last line of an operator, its name and its id; None without an id."""
    first = None
    name = ""
    for at in range(after - 1, len(printed)):
        line = label if at < after else printed[at]
        if numbered := split_id(line):
            whole = f"{name}{numbered[0]}"
            first = first or (at, whole, numbered[1])
            if whole.count("(") == whole.count(")") or is_named(numbered[1], whole):
                return at, whole, numbered[1]
        if first and at - first[0] > _LONGEST_NAME:
            break
        name = f"{name}{line}\n"
    return first


def _line(raw: str, label: str, operator_id: int | None, marker: str = "") -> TreeLine:
    column = len(raw) - len(raw.lstrip(" :+-"))
    return TreeLine(column, raw[column - 2 : column] == "- ", label, operator_id, marker, _is_pending(raw, column))


def _is_pending(raw: str, column: int) -> bool:
    return raw[max(column - 3, 0) : column] == ":- "


def _bare(label: str) -> str:
    """Return a label without the marks of generated code and of missing inputs."""
    return label[2:] if label.startswith(("* ", "^ ")) else label.removeprefix("!")


def split_id(label: str) -> tuple[str, int | None] | None:
    """Return name and id of `Project (7)`; the id is None for `unknown`. None if the text does not end in an id."""
    at = label.rfind(" (")
    if at > 0 and label.endswith(")"):
        operator_id = label[at + 2 : -1]
        if operator_id.isdecimal() and len(operator_id) < 10:
            return label[:at], int(operator_id)
    if label.endswith((")", "coalesced", "local", "skewed")) and (match := _NUMBERED.match(label)):
        return match[1], int(match[2]) if match[2].isdecimal() else None
    return None


def children_by_column(lines: Sequence[TreeLine]) -> list[list[int]]:
    """Return the children of each line, by column; a line without a parent is ignored.

    The sections of an adaptive plan within a section of another, a cache of a cache, start further left than the plan:
    `AdaptiveSparkPlanExec.generateTreeStringWithHeader` (3.5 to 4.3) indents them by its depth in that section.
    """
    children: list[list[int]] = [[] for _ in lines]
    stacks: list[list[int]] = [[]]
    for at, line in enumerate(lines):
        if at and _is_nested(lines[at - 1], line):
            stacks.append([at - 1])
        while len(stacks) > 1 and not _is_in_section(lines, stacks[-1], at):
            stacks.pop()
        stack = stacks[-1]
        _close(lines, stack, line, len(stacks) > 1)
        if stack:
            children[stack[-1]].append(at)
        if stack or not at:
            stack.append(at)
    return children


def _is_nested(host: TreeLine, line: TreeLine) -> bool:
    return bool(line.marker) and host.label.startswith("AdaptiveSparkPlan") and host.column >= line.column


def _close(lines: Sequence[TreeLine], stack: list[int], line: TreeLine, kept: int) -> None:
    """Drop the open lines that a line is not below; the first ones are kept."""
    while len(stack) > kept and _is_closed(lines[stack[-1]], line):
        stack.pop()


def _is_closed(last: TreeLine, line: TreeLine) -> bool:
    return last.column >= line.column and not (last.marker and last.column == line.column and not line.connected)


def _is_in_section(lines: Sequence[TreeLine], stack: Sequence[int], at: int) -> bool:
    """Return whether a line continues a section: as its other plan, the first child of the last line, or a sibling.

    Args:
        stack: The adaptive plan, its section, and the open lines of that.
    """
    line, last = lines[at], lines[at - 1]
    if len(stack) == 1:
        return True
    if line.marker:
        return _is_other_plan(lines[stack[1]], line)
    if _is_awaited(lines, stack, line.column):
        return line.connected
    return stack[-1] == at - 1 and not _is_leaf(last) and (last.column < line.column or not line.connected)


def _is_awaited(lines: Sequence[TreeLine], stack: Sequence[int], column: int) -> bool:
    """Return whether an open line has a further child at a column."""
    open_ = next(lines[each] for each in reversed(stack) if lines[each].column <= column or each == stack[0])
    return open_.pending and open_.column == column


def _is_other_plan(section: TreeLine, line: TreeLine) -> bool:
    return line.column == section.column and line.marker == "Initial Plan" != section.marker


def _is_leaf(line: TreeLine) -> bool:
    name = line.label.partition("[")[0]
    return "Scan " in f"{name} " and "InMemoryTableScan" not in name


def described_order(lines: Sequence[TreeLine]) -> list[int]:
    """Return the numbered lines in the order of their blocks: inputs, the operator, then its inner plans.

    Source: `ExplainUtils.generateOperatorIDs` of Spark 3.0 and 3.1.
    """
    children = children_by_column(lines)
    order: list[int] = []
    stack = [0][: len(lines)]
    while stack:
        if (at := stack.pop()) < 0:
            order.append(~at)  # its inputs are done
            continue
        inner = [child for child in children[at] if _is_inner(lines, at, child)]
        inputs = [child for child in children[at] if child not in inner]
        stack += [*reversed(inner), ~at, *reversed(inputs)]
    return [at for at in order if lines[at].operator_id is not None]


def inner_plans(lines: Sequence[TreeLine]) -> Iterator[tuple[int, int, int]]:
    """Yield the inner plans of a tree: the operator that has it, its first line, and the line after its last one."""
    children = children_by_column(lines)
    for host, below in enumerate(children):
        for first in (child for child in below if _is_inner(lines, host, child)):
            column = lines[first].column
            rest = range(first + 1, len(lines))
            after = (at for at in rest if lines[at].column < column + lines[at].connected)
            yield host, first, next(after, len(lines))


def _is_inner(lines: Sequence[TreeLine], host: int, child: int) -> bool:
    return lines[child].column > lines[host].column + _INNER


Place = tuple[int, int]
"""The number of a section, and a line of its tree."""

Headers = Callable[[int, str], int]
"""The number of headers in a section's text that an operator can have, by its id and label."""


class DescribedLines:
    """The lines that have blocks, section by section."""

    def __init__(self) -> None:
        self._labels: dict[int, str] = {}  # of the operators of earlier sections
        self._inner: dict[object, Place] = {}  # where each inner plan is printed first
        self._sections = 0
        self._repeats_ids = False

    def of(self, lines: Sequence[TreeLine], headers: Headers) -> tuple[list[int], dict[int, Place]]:
        """Return the described lines of the next section, and the repeated lines with the place of the first ones."""
        known = dict(self._labels)
        for line in lines:
            if line.operator_id is not None:
                label = known.setdefault(line.operator_id, line.label)
                self._repeats_ids = self._repeats_ids or label.rstrip() != line.label.rstrip()
        described, repeated = self._repeating(lines, headers) if self._repeats_ids else (self._unique(lines), {})
        self._labels = known
        self._sections += 1
        return described, repeated

    def _unique(self, lines: Sequence[TreeLine]) -> list[int]:
        first: dict[int, int] = {}
        for at, line in enumerate(lines):
            if line.operator_id is not None and line.operator_id not in self._labels:
                first.setdefault(line.operator_id, at)
        return [first[operator_id] for operator_id in sorted(first)]

    def _repeating(self, lines: Sequence[TreeLine], headers: Headers) -> tuple[list[int], dict[int, Place]]:
        repeated: dict[int, Place] = {}
        uncertain: set[int] = set()
        for host, start, end in inner_plans(lines):
            if start in repeated:
                continue
            section, first = self._inner.setdefault(_key(lines, start, end), (self._sections, start))
            if (section, first) == (self._sections, start):
                continue
            repeated |= {at: (section, first + at - start) for at in range(start, end)}
            ids = [line.operator_id for line in lines[start:end] if line.operator_id is not None]
            if min(ids, default=0) == (lines[host].operator_id or 0) + 1:
                uncertain.update(range(start, end))  # another plan of the same form can have these ids
        possible = [at for at in described_order(lines) if at not in repeated or at in uncertain]
        described = set(_described(lines, sorted(possible, key=uncertain.__contains__), headers))
        return [at for at in possible if at in described], repeated


def _described(lines: Sequence[TreeLine], possible: Iterable[int], headers: Headers) -> Iterator[int]:
    used: Counter[tuple[int | None, str]] = Counter()
    for at in possible:
        operator = (lines[at].operator_id, lines[at].label.rstrip())
        used[operator] += 1
        if used[operator] <= headers(lines[at].operator_id or 0, lines[at].label):
            yield at


def _key(lines: Sequence[TreeLine], start: int, end: int) -> object:
    first, last = lines[start], lines[end - 1]
    return first.label, first.operator_id, last.label, last.operator_id, end - start


BRANCH = re.compile(r"(?:: {2}| {3})*(?:\+- |:- )")
"""What is before an operator below another one."""
_FIRST_OF_SECTION = re.compile(r"(?:: {2}| {3})+(?=\S)")
_MARKER = re.compile(r"== (\w+ Plan) ==")
INNER_COLUMNS = 6
"""How many columns deeper an inner plan is, without operator ids."""


def read_lines(text: str) -> list[TreeLine]:
    r"""Return the lines of a tree; arguments with line breaks belong to one line.

    Args:
        text: The tree as `TreeNode.treeString` prints it, without operator ids.

    >>> [(line.column, line.label) for line in read_lines("Project [id#1L]\n+- Range (0, 5)")]
    [(0, 'Project [id#1L]'), (3, 'Range (0, 5)')]
    """
    lines: list[TreeLine] = []
    labels: list[list[str]] = []
    after_marker = False
    for raw in text.split("\n"):
        prefix = BRANCH.match(raw) or (_FIRST_OF_SECTION.match(raw) if after_marker else None)
        column = prefix.end() if prefix else 0
        deepest = lines[-1].column + INNER_COLUMNS if lines else 0
        if lines and (prefix is None or column > deepest):
            labels[-1].append(raw)
            continue
        marker = _MARKER.fullmatch(raw, column)
        after_marker = marker is not None
        connected = raw[column - 2 : column] == "- "
        name = marker[1] if marker else ""
        lines.append(TreeLine(column, connected, "", len(lines), name, _is_pending(raw, column)))
        labels.append([raw[column:]])
    return [replace(line, label="\n".join(label)) for line, label in zip(lines, labels, strict=True)]


def subtree_end(lines: Sequence[TreeLine], at: int) -> int:
    """Return the index after the last line below a line of a tree."""
    after = range(at + 1, len(lines))
    return next((each for each in after if lines[each].column <= lines[at].column), len(lines))
