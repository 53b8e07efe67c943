"""Build plan trees from an outline: children by columns, details by operator ids, one of several adaptive plans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.plan.engines.engine_fields import spark_fields
from eventlog_lineage.plan.engines.engine_operators import engine_of
from eventlog_lineage.plan.logical_subqueries import subqueries_of, subquery_of
from eventlog_lineage.plan.names_of_children import names_of_children
from eventlog_lineage.plan.nodes import Field, Plan, PlanNode, Subquery
from eventlog_lineage.plan.operator_names import canonical
from eventlog_lineage.plan.repeated_names import repeated_names
from eventlog_lineage.plan.scanned_columns import scanned_columns

from .ambiguous_details import PlanEscaper, certain_attributes, is_ambiguous
from .detail_fields import counted_list
from .outline import Detail, Outline, Section, TreeLine, read_outline

_SUBQUERY_ID = re.compile(rf"(?:Subquery |IN |InSubquery )?[\w-]*?#({NUMBER})")
_NAMED_SUBQUERY = re.compile(rf"\b(?:subquery|scalar-subquery|dynamicpruning|exists|scalarsubquery)#({NUMBER})")
_INNER = 3
"""Inner plans (of a cached relation, of a command) are printed two levels deeper: six columns instead of three."""


def read_formatted(text: str) -> Plan:
    r"""Read formatted plan text (Spark 3.0 to 4.3, `spark.sql.ui.explainMode=formatted`).

    Args:
        text: `physicalPlanDescription`.

    Returns:
        The plan; without a root if the text contains no tree.

    >>> read_formatted("== Physical Plan ==\nProject (2)\n+- Range (1)\n").root.operator
    'Project'
    """
    return build_tree(read_outline(text), text)


def build_tree(outline: Outline, text: str = "") -> Plan:
    """Build the plan from the outline of a formatted text.

    Args:
        outline: The parts of the text.
        text: The text, which shows the names of attributes.
    """
    details = _Details(outline, text)
    root, logical = _build(outline.main, details)
    subqueries: list[Subquery] = []
    for part in outline.subqueries:
        inner, deeper = _build(part.section, details)
        subqueries.append(Subquery(subquery_id(part.expression), part.host, part.expression, inner))
        subqueries.extend(deeper)
    orphans = tuple(node for part in outline.optimized_out if (node := _build(part, details)[0]))
    return Plan(root, (*logical, *subqueries), orphans, details.ambiguous, details.other_names)


def subquery_id(expression: str) -> int | None:
    """Return the id of a subquery's expression.

    >>> subquery_id("Subquery subquery#711, [id=#2537]"), subquery_id("x#1 IN dynamicpruning#711")
    (711, 711)
    """
    match = _NAMED_SUBQUERY.search(expression) or _SUBQUERY_ID.search(expression)
    return int(match[1]) if match else None


class _Details:
    """The detail blocks of a text, by operator id, and by name if the id is ambiguous.

    A block is printed once although its operator occurs in several trees (3.2+). If several operators have the same id
    (3.0, 3.1: the plan below an `InMemoryRelation` is numbered separately), their names distinguish the blocks; blocks
    with the same id and name are in the order in which Spark describes the operators.
    """

    def __init__(self, outline: Outline, text: str) -> None:
        self._blocks: dict[int, list[Detail]] = {}
        self.has_repeated_ids = False
        self.ambiguous: Mapping[str, str] = {}
        self.other_names: Mapping[int, str] = {}
        sections = (outline.main, *(part.section for part in outline.subqueries), *outline.optimized_out)
        details = [detail for section in sections for detail in section.details]
        if any(is_ambiguous(label, field) for detail in details for label, field in detail.fields.items()):
            escaper = PlanEscaper(
                attributes=repeated_names(text, scanned_columns(text)), expressions=names_of_children(text).values()
            )
            for detail in details:
                for label, field in detail.fields.items():
                    escaper.certain(certain_attributes(label, field))
            details = [replace(detail, fields=escaper.fields(detail.fields)) for detail in details]
            self.ambiguous, self.other_names = escaper.others, escaper.other_names
        for detail in details:
            known = self._blocks.setdefault(detail.operator_id, [])
            known.append(detail)
            self.has_repeated_ids = self.has_repeated_ids or len(known) > 1
        self._used: dict[tuple[int, str], int] = {}

    def of(self, line: TreeLine) -> Detail | None:
        """Return the block of a tree line; None for an operator without details."""
        blocks = self._blocks.get(line.operator_id) if line.operator_id is not None else None
        if not blocks or line.operator_id is None:
            return None
        if len(blocks) == 1:
            return blocks[0]
        for name in _names(line.label.rstrip()):
            own = [block for block in blocks if block.name.rstrip() == name]
            if own:
                used = self._used.get((line.operator_id, name), 0)
                self._used[line.operator_id, name] = used + 1
                return own[min(used, len(own) - 1)]
        return None


def _names(label: str) -> Iterator[str]:
    """Yield a label, then the label without its last words: joins print their type only in the tree (up to 3.3)."""
    while label:
        yield label
        label = label.rpartition(" ")[0]


def _build(section: Section, details: _Details) -> tuple[PlanNode | None, list[Subquery]]:
    """Build a section's tree, and the subqueries that logical trees contain, hosts first.

    Args:
        section: The section.
        details: The details of all sections.
    """
    lines = section.lines
    children = children_by_column(lines)
    order = list(lineage_lines(lines, children))
    if not order:
        return None, []
    described = _described_order(lines, children) if details.has_repeated_ids else order
    found = {at: details.of(lines[at]) for at in described}
    consumed: dict[int, Field | None] = {}
    hosts: list[tuple[int, tuple[int, str, int]]] = []
    for at in order:
        if detail := found[at]:
            own = subqueries_of(lines, at, children[at], detail.fields)
            hosts.extend((at, subquery) for subquery in own)
            children[at] = [child for child in children[at] if all(child != index for _, _, index in own)]
            outputs = _consumed(lines[at].label, detail.fields, len(children[at]))
            consumed.update(zip(children[at], outputs, strict=True))
    built: dict[int, PlanNode] = {}
    for at in reversed(order):
        inputs = tuple([built[child] for child in children[at]])
        built[at] = _node(lines[at], found[at], inputs, consumed.get(at))
    return built[0], [subquery_of(subquery, lines[at], built[subquery[2]]) for at, subquery in hosts]


def _consumed(label: str, fields: dict[str, Field], inputs: int) -> list[Field | None]:
    """Return the outputs of an operator's inputs as it prints them, left to right; None for those that it omits.

    `AdaptiveSparkPlan` prints its plan's outputs as its own `Output [k]`.

    Args:
        label: The operator's line.
        fields: Its details.
        inputs: The number of its inputs.
    """
    if inputs == 1:
        return [fields.get("Output" if label.strip().startswith("AdaptiveSparkPlan") else "Input")]
    if inputs == 2 and "Left output" in fields:
        return [fields["Left output"], fields.get("Right output")]
    return [fields.get(f"Child {at} Input") for at in range(inputs)]


def children_by_column(lines: Sequence[TreeLine]) -> list[list[int]]:
    """Return the children of each line, by column; a line without a parent is ignored.

    Args:
        lines: The lines of a tree.
    """
    children: list[list[int]] = [[] for _ in lines]
    stack: list[int] = []
    for at, line in enumerate(lines):
        column = line.column
        below_marker = stack and not line.connected and lines[stack[-1]].marker and lines[stack[-1]].column == column
        if not below_marker:
            while stack and lines[stack[-1]].column >= column:
                stack.pop()
        if stack:
            children[stack[-1]].append(at)
        elif at:
            continue
        stack.append(at)
    return children


def lineage_lines(lines: Sequence[TreeLine], children: list[list[int]]) -> Iterator[int]:
    """Yield the lines from the root down, consumers before inputs; only one of several adaptive plans.

    This is the initial plan, as the final plan may omit relations that are empty in this run. The initial plan of
    Spark 3.1 prints `(unknown)` for every operator and has no details: there, the final plan is used.

    Args:
        lines: The lines of a tree.
        children: The result of `children_by_column`; updated: sections are replaced by their plan.
    """
    stack = [0] if lines else []
    while stack:
        at = stack.pop()
        yield at
        sections = [child for child in children[at] if lines[child].marker and children[child]]
        if sections:
            initial = [section for section in sections if lines[section].marker == "Initial Plan"]
            usable = [section for section in initial if lines[children[section][0]].operator_id is not None] or sections
            children[at] = children[usable[0]]
        stack.extend(children[at])


def _described_order(lines: Sequence[TreeLine], children: list[list[int]]) -> Iterator[int]:
    """Yield the lines in the order of their blocks: inputs, the operator, then its inner plans.

    Source: `ExplainUtils.generateOperatorIDs` and `collectOperatorsWithID` of Spark 3.0 and 3.1.

    Args:
        lines: The lines of a tree.
        children: The children of each line.
    """
    stack = [(0, False)]
    while stack:
        at, done = stack.pop()
        if done:
            yield at
            continue
        deeper = lines[at].column + _INNER
        inner = [child for child in children[at] if lines[child].column > deeper]
        stack.extend((child, False) for child in reversed(inner))
        stack.append((at, True))
        stack.extend((child, False) for child in reversed(children[at]) if child not in inner)


def _split_again(fields: dict[str, Field], consumer: Sequence[str]) -> dict[str, Field]:
    """Split an ambiguous output list again, with the names that its consumer prints.

    Args:
        fields: The operator's details.
        consumer: The attributes that the consumer prints as its input.
    """
    for label in ("Output", "Results"):
        printed = fields.get(label)
        if printed and printed.count == len(consumer) != len(printed.items):
            fields = {**fields, label: counted_list(label, printed.text, len(consumer), consumer)}
    return fields


def _node(line: TreeLine, detail: Detail | None, children: tuple[PlanNode, ...], consumed: Field | None) -> PlanNode:
    fields = detail.fields if detail else {}
    if consumed and consumed.items:
        fields = _split_again(fields, consumed.items)
    operator, argument = canonical(line.label, fields)
    if engine := engine_of(line.label):
        fields = spark_fields(engine, operator, fields)
    if argument == "Execute" and "Arguments" not in fields and len(children) == 1 and children[0].operator == operator:
        return children[0]  # `Execute X` above the logical command X has no details of its own
    return PlanNode(
        operator=operator,
        name=line.label.strip(),
        argument=argument,
        operator_id=line.operator_id,
        fields=fields,
        children=children,
        reuses=detail.reuses if detail else None,
        consumer_input=consumed,
    )
