"""Rows of a statement's lineage and of its plans' operators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.openlineage import openlineage_name
from eventlog_lineage.harvest.row_batches import Row, RowBatches
from eventlog_lineage.lineage.results.masking import attributes_only, without_literals
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.lineage.tracing.trace_statement import trace
from eventlog_lineage.model import SchemaSign
from eventlog_lineage.plan.expressions.lexer import read_attribute
from eventlog_lineage.plan.nodes import Plan, walk
from eventlog_lineage.plan.read_plan import read_plan
from eventlog_lineage.store.schema.history_tables import LINEAGE_SCHEMAS
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.tables import (
    LINEAGE_EDGES,
    LINEAGE_GAPS,
    LINEAGE_IO,
    LINEAGES,
    PLAN_NODES,
    SEEN_DATASETS,
    SEEN_PLACES,
)

_DETAIL_LIMIT = 2000


def add_lineage(
    statement: Statement, texts: Mapping[str, str], batches: RowBatches, *, mask_literals: bool = False
) -> None:
    """Trace a statement once for all its runs, and add the rows of its lineage and of its plans' operators.

    Args:
        statement: The statement of one run.
        texts: Fingerprint to plan text.
        batches: Receives the rows.
        mask_literals: Leave the statement's literals out of them.
    """
    lineage = trace(statement, texts)
    _add_lineage(statement.lineage_id, without_literals(lineage) if mask_literals else lineage, batches)
    for fingerprint in dict.fromkeys(statement.fingerprints[: statement.size]):
        if fingerprint in texts:
            batches.add(PLAN_NODES, *_node_rows(fingerprint, texts[fingerprint], mask_literals))


def _add_lineage(lineage_id: str, lineage: StatementLineage, batches: RowBatches) -> None:
    name = lineage.fingerprint
    target = lineage.target.name if lineage.target else None
    batches.add(LINEAGES, (lineage_id, name, lineage.command, target, lineage.mode))
    batches.add(
        LINEAGE_EDGES,
        *(
            (
                name,
                position,
                edge.source_dataset,
                edge.source_column,
                edge.target_dataset,
                edge.target_column,
                edge.target_ordinal,
                edge.dependency and str(edge.dependency),
                edge.transformation and str(edge.transformation),
                edge.masking,
                edge.expression,
                str(edge.confidence),
                edge.pattern,
            )
            for position, edge in enumerate(lineage.edges)
        ),
    )
    batches.add(
        LINEAGE_IO,
        *(
            (
                name,
                use.dataset.name,
                use.direction,
                use.mode,
                list(use.columns),
            )
            for use in lineage.uses
        ),
    )
    batches.add(LINEAGE_GAPS, *((name, str(gap.reason), gap.operator, gap.detail, gap.hint) for gap in lineage.gaps))
    batches.add(LINEAGE_SCHEMAS, *(_sign_row(lineage_id, at, sign) for at, sign in enumerate(lineage.signs)))
    batches.add(SEEN_PLACES, *lineage.aliases)
    batches.add(
        SEEN_DATASETS,
        *(
            (dataset.name, *openlineage_name(dataset), dataset.kind, dataset.format, dataset.location)
            for dataset in lineage.datasets
        ),
    )


def _sign_row(lineage_id: str, position: int, sign: SchemaSign) -> Row:
    columns = [{"name": each.name, "data_type": each.data_type, "derivation": each.derivation} for each in sign.columns]
    words = list(sign.words)
    told = (str(sign.evidence), str(sign.extent), columns, sign.ordered, words, sign.detail)
    return (lineage_id, position, sign.dataset, *told)


def _node_rows(fingerprint: str, text: str, mask_literals: bool) -> Sequence[Row]:
    try:
        return list(_plan_rows(fingerprint, read_plan(text), mask_literals))
    except Exception:  # whatever it is, it costs the plan's operators only
        return ()  # the statement's lineage has the gap


def _plan_rows(fingerprint: str, plan: Plan, mask_literals: bool) -> Iterator[Row]:
    """The operators of a plan, root first; its subqueries' plans stand below no parent."""
    roots = [plan.root, *(subquery.root for subquery in plan.subqueries)]
    number = 0
    for root in roots:
        if root is None:
            continue
        parents: dict[int, tuple[int | None, int]] = {id(root): (None, 0)}
        for node in walk(root):
            parent, position = parents.pop(id(node))
            for place, child in enumerate(node.children):
                parents[id(child)] = (number, place)
            outputs = [read_attribute(item) for item in (node.items("Output") or node.items("Results"))]
            listed = [{"id": found[1], "name": found[0].rpartition(" AS ")[2]} for found in outputs if found]
            fields = attributes_only(node) if mask_literals else node.fields
            detail = "\n".join(f"{label}: {field.text}" for label, field in fields.items())
            yield (
                fingerprint,
                number,
                parent,
                position,
                node.operator,
                node.name,
                _dataset(node.operator, node.argument),
                listed,
                detail[:_DETAIL_LIMIT],
            )
            number += 1


def _dataset(operator: str, argument: str) -> str | None:
    """The table that a scan names."""
    if operator not in {"FileScan", "BatchScan", "HiveTableScan"}:
        return None
    table = argument.rpartition(" ")[2]
    return naming.table_name(table) if "." in table and "/" not in table else None
