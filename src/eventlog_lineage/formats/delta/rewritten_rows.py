"""Complete what Delta's commands print of rows by the executions that write them, and wide views over its tables.

A scan reads the id of a rewritten row from a column of its own, `_row-id-col-<uuid>`, and makes the others of the
file's first id and the row's position: `coalesce(_row-id-col-<uuid>#1L, (base_row_id#2L + row_index#3L))`
(`GenerateRowIDs`). Versions of rows are the same, without a position.

Delta plans `WHEN NOT MATCHED THEN INSERT` as a query of the new rows (`writing new files for only inserts`, 3.3), also
if the MERGE has other clauses and no row matches. Its projection replaces aliases of the source: `day#7 AS seen#9` for
the clause's `` `seen` = seen#8 ``.

The execution `Rewriting N files for UPDATE operation` (2.x to 4.x) projects all columns:
`if (__condition__#1) value else column AS column`, or only the value if the command has no condition; columns that are
not assigned are unchanged. With deletion vectors (3.x) only changed rows are projected, with the same columns.
With a change feed the rows are fields of a struct that a generator makes of the rows before and after
(`CDCReader.packedUpdates`): its text is truncated as well, so what the command does not print remains a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Query, find_command
from eventlog_lineage.lineage.tracing.statement_trace import PlanTrace, StatementTrace
from eventlog_lineage.lineage.tracing.unbound_columns import unbound_attributes
from eventlog_lineage.model import INFERRED, Gap, GapReason
from eventlog_lineage.operators.flow import Flow, Output, gaps_with
from eventlog_lineage.operators.rules.row_level import choice_of
from eventlog_lineage.operators.scans import column_names, source
from eventlog_lineage.operators.write_targets import assigned
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.grammar.symbols import Field, hidden_items, inner, read_arguments
from eventlog_lineage.plan.printed.operator_lines import PrintedOperator, operators_named
from eventlog_lineage.plan.summary.plan_facts import PlanFact, attribute_names, table_columns
from eventlog_lineage.plan.tree.nodes import PlanNode, walk
from eventlog_lineage.plan.unresolved.view_sql import sql_of_view

TRACKING_COLUMNS = (
    r"_row-id-col-[\w-]+",
    r"_row-commit-version-col-[\w-]+",
    "base_row_id",
    "default_row_commit_version",
)
"""Patterns of the columns that it adds to scans and to rewritten rows."""
_TRACKED = {
    "row_id": ("_row-id-col-", ("base_row_id", "row_index", "_tmp_metadata_row_index")),
    "row_commit_version": ("_row-commit-version-col-", ("default_row_commit_version",)),
}
"""What it tracks, to the beginning of the column with a moved row's, and the columns that others follow from."""


def row_tracking(names: Iterable[str]) -> Mapping[str, str]:
    """Return the attributes of a scan that make the id and the version of a row, and the metadata that they are."""
    known = tuple(names)
    found: dict[str, str] = {}
    for field, (start, others) in _TRACKED.items():
        if any(name.startswith(start) for name in known):
            own = (name for name in known if name.startswith(start) or name in others)
            found |= dict.fromkeys(own, f"_metadata.{field}")
    return found


_MERGES = frozenset({"MergeIntoCommand", "MergeIntoCommandEdge"})
_INSERT = "[Insert ["
_ID = re.compile(r"#(\d+)")


def _projected_rows(trace: StatementTrace, names: tuple[str, ...]) -> Sequence[Output] | None:
    """Return the rows of the only execution that projects columns of these names, if its plan binds them all."""
    plans = (plan.resolution.flow.outputs for plan in trace.plans[1 : trace.statement.size])
    rows = [outputs for outputs in plans if column_names(outputs) == names]
    if len(rows) != 1 or unbound_attributes(each.derivation for each in rows[0]):
        return None
    return rows[0]


def _source_gaps(root: Flow) -> tuple[Gap, ...]:
    """Return the gaps of unbound attributes of a MERGE; none for other commands."""
    gaps = gaps_with(root.gaps, GapReason.UNKNOWN_SOURCE) if root.command in _MERGES else ()
    return tuple(gap for gap in gaps if not gap.operator)


def add_inserted_values(trace: StatementTrace) -> StatementTrace:
    """Add the values that no plan binds, if one execution projects all columns that the clause inserts."""
    root, write = trace.root, trace.root.write
    text, gaps = trace.texts[0].text, _source_gaps(root)
    if write is None or not write.columns or len(gaps) != 1 or text.count(_INSERT) != 1:
        return trace
    rows = _projected_rows(trace, column_names(write.columns))
    missing = [each.name for each in write.columns if not each.derivation.sources]
    if rows is None or not all(_is_only_inserted(name, text) for name in missing):
        return trace
    columns = tuple(map(_with_value, write.columns, rows))
    return trace.with_root(replace(root.without_gaps(gaps), write=replace(write, columns=columns)))


def _with_value(column: Output, row: Output) -> Output:
    return column if column.derivation.sources else replace(column, derivation=row.derivation)


def _is_only_inserted(name: str, text: str) -> bool:
    """Return whether only the INSERT clause assigns a value to a column, with attributes that are in no other place.

    A key's value would stay unknown, and so would that of an UPDATE, unless it is the column itself: UPDATE lists the
    columns that it keeps.
    """
    value = re.compile(rf"`{re.escape(name)}` = (.*?)(?:, `|\]\])")
    changes, _, insertion = text.partition(_INSERT)
    inserted = value.search(insertion)
    numbers = _ID.findall(inserted[1]) if inserted is not None else []
    kept = re.compile(rf"{re.escape(name)}#\d+L?")
    is_kept = all(kept.fullmatch(each) for each in (*value.findall(changes), *value.findall(insertion)[1:]))
    return is_kept and all(len(re.findall(rf"#{expr_id}(?!\d)", text)) == 1 for expr_id in numbers)


_COMMANDS = frozenset({"UpdateCommand", "UpdateCommandEdge"})

_OF_FEED = "__is_cdc"
"""The column of rows that distinguishes those of the change feed (`CDCReader.CDC_PARTITION_COL`)."""


def add_truncated_values(trace: StatementTrace) -> StatementTrace:
    """Add the truncated values of an UPDATE, from the execution that rewrites the rows."""
    write = trace.root.write
    if trace.root.command not in _COMMANDS or write is None or not write.is_truncated:
        return trace
    for plan in reversed(trace.plans[1 : trace.statement.size]):
        values = _values(trace, plan) if _has_all_columns(plan.resolution.flow, write.names) else None
        if values is not None:
            columns = assigned(values, write.target.name)
            updated = replace(write, columns=columns, names=(), is_truncated=False)
            known = trace.root.without_gaps(gaps_with(trace.root.gaps, GapReason.TRUNCATED_FIELDS))
            return trace.with_root(replace(known, write=updated))
    return trace


def _has_all_columns(flow: Flow, first: tuple[str, ...]) -> bool:
    """Return whether a plan outputs the rows of a table, whose first columns are known, and not those of its feed."""
    names = column_names(flow.outputs)
    return _OF_FEED not in names and len(names) > len(first) and names[: len(first)] == first


def _values(trace: StatementTrace, plan: PlanTrace) -> tuple[Output, ...] | None:
    """Return the new values of all columns; None if the plan projects none."""
    root = plan.plan.root
    while root is not None and root.operator != "Project" and len(root.children) == 1:
        root = root.children[0]
    if root is None or root.operator != "Project":
        return None
    items = tuple(_without_old_values(root))
    field = Field(", ".join(items), len(items), items)
    project = replace(root, fields={**root.fields, "Output": field}, consumer_input=None)
    return trace.resolve(replace(plan.plan, root=project), (), plan.inputs).flow.outputs


def _without_old_values(project: PlanNode) -> Iterator[str]:
    """Yield the items of a projection, without the value that a row keeps if the condition is false."""
    for item in project.items("Output"):
        value, alias, name = item.rpartition(" AS ")
        choice = choice_of(value) if alias else None
        attribute = read_attribute(name)
        yield f"{choice[1]} AS {name}" if choice is not None and attribute is not None else item


VIEW = "CreateViewCommand"
_ALL_COLUMNS = re.compile(
    r"\s*SELECT\s+\*\s+FROM\s+[\w.`]+(?:\s+(?:AS\s+)?(?!(?:LEFT|JOIN|INNER|CROSS|FULL|RIGHT|NATURAL|LATERAL)\b)\w+)?"
    r"(?:\s+WHERE\b(?:(?!\b(?:UNION|EXCEPT|INTERSECT|MINUS)\b).)*)?\s*",
    re.IGNORECASE | re.DOTALL,
)
_TRUNCATED = re.compile(r"\d+ of (\d+) columns(?: of a relation)? are truncated")


def scan_viewed(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the printed columns of the wide tables in the query of a view."""
    if not any(each.name == VIEW for each in operators):
        return []
    facts: list[PlanFact] = []
    for relation in operators_named("LogicalRelation", operators):
        kind, columns, table, *_ = [*read_arguments(relation.arguments), "", "", ""]
        if kind == "parquet" and table.startswith("`") and hidden_items(columns):
            facts += table_columns(".".join(naming.split_name(table)), attribute_names(inner(columns)))
    return facts


def add_viewed_columns(trace: StatementTrace) -> StatementTrace:
    """Add the truncated columns of `CREATE VIEW v AS SELECT * FROM t`, which are those of the table."""
    root = trace.root
    write, reads = root.write, root.reads
    tables = [each for each in trace.statement.context.hidden.scanned if each.column_lists]
    if write is None or (len(tables), len(reads)) != (1, 1) or not _selects_all(trace):
        return trace
    shown, columns = write.derived, tables[0].columns
    gaps = gaps_with(root.gaps, GapReason.TRUNCATED_FIELDS)
    if _all_columns(gaps) != {len(columns)} or column_names(shown) != columns[: len(shown)]:
        return trace
    table = reads[0].dataset.name
    added = (Output(name, -1, source(table, name, confidence=INFERRED)) for name in columns[len(shown) :])
    write = replace(write, columns=(*shown, *added))
    read = replace(reads[0], columns=columns, is_truncated=False)
    return trace.with_root(replace(root.without_gaps(gaps), write=write, reads=(read,)))


def _all_columns(gaps: Iterable[Gap]) -> set[int]:
    return {int(found[1]) for gap in gaps if (found := _TRUNCATED.search(gap.detail))}


def _selects_all(trace: StatementTrace) -> bool:
    """Return whether a statement creates a view of all columns of a table."""
    if Query.SQL not in find_command(trace.root.command).query:
        return False
    return any(_ALL_COLUMNS.fullmatch(sql_of_view(node)) for node in walk(trace.texts[0].physical.root))
