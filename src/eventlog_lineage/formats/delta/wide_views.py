"""Complete wide views over all columns of a Delta table: the plan prints the first 25, other plans list them all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.derivations.derivation import INFERRED
from eventlog_lineage.operators.flow import Output
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.nodes import walk
from eventlog_lineage.plan.printed_operators import PrintedOperator
from eventlog_lineage.plan.summary.column_facts import attribute_names, table_columns
from eventlog_lineage.plan.summary.plan_facts import PlanFact
from eventlog_lineage.plan.unresolved.view_sql import sql_of_view

VIEW = "CreateViewCommand"
_RELATION = re.compile(
    r"parquet, \[(?P<columns>[^\]\n]*), \.\.\. \d{1,6} more fields\], (?P<table>`[^\n]*?`), (?:[\w.$]+, )?false"
)
"""A metastore's table prints its serde after the name."""
_ALL_COLUMNS = re.compile(
    r"\s*SELECT\s+\*\s+FROM\s+[\w.`]+(?:\s+(?:AS\s+)?(?!(?:LEFT|JOIN|INNER|CROSS|FULL|RIGHT|NATURAL|LATERAL)\b)\w+)?"
    r"(?:\s+WHERE\b(?:(?!\b(?:UNION|EXCEPT|INTERSECT|MINUS)\b).)*)?\s*",
    re.IGNORECASE | re.DOTALL,
)
_TRUNCATED = re.compile(r"\d+ of (\d+) columns(?: of a relation)? are truncated")


def scan_viewed(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the printed columns of the wide tables in the query of a view.

    Args:
        operators: The plan's operators.
    """
    if not any(each.name == VIEW for each in operators):
        return []
    found = (_RELATION.match(each.arguments) for each in operators if each.name == "LogicalRelation")
    tables = ((".".join(naming.split_name(each["table"])), each["columns"]) for each in found if each)
    return [fact for table, columns in tables for fact in table_columns(table, attribute_names(columns))]


def add_viewed_columns(trace: StatementTrace) -> StatementTrace:
    """Add the truncated columns of `CREATE VIEW v AS SELECT * FROM t`, which are those of the table."""
    write, reads = trace.root.write, trace.root.reads
    tables = [each for each in trace.statement.context.scanned if each.column_lists]
    if not find_command(trace.root.command).query_as_sql or write is None or len(tables) != 1 or len(reads) != 1:
        return trace
    shown = tuple(each.name for each in write.columns or ())
    columns = tables[0].columns
    gaps = [gap for gap in trace.root.gaps if gap.reason is GapReason.TRUNCATED_FIELDS]
    totals = {int(found[1]) for gap in gaps if (found := _TRUNCATED.search(gap.detail))}
    if totals != {len(columns)} or columns[: len(shown)] != shown or not _selects_all(trace):
        return trace
    dataset = reads[0].dataset
    added = (Output(name, -1, source(dataset.name, name, confidence=INFERRED)) for name in columns[len(shown) :])
    return trace.with_root(
        replace(
            trace.root,
            write=replace(write, columns=(*(write.columns or ()), *added)),
            reads=(replace(reads[0], columns=columns, is_truncated=False),),
            gaps=tuple(gap for gap in trace.root.gaps if gap not in gaps),
        )
    )


def _selects_all(trace: StatementTrace) -> bool:
    root = trace.texts[0].physical.root
    return root is not None and any(_ALL_COLUMNS.fullmatch(sql_of_view(node)) for node in walk(root))
