"""Render lineage and plan trees as text: for `explain`, golden files and the README."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eventlog_lineage.lineage.results.statement_lineage import VIEW_MODE, StatementLineage
from eventlog_lineage.model import Dependency, Edge
from eventlog_lineage.plan.grammar.attribute_ids import unescaped
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode

_EXPRESSION_WIDTH = 160


def render_lineage(lineage: StatementLineage) -> str:
    """Render a statement's lineage: its target, the sources of each column, the influences, the gaps.

    ```
    write append spark_catalog.mart.daily_sales
      day      <- orders.order_ts   DIRECT TRANSFORMATION   cast(orders.order_ts as date)
      *        <- orders.status     INDIRECT FILTER         (orders.status = paid)
    ```
    """
    lines = [line for block in _blocks(lineage) for line in block]
    sources = {edge.source_dataset for edge in lineage.edges}
    views = [access for access in lineage.accesses if access.mode == VIEW_MODE]
    lines.extend(f"  through view {access.dataset.name} ({', '.join(access.columns)})" for access in views)
    reads = [each.dataset.name for each in lineage.accesses if each.direction == "read" and each not in views]
    lines.extend(f"  reads {name}, no column" for name in reads if name not in sources)
    lines.extend(f"  gap {gap.reason} at {gap.operator or 'the log'}: {gap.detail}" for gap in lineage.gaps)
    return "\n".join(lines)


def _blocks(lineage: StatementLineage) -> Iterator[list[str]]:
    """Yield the lines of each target; those of all edges if nothing is written."""
    writes = [access for access in lineage.accesses if access.direction == "write"]
    for access in writes:
        edges = [edge for edge in lineage.edges if edge.target_dataset == access.dataset.name]
        yield _block(f"write {access.mode} {access.dataset.name}", edges)
    if not writes:
        yield _block("read" if lineage.command == "query" else lineage.command, lineage.edges)


def _block(headline: str, edges: Iterable[Edge]) -> list[str]:
    rows = [_row(edge) for edge in edges]
    widths = [max((len(row[index]) for row in rows), default=0) for index in range(3)]
    return [
        headline,
        *(
            f"  {name:<{widths[0]}} <- {source:<{widths[1]}}  {kind:<{widths[2]}}  {text}".rstrip()
            for name, source, kind, text in rows
        ),
    ]


def _row(edge: Edge) -> tuple[str, str, str, str]:
    name = _line(edge.target_column) if edge.target_column is not None else "*"
    if edge.source_dataset is None:
        return name, "-", "", _shorten(edge.expression)
    source = _line(".".join(filter(None, (edge.source_dataset, edge.source_column))))
    words = [str(edge.dependency), str(edge.transformation)]
    if edge.masking:
        words.append("masked")
    if edge.confidence != "exact":
        words.append(str(edge.confidence))
    is_copy = edge.dependency is Dependency.DIRECT and edge.transformation == "IDENTITY"
    return name, source, " ".join(words), "" if is_copy else _shorten(edge.expression)


def _line(text: str) -> str:
    return text.replace("\n", "\\n")


def _shorten(text: str) -> str:
    line = _line(text)
    return line if len(line) <= _EXPRESSION_WIDTH else line[: _EXPRESSION_WIDTH - 1] + "…"


def render_plan(plan: Plan) -> str:
    """Render a plan's trees: operators with arguments and columns; subqueries follow."""
    lines: list[str] = []
    if plan.root is not None:
        lines.extend(_tree(plan.root))
    for subquery in plan.subqueries:
        lines.append(f"subquery #{subquery.expr_id} of operator {subquery.host}")
        if subquery.root is not None:
            lines.extend(_tree(subquery.root))
    return "\n".join(lines)


def _tree(root: PlanNode) -> Iterable[str]:
    stack: list[tuple[PlanNode, int]] = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        operator_id = f" ({node.operator_id})" if node.operator_id is not None else ""
        argument = f" {node.argument}" if node.argument else ""
        yield f"{'  ' * depth}{node.operator}{argument}{operator_id}{_description(node)}"
        stack.extend((child, depth + 1) for child in reversed(node.children))


def _description(node: PlanNode) -> str:
    """Return the most descriptive list of an operator."""
    for label in ("Output", "Results", "Condition", "Keys"):
        text = node.text(label)
        if text:
            return f": {_shorten(unescaped(text))}"
    return ""
