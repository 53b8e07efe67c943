"""Complete truncated values of a MERGE's clauses: arguments print 25 items of a list, the operator's input prints all.

The optimizer prunes the columns that no clause needs (`ColumnPruning`), so each column of the input that is not in the
printed text is used in a truncated value.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.assigned_columns import row_columns
from eventlog_lineage.operators.derivations.derivation import Derivation, as_inferred, truncated
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.grammar.symbols import Listed
from eventlog_lineage.plan.grammar.tokens import find_attributes

_WIDER = "set spark.sql.debug.maxToStringFields to more columns than the widest table has"


class CutColumns(NamedTuple):
    """The columns of a MERGE with truncated values.

    Attributes:
        hidden: Those without any printed value, in order.
        partial: Those that some clauses print a value for.
        inserted: Those with a truncated value in a row that the MERGE inserts.
        source: The attributes of the MERGE's source, if it reads the table that is changed.
        printed: The attributes in printed values.
        by_name: Each printed value is the source's column of the assigned column's name, or the table's own column.
    """

    hidden: Sequence[str]
    partial: Sequence[str] = ()
    inserted: Collection[str] = ()
    source: Collection[int] = ()
    printed: Collection[int] = ()
    by_name: bool = False


class TruncatedClauses:
    """The columns of a MERGE without any printed value.

    Args:
        op: The operator.
        below: Its input.
        target: The table that is changed; empty if unknown.
        cut: The columns with truncated values.
    """

    def __init__(self, op: Operation, below: Flow, target: str, cut: CutColumns) -> None:
        self.target = target
        own = own_outputs(below, target, cut.source)
        self._kept = {each.name.lower() for each in own if cut.hidden}
        unused = _unused(op, below, {each.expr_id for each in own}) if cut.hidden or cut.partial else {}
        if cut.by_name:
            unused |= _of_conditions(below, {each.expr_id for each in own}, unused, cut)
        is_star = bool(cut.hidden) and all(name.lower() in unused for name in cut.hidden)
        self._from_source = unused if is_star else _of_equal_names(below, own, unused, cut)

    def is_from_source(self, name: str) -> bool:
        """Return whether the source has the value of a column."""
        return name.lower() in self._from_source

    def value(self, name: str) -> Derivation:
        """Return the value of a column.

        `UPDATE SET *` and `INSERT *` require a source column for each name: if the source has unused columns with all
        these names, they are the values. So they are if the unused source columns and the truncated columns that have
        to be assigned have equal names. Otherwise a column that is read from the table is assumed to be unchanged, and
        a column that is not read has an unknown value.
        """
        found = self._from_source.get(name.lower())
        if found is not None:
            return as_inferred(found.derivation)
        return source(self.target, name) if name.lower() in self._kept else truncated(name, {})


def own_outputs(below: Flow, target: str, source: Collection[int]) -> list[Output]:
    """Return the columns that a MERGE reads from the table that it changes.

    Args:
        source: The attributes of the MERGE's source, if it reads the same table.
    """
    return [each for each in below.outputs if _is_of(each, target) and each.expr_id not in source]


def listed_outputs(op: Operation, columns: Listed) -> list[tuple[str, int]]:
    """Return names and ids of an operator's outputs; if its arguments are truncated, from its consumer."""
    consumed = op.node.consumer_input
    if columns.missing and consumed is not None and consumed.count == columns.size:
        return Listed(consumed.items).attributes
    op.complete(columns, "columns")
    return columns.attributes


def report_truncated_values(op: Operation, names: Sequence[str]) -> None:
    """Report columns with truncated values, if there are any."""
    if not names:
        return
    listed = ", ".join(names) if len(names) < 6 else f"{names[0]} to {names[-1]}"
    op.gap(GapReason.TRUNCATED_FIELDS, f"values of {len(names)} columns are truncated: {listed}", _WIDER)


def _unused(op: Operation, below: Flow, own: Collection[int]) -> dict[str, Output]:
    """Return the source's columns that are not in the operator's printed text, by lower-case name."""
    used = {token.expr_id for token in find_attributes(op.node.text("Arguments"), op.names)}
    return {
        each.name.lower(): each
        for each in below.outputs
        if each.expr_id not in used and each.name not in row_columns() and each.expr_id not in own
    }


def _of_conditions(below: Flow, own: Collection[int], unused: dict[str, Output], cut: CutColumns) -> dict[str, Output]:
    """Return the source's columns that conditions of clauses print, and that are the values of columns of their names.

    `WHEN MATCHED AND s.changed > t.changed THEN UPDATE SET *` prints `changed`, and truncates its value. All printed
    values are columns of equal names, and the truncated ones are made of exactly the columns of their names but these.

    Args:
        unused: The source's columns without a printed use.
    """
    hidden = {name.lower() for name in cut.hidden}
    found = {
        each.name.lower(): each
        for each in below.outputs
        if each.expr_id not in own and each.expr_id not in cut.printed and each.name.lower() in hidden - unused.keys()
    }
    return found if unused and unused.keys() <= hidden and hidden <= unused.keys() | found.keys() else {}


def _of_equal_names(below: Flow, own: list[Output], unused: dict[str, Output], cut: CutColumns) -> dict[str, Output]:
    """Return the unused source columns that are the values of truncated columns of their names.

    Each UPDATE assigns a column that the MERGE does not read from the table, and each INSERT all columns. If a source
    column has no namesake among them (`SET t.c59 = s.c2, t.c1 = s.c59`), names show nothing.

    Args:
        unused: The source's columns without a printed use.
    """
    read = {each.name.lower() for each in own}
    ids = {each.expr_id for each in own}
    from_source = {each.name.lower() for each in below.outputs if each.expr_id not in ids}
    replaced = {name.lower() for name in (*cut.hidden, *cut.partial)} - read if own else set()
    if not replaced <= from_source or not unused.keys() <= replaced | {name.lower() for name in cut.inserted}:
        return {}
    return unused


def _is_of(output: Output, table: str) -> bool:
    return any(origin.dataset == table for origin, _ in output.derivation.sources)
