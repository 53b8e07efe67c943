"""`MergeRows`: the clauses of a MERGE that a V2 connector runs.

Arguments print 25 items of a list, the operator's input prints all. The optimizer prunes the columns that no clause
needs (`ColumnPruning`), so each column of the input that is not in the printed text is used in a truncated value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, any_of, as_inferred, truncated
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import column_names, source
from eventlog_lineage.operators.write_targets import is_unchanged, row_columns
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, Listed, inner, is_list, read
from eventlog_lineage.plan.grammar.tokens import find_attributes
from eventlog_lineage.plan.tree.nodes import first_branch

_KINDS = frozenset({"Update", "Insert", "Copy", "Delete"})
_DELETED = "1"
"""`RowDeltaUtils.DELETE_OPERATION`, the row operation of a row that a delta deletes."""


_NO_CLAUSES = (
    "an operator that is one line prints no clauses of a MERGE: collect the statement's result, whose text has them, "
    "or set spark.sql.ui.explainMode=formatted"
)


class _Instruction(NamedTuple):
    """A clause's condition, or the values of a row that it creates; None for truncated values."""

    condition: str
    values: tuple[str | None, ...]


@operator("MergeRows")
def merge_rows(op: Operation) -> Flow:
    """Output, per column, the values that the clauses assign; their conditions influence all columns.

    `Arguments: <source?>, <target?>, [keep(cond, v, …), discard(cond)], [keep(…)], [keep(…)], true, [id#477L, …]` has
    the instructions of MATCHED, NOT MATCHED and NOT MATCHED BY SOURCE (`MergeRowsExec`, 3.5+). 4.1 prints the row
    operation before the condition, `keep(Update, …)`; a delta's rows begin with its number. Iceberg's own
    `MergeRowsExec` (Spark 3.2 to 3.4) lists conditions and rows separately: `[cond, true], [[], [v, …]]`. Tree strings
    have only its outputs; the text of the statement's result may have the clauses (`lineage.tracing.command_flows`).
    Spark truncates outputs and values after 25: the consumer prints all outputs, and `truncated_clauses` completes the
    values.
    """
    below = op.input
    found = op.node.lists
    names = listed_outputs(op, found[-1]) if found else []
    instructions = _all_instructions(op, found[:-1], names)
    if names and not instructions:
        columns = ", ".join(map(itemgetter(0), names))
        op.gap(GapReason.UNKNOWN_SOURCE, f"the clauses that give {columns}", _NO_CLAUSES)
    target = _changed_table(below)
    rows = list(_rows(names, instructions))
    report_truncated_values(op, [row.name for row in rows if row.is_truncated])
    only_deletes = bool(instructions) and not any(map(_has_value, rows))
    source_ids = _self_source(op, target)
    own = {each.expr_id for each in own_outputs(below, target, source_ids)}
    cut = _cut_columns(op, own, rows, instructions)._replace(source=source_ids)
    known = TruncatedClauses(op, below, target, cut)
    if source_ids and instructions:
        assigned = frozenset(row.expr_id for row in rows if _is_assigned(op, row, known, source_ids))
        below = replace(below, assigned=assigned)
    outputs = [_column(op, below, row, known, is_kept=only_deletes) for row in rows]
    return below.with_outputs(outputs).with_conditions(*_conditions(op, below, instructions))


def _conditions(op: Operation, below: Flow, instructions: Sequence[_Instruction]) -> Iterator[Condition]:
    """Yield the distinct conditions of the clauses; `true` is none."""
    for text in dict.fromkeys(each.condition for each in instructions if "#" in each.condition):
        yield Condition(op.bind(text, below.scope), Transformation.FILTER)


def _cut_columns(
    op: Operation, own: Collection[int], rows: Sequence[_Values], instructions: Sequence[_Instruction]
) -> CutColumns:
    """Return the columns with values that Spark truncated."""
    names = [(row.name, row.expr_id) for row in rows]
    hidden = [row.name for row in rows if row.is_truncated and not row.cells]
    partial = [row.name for row in rows if row.is_truncated and row.cells]
    printed, by_name = _printed_values(op, names, instructions, own)
    inserted = _truncated_inserts(op, names, instructions, own)
    return CutColumns(hidden, partial, inserted, printed=printed, by_name=by_name)


def _all_instructions(op: Operation, lists: Sequence[Listed], names: Sequence[tuple[str, int]]) -> list[_Instruction]:
    """Return the instructions of all clauses, in either of the two forms that Spark and Iceberg print."""
    first = names[0][0] if names else ""
    texts = (text for items in lists for text in items)
    joined = [each for text in texts for each in _instructions(op, text, len(names), first)]
    return joined or [each for pair in pairwise(lists) for each in _separate_instructions(op, *pair, first)]


def _has_value(row: _Values) -> bool:
    return bool(row.cells) or row.is_truncated


def _changed_table(below: Flow) -> str:
    """Return the table that a MERGE changes: that of the columns that row-level rewrites add."""
    added = (each for each in below.outputs if each.name in row_columns())
    return next((origin.dataset for each in added for origin, _ in each.derivation.sources), "")


def _self_source(op: Operation, target: str) -> frozenset[int]:
    """Return the attributes of a MERGE's source that reads the table that is changed; none for another source.

    The other side of the join has the columns that row-level rewrites add to the table.
    """
    added = row_columns() - {"__row_from_source"}
    sides = [op.below(child).outputs for child in first_branch(op.node).children]
    sources = [side for side in sides if added.isdisjoint(column_names(side))]
    if len(sides) != 2 or len(sources) != 1:
        return frozenset()
    reads_target = any(origin.dataset == target for each in sources[0] for origin, _ in each.derivation.sources)
    return frozenset(each.expr_id for each in sources[0]) if reads_target else frozenset()


def _truncated_inserts(
    op: Operation, names: Sequence[tuple[str, int]], instructions: Sequence[_Instruction], own: Collection[int]
) -> set[str]:
    """Return the columns without a printed value in rows of the MERGE's source: none of their values is the table's."""
    found: set[str] = set()
    for each in instructions:
        text = ", ".join(value for value in each.values if value is not None)
        used = {token.expr_id for token in find_attributes(text, op.names)}
        if used and used.isdisjoint(own):
            found.update(name for (name, _), value in zip(names, each.values, strict=False) if value is None)
    return found


def _printed_values(
    op: Operation, names: Sequence[tuple[str, int]], instructions: Sequence[_Instruction], own: Collection[int]
) -> tuple[frozenset[int], bool]:
    """Return the attributes in printed values, and whether each value is a column of the assigned column's name."""
    used: set[int] = set()
    by_name = True
    for each in instructions:
        for (name, _), value in zip(names, each.values, strict=False):
            if value is None or name in row_columns():
                continue
            found = {token.expr_id for token in find_attributes(value, op.names)}
            column = read_attribute(value)
            used |= found
            by_name &= found <= set(own) or (column is not None and column[0].lower() == name.lower())
    return frozenset(used), by_name


def _is_assigned(op: Operation, row: _Values, known: TruncatedClauses, source_ids: frozenset[int]) -> bool:
    """Return whether a clause assigns a column another value than its own."""
    if not row.cells:
        return known.is_from_source(row.name)
    read = (read_attribute(cell) for cell in row.cells)
    return any(found is None or found[0] != row.name or found[1] in source_ids for found in read)


class _Values(NamedTuple):
    """The distinct values that the clauses assign to a column, and whether Spark truncated some of them."""

    name: str
    expr_id: int
    cells: tuple[str, ...]
    is_truncated: bool


def _rows(names: Sequence[tuple[str, int]], instructions: Sequence[_Instruction]) -> Iterator[_Values]:
    for index, (name, expr_id) in enumerate(names):
        cells = dict.fromkeys(each.values[index] for each in instructions if index < len(each.values))
        is_truncated = None in cells and name not in row_columns()
        yield _Values(name, expr_id, tuple(cell for cell in cells if cell is not None), is_truncated)


def _instructions(op: Operation, text: str, width: int, first: str) -> Iterator[_Instruction]:
    word, _, rest = text.partition("(")
    listed = read(EXPRESSIONS, rest.removesuffix(")"))
    items = list(listed)
    kind = items.pop(0) if items and items[0] in _KINDS else ""
    if not items or word not in {"keep", "split", "discard"}:
        return
    condition, values = items[0], [*items[1:], *[None] * listed.missing]
    yield _Instruction(condition if kind != "Copy" else "", ())
    if kind not in {"Copy", "Delete"}:
        starts = range(0, len(values), max(width, 1))
        yield from _written((tuple(values[start : start + width]) for start in starts), first)


def _separate_instructions(op: Operation, conditions: Listed, outputs: Listed, first: str) -> Iterator[_Instruction]:
    """Yield the instructions of MATCHED, NOT MATCHED or NOT MATCHED BY SOURCE, if the next list has their rows.

    A clause has a row, an empty list for a delete, or a list of rows (an update that is a delete and an insert).

    Args:
        conditions: The conditions of the clauses, if the list has them.
        outputs: The rows of the clauses, if the next list has them.
    """
    if not outputs or not all(map(is_list, outputs)) or any(map(is_list, conditions)):
        return
    for condition in op.complete(conditions, "conditions of clauses"):
        yield _Instruction(condition, ())
    for output in op.complete(outputs, "clauses"):
        cells = read(EXPRESSIONS, inner(output))
        nested = cells and all(map(is_list, cells))
        rows = [read(EXPRESSIONS, inner(each)) for each in cells] if nested else [cells]
        yield from _written(((*row, *[None] * row.missing) for row in rows), first)


def _written(rows: Iterable[tuple[str | None, ...]], first: str) -> Iterator[_Instruction]:
    """Yield the rows that a clause writes; those of a delta begin with their operation, and it deletes some."""
    for row in rows:
        if row and not (first == "__row_operation" and row[0] == _DELETED):
            yield _Instruction("", row)


def _column(
    op: Operation, below: Flow, column: _Values, truncated_clauses: TruncatedClauses, *, is_kept: bool
) -> Output:
    name, expr_id = column.name, column.expr_id
    if name in row_columns():
        return Output(name, expr_id, Derivation({}, (name,)))
    if is_kept:
        return Output(name, expr_id, source(truncated_clauses.target, name))
    if column.is_truncated and not column.cells:
        return Output(name, expr_id, truncated_clauses.value(name))
    values = [Output(name, expr_id, op.bind(cell, below.scope)) for cell in column.cells]
    if column.is_truncated and truncated_clauses.is_from_source(name):
        values.append(Output(name, expr_id, truncated_clauses.value(name)))
    return Output(name, expr_id, _assigned_value(name, values, truncated_clauses.target))


def _assigned_value(name: str, values: Sequence[Output], target: str) -> Derivation:
    """Return what the clauses assign to a column: any of the values that differ from the column itself."""
    assigned = [value for value in values if not is_unchanged(value, target)] or values[:1]
    return any_of([each.derivation for each in assigned]) if assigned else Derivation({}, (name,))


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
        target: The table that is changed; empty if unknown.
    """

    def __init__(self, op: Operation, below: Flow, target: str, cut: CutColumns) -> None:
        self.target = target
        own = own_outputs(below, target, cut.source)
        ids = {each.expr_id for each in own}
        self._kept = {each.name.lower() for each in own if cut.hidden}
        unused = _unused(op, below, ids) if cut.hidden or cut.partial else {}
        if cut.by_name:
            unused |= _of_conditions(below, ids, unused, cut)
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
