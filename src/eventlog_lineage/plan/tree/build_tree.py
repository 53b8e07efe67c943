"""Build plan trees from an outline: children by columns, details by operator ids, one of several adaptive plans.

Physical plans have a section per subquery; a logical tree has its plan two levels below its operator,
`k#146 IN (list#191 [])` (`SubqueryExpression.toString` and `QueryPlan.innerChildren`, 3.0 to 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.extensions import Target, find_command
from eventlog_lineage.plan.grammar.attribute_ids import LOGICAL_SUBQUERY
from eventlog_lineage.plan.grammar.escaping import PlanEscaper, certain_attributes, is_ambiguous
from eventlog_lineage.plan.grammar.symbols import Field
from eventlog_lineage.plan.printed.formatted import Detail, Outline, Section, read_outline
from eventlog_lineage.plan.printed.operator_names import canonical, engine_of, spark_fields
from eventlog_lineage.plan.printed.tree_lines import INNER_COLUMNS, TreeLine, children_by_column

from .nodes import Plan, PlanNode, Subquery

_RESULT = re.compile(rf"(?<![\w.])({LOGICAL_SUBQUERY}) \[")


def subqueries_of(
    lines: Sequence[TreeLine], at: int, children: Sequence[int], fields: dict[str, Field]
) -> list[tuple[int, str, int]]:
    """Return the subqueries among an operator's children.

    Returns:
        (id, expression, index) of each, in the order in which the operator's expressions name them.
    """
    arguments = fields.get("Arguments")
    if arguments is None or "#" not in arguments.text:
        return []
    if find_command(lines[at].label.partition(" ")[0]).target is Target.CHILD:
        return []  # it does not print the plans of the subqueries in its arguments
    inner = [child for child in children if lines[child].column >= lines[at].column + INNER_COLUMNS]
    named = list(dict.fromkeys(_RESULT.findall(arguments.text))) if inner else []
    return [(int(expr_id), text, index) for (text, expr_id), index in zip(named, inner, strict=False)]


_SUBQUERY_ID = re.compile(rf"(?:Subquery |IN |InSubquery )?[\w-]*?#({NUMBER})")
_NAMED_SUBQUERY = re.compile(rf"\b(?:subquery|scalar-subquery|dynamicpruning|exists|scalarsubquery)#({NUMBER})")


def read_formatted(text: str) -> Plan:
    r"""Read formatted plan text (Spark 3.0 to 4.3, `spark.sql.ui.explainMode=formatted`).

    Returns:
        The plan; without a root if the text contains no tree.

    >>> read_formatted("== Physical Plan ==\nProject (2)\n+- Range (1)\n").root.operator
    'Project'
    """
    return build_tree(read_outline(text), text)


def build_tree(outline: Outline, text: str = "") -> Plan:
    """Build the plan from the outline of a formatted text."""
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
    """The detail blocks of a text; those of a plan with ambiguous names are escaped."""

    def __init__(self, outline: Outline, text: str) -> None:
        self._escaped: dict[int, Detail] = {}
        self.ambiguous: Mapping[str, str] = {}
        self.other_names: Mapping[int, str] = {}
        sections = (outline.main, *(part.section for part in outline.subqueries), *outline.optimized_out)
        details = [detail for section in sections for detail in section.details]
        if any(is_ambiguous(label, field) for detail in details for label, field in detail.fields.items()):
            escaper = PlanEscaper.of_plan(text)
            for detail in details:
                for label, field in detail.fields.items():
                    escaper.certain(certain_attributes(label, field))
            self._escaped = {id(detail): replace(detail, fields=escaper.fields(detail.fields)) for detail in details}
            self.ambiguous, self.other_names = escaper.others, escaper.other_names

    def of(self, detail: Detail | None) -> Detail | None:
        """Return a block as it is to be read."""
        return self._escaped.get(id(detail), detail)


def _build(section: Section, details: _Details) -> tuple[PlanNode | None, list[Subquery]]:
    """Build a section's tree, and the subqueries that logical trees contain, hosts first."""
    lines = section.lines
    children = children_by_column(lines)
    order = list(lineage_lines(lines, children))
    if not order:
        return None, []
    found = {at: details.of(section.described.get(at)) for at in order}
    consumed: dict[int, Field | None] = {}
    hosts: list[tuple[int | None, tuple[int, str, int]]] = []
    for at in order:
        if detail := found[at]:
            own = subqueries_of(lines, at, children[at], detail.fields)
            hosts.extend((lines[at].operator_id, subquery) for subquery in own)
            children[at] = [child for child in children[at] if all(child != index for _, _, index in own)]
            outputs = _consumed(lines[at].label, detail.fields, len(children[at]))
            consumed.update(zip(children[at], outputs, strict=True))
    built: dict[int, PlanNode] = {}
    for at in reversed(order):
        inputs = tuple([built[child] for child in children[at]])
        built[at] = _node(lines[at], found[at], inputs, consumed.get(at))
    return built[0], [Subquery(expr_id, host, text, built[at]) for host, (expr_id, text, at) in hosts]


def _consumed(label: str, fields: dict[str, Field], inputs: int) -> list[Field | None]:
    """Return the outputs of an operator's inputs as it prints them, left to right; None for those that it omits.

    `AdaptiveSparkPlan` prints its plan's outputs as its own `Output [k]`.
    """
    if inputs == 1:
        return [fields.get("Output" if label.strip().startswith("AdaptiveSparkPlan") else "Input")]
    if inputs == 2 and "Left output" in fields:
        return [fields["Left output"], fields.get("Right output")]
    return [fields.get(f"Child {at} Input") for at in range(inputs)]


def lineage_lines(lines: Sequence[TreeLine], children: list[list[int]]) -> Iterator[int]:
    """Yield the lines from the root down, consumers before inputs; only one of several adaptive plans.

    This is the initial plan, as the final plan may omit relations that are empty in this run. The initial plan of
    Spark 3.1 prints `(unknown)` for every operator and has no details: there, the final plan is used.

    Args:
        children: The result of `children_by_column`; updated: sections are replaced by their plan.
    """
    stack = [0] if lines else []
    while stack:
        at = stack.pop()
        yield at
        sections = [child for child in children[at] if lines[child].marker and children[child]]
        if sections:
            initial = (each for each in sections if lines[each].marker == "Initial Plan")
            usable = (each for each in initial if lines[children[each][0]].operator_id is not None)
            children[at] = children[next(usable, sections[0])]
        stack.extend(children[at])


def _node(line: TreeLine, detail: Detail | None, children: tuple[PlanNode, ...], consumed: Field | None) -> PlanNode:
    fields = detail.fields if detail else {}
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
