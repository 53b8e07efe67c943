"""Read tree strings, with an operator and its arguments per line: the extended, simple and cost modes.

Source: `TreeNode.generateTreeString` of Spark 2.4 to 4.3. The nodes have the fields of formatted text, so that rules
get a single form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.extensions import find_command
from eventlog_lineage.plan.explain_sections import Mode, Sections
from eventlog_lineage.plan.expressions.attribute_ids import LOGICAL_SUBQUERY
from eventlog_lineage.plan.formatted.build_tree import children_by_column, lineage_lines, subquery_id
from eventlog_lineage.plan.formatted.outline import TreeLine
from eventlog_lineage.plan.nodes import Field, Plan, PlanNode, Subquery
from eventlog_lineage.plan.operator_names import canonical

from .aggregate_results import complete_fields
from .ambiguous_lines import EscapedLines
from .described_operator import DescribedOperator
from .operator_lines import describe_line, stripped
from .partition_filters import with_partition_filters
from .scan_lines import name_relation

_HEADER = "== Physical Plan ==\n"
_NODE = re.compile(r"(?:(?:: {2}| {3})*)(?:\+- |:- )")
_FIRST_OF_SECTION = re.compile(r"(?:: {2}| {3})+(?=\S)")
_MARKER = re.compile(r"== (\w+ Plan) ==")
_SUBQUERY = re.compile(r"(?:Reused)?Subquery(?:Broadcast|AdaptiveBroadcast|AdaptiveShuffle)? ")
_RESULTS = re.compile(rf"\b{LOGICAL_SUBQUERY}")
_PLAN_ID = re.compile(r"\[(?:plan_)?id=#?(\d+)\]")
_INNER = 6
_HOSTS = re.compile(r"(?:Project|Filter|Aggregate|Join|LateralJoin|Sort|Window|Generate|\w+Command|\w+Table)$")
"""Operators of logical trees that print the plans of their subqueries; Delta's commands do not (up to 4.3)."""


def read_tree_string(parts: Sections) -> Plan:
    """Read the physical plan of extended, simple or cost text.

    Args:
        parts: The parts of the text; the logical plans provide the results of aggregates.

    Returns:
        The plan; without a root if the text contains no tree.
    """
    lines = read_lines(parts.physical.removeprefix(_HEADER).rstrip("\n"))
    if " PartitionFilters: [" in parts.physical and parts.optimized:
        lines = with_partition_filters(lines, read_lines(parts.optimized.strip("\n")))
    logical = (parts.optimized, parts.analyzed) if parts.mode is not Mode.SIMPLE else ()
    return _Builder(lines, logical, columns=parts.columns).plan()


def read_logical(tree: str) -> Plan:
    r"""Read an analyzed, optimized or parsed logical plan.

    Args:
        tree: `Sections.analyzed`, `Sections.optimized` or `Sections.parsed`.

    Returns:
        The plan; without a root if the text contains no tree.

    >>> read_logical("Project [id#1L]\n+- Range (0, 5, step=1, splits=None)").root.operator
    'Project'
    """
    return _Builder(read_lines(tree.strip("\n")), (), is_logical=True).plan()


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
        prefix = _NODE.match(raw) or (_FIRST_OF_SECTION.match(raw) if after_marker else None)
        column = prefix.end() if prefix else 0
        deepest = lines[-1].column + _INNER if lines else 0
        if lines and (prefix is None or column > deepest):
            labels[-1].append(raw)
            continue
        marker = _MARKER.fullmatch(raw, column)
        after_marker = marker is not None
        connected = raw[column - 2 : column] == "- "
        lines.append(TreeLine(column, connected, "", len(lines), marker[1] if marker else ""))
        labels.append([raw[column:]])
    return [replace(line, label="\n".join(label)) for line, label in zip(lines, labels, strict=True)]


class _Builder:
    """Builds the nodes of one tree."""

    def __init__(
        self,
        lines: Sequence[TreeLine],
        logical: Sequence[str],
        *,
        columns: Sequence[str] = (),
        is_logical: bool = False,
    ) -> None:
        self._lines = lines
        self._is_logical = is_logical
        self._children = children_by_column(lines)
        self._order = list(lineage_lines(lines, self._children)) if lines and lines[0].label else []
        self._subqueries: list[tuple[int, str, int, int | None]] = []
        self._below: dict[int, list[int]] = {at: self._own_children(at) for at in self._order}
        escaped = EscapedLines([lines[at].label for at in self._order], columns, logical)
        self._described = {at: describe_line(label) for at, label in zip(self._order, escaped.labels, strict=True)}
        self._mark_physical()
        roots = self._order[:1] + [root for _, _, _, root in self._subqueries if root is not None]
        results = escaped.logical(logical)
        for root in roots:
            complete_fields(root, self._below, self._described, results)
        self._ambiguous, self._other_names = escaped.ambiguous, escaped.other_names

    def plan(self) -> Plan:
        """Return the plan."""
        if not self._order:
            return Plan(None)
        exchanges = self._exchanges()
        built: dict[int, PlanNode] = {}
        for at in reversed(self._order):
            operator = self._described[at]
            inputs = tuple(built[child] for child in self._below[at])
            reuses = exchanges.get(_exchange_key(operator.reused)) if operator.reused else None
            built[at] = _node(at, operator, inputs, reuses)
        subqueries = tuple(
            Subquery(expr_id, host, expression, built[root] if root is not None else None)
            for host, expression, expr_id, root in self._subqueries
        )
        return Plan(built[self._order[0]], subqueries, ambiguous=self._ambiguous, other_names=self._other_names)

    def _own_children(self, at: int) -> list[int]:
        """Return the inputs of an operator, and collect its subqueries, which are printed two levels below it."""
        line, own = self._lines[at], []
        ids = _hosted(stripped(line.label))
        for child in self._children[at]:
            text = stripped(self._lines[child].label)
            inner = self._lines[child].column >= line.column + _INNER
            if _SUBQUERY.match(text):
                expr_id = subquery_id(text)
                root = next(iter(self._children[child]), None)
                if expr_id is not None:
                    self._subqueries.append((at, text.partition("\n")[0], expr_id, root))
            elif inner and ids:
                expression, expr_id = ids.pop(0)
                self._subqueries.append((at, expression, expr_id, child))
            else:
                own.append(child)
        return own

    def _mark_physical(self) -> None:
        """Set an empty `Input` on physical operators: Generate needs it to distinguish its two lists of columns.

        The tree two levels below a command is logical, that below a cached relation is physical.
        """
        logical: set[int] = set(self._order[:1] if self._is_logical else ())
        for at in self._order:
            label = stripped(self._lines[at].label)
            cached = label.startswith(("InMemory", "Scan In-memory"))
            for child in self._children[at]:
                if label.startswith("SubqueryAlias ") and self._described[child].name == "LogicalRelation":
                    name_relation(self._described[child], label.removeprefix("SubqueryAlias "))
                inner = self._lines[child].column >= self._lines[at].column + _INNER
                if not cached and (at in logical or (inner and child in self._below[at])):
                    logical.add(child)
            if at not in logical:
                self._described[at].fields.setdefault("Input", Field("", 0))

    def _exchanges(self) -> Mapping[str, int]:
        """Return the exchanges that others can reuse, by their number (3.0+) or their text."""
        found: dict[str, int] = {}
        for at in self._order:
            label = stripped(self._lines[at].label)
            if "Exchange" in label.partition(" ")[0] and not label.startswith("ReusedExchange"):
                found.setdefault(_exchange_key(label), at)
        return found


def _hosted(label: str) -> list[tuple[str, int]]:
    """Return the subqueries whose plans follow a line of a logical tree, in order: `exists#12`, and the number."""
    word = label.partition(" ")[0]
    if not _HOSTS.match(word) or find_command(word).target_is_child:
        return []
    found: dict[int, str] = {}
    for match in _RESULTS.finditer(label):
        found.setdefault(int(match[1]), match[0])
    return [(expression, expr_id) for expr_id, expression in found.items()]


def _exchange_key(label: str) -> str:
    match = _PLAN_ID.search(label)
    return match[1] if match else label


def _node(at: int, operator: DescribedOperator, inputs: tuple[PlanNode, ...], reuses: int | None) -> PlanNode:
    name, argument = canonical(operator.name, operator.fields)
    if argument == "Execute" and "Arguments" not in operator.fields and [node.operator for node in inputs] == [name]:
        return inputs[0]  # `Execute X` above the command X has no details of its own
    fields: dict[str, Field] = operator.fields
    return PlanNode(name, operator.name, argument, at, fields, inputs, reuses, inferred=frozenset(operator.inferred))
