"""Bind the values of a MERGE that only inserts, from the execution that writes the rows.

Delta plans `WHEN NOT MATCHED THEN INSERT` as a query of the new rows (`writing new files for only inserts`, 3.3), also
if the MERGE has other clauses and no row matches. Its projection replaces aliases of the source: `day#7 AS seen#9` for
the clause's `` `seen` = seen#8 ``.
"""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.lineage.tracing.match_by_name import unbound_attributes
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Output

_MERGES = frozenset({"MergeIntoCommand", "MergeIntoCommandEdge"})
_INSERT = "[Insert ["
_ID = re.compile(r"#(\d+)")


def add_inserted_values(trace: StatementTrace) -> StatementTrace:
    """Add the values that no plan binds, if one execution projects all columns that the clause inserts."""
    root, write = trace.root, trace.root.write
    if root.command not in _MERGES or write is None or not write.columns:
        return trace
    gaps = tuple(gap for gap in root.gaps if gap.reason is GapReason.UNKNOWN_SOURCE and not gap.operator)
    text = trace.texts[0].text
    if len(gaps) != 1 or text.count(_INSERT) != 1:
        return trace
    names = [each.name for each in write.columns]
    plans = (plan.resolution.flow.outputs for plan in trace.plans[1 : trace.statement.size])
    rows = [outputs for outputs in plans if [each.name for each in outputs] == names]
    if len(rows) != 1 or unbound_attributes(each.derivation for each in rows[0]):
        return trace
    missing = [each.name for each in write.columns if not each.derivation.sources]
    if not all(_is_only_inserted(name, text) for name in missing):
        return trace
    columns = tuple(
        each if each.derivation.sources else Output(each.name, each.expr_id, row.derivation)
        for each, row in zip(write.columns, rows[0], strict=True)
    )
    others = tuple(gap for gap in root.gaps if gap not in gaps)
    return trace.with_root(replace(root, write=replace(write, columns=columns), gaps=others))


def _is_only_inserted(name: str, text: str) -> bool:
    """Return whether only the INSERT clause assigns a value to a column, with attributes that are in no other place.

    A key's value would stay unknown, and so would that of an UPDATE, unless it is the column itself: UPDATE lists the
    columns that it keeps.

    Args:
        name: The assigned column.
        text: The text of the MERGE.
    """
    value = re.compile(rf"`{re.escape(name)}` = (.*?)(?:, `|\]\])")
    changes, _, insertion = text.partition(_INSERT)
    inserted = value.search(insertion)
    numbers = _ID.findall(inserted[1]) if inserted is not None else []
    kept = re.compile(rf"{re.escape(name)}#\d+L?")
    is_kept = all(kept.fullmatch(each) for each in (*value.findall(changes), *value.findall(insertion)[1:]))
    return is_kept and all(len(re.findall(rf"#{expr_id}(?!\d)", text)) == 1 for expr_id in numbers)
