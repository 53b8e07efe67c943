"""`Expand`: several rows per input row, for grouping sets and for several DISTINCT aggregates."""

from __future__ import annotations

import re
from collections.abc import Collection

from eventlog_lineage.model import GapReason, merge
from eventlog_lineage.operators.derivations.derivation import Derivation, as_inferred, truncated
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.rules.merge_rows import listed_outputs, report_truncated_values
from eventlog_lineage.operators.write_targets import row_columns
from eventlog_lineage.plan.grammar.attribute_ids import escaped, read_attribute
from eventlog_lineage.plan.grammar.symbols import Listed

_GROUPING = frozenset({"spark_grouping_id", "_gen_grouping_pos"})
"""The numbers of a grouping set (`VirtualColumn`, `Expand.apply`, 2.0 to 4.3): literals."""
_WORD = re.compile(r"(?!null$)[^\W\d][^#(]*")
"""A literal other than a number."""


@operator("Expand")
def expand(op: Operation) -> Flow:
    """Output, by position, the union of its projections.

    `Arguments: [[v#1, k#2, 0], [v#1, null, 1]], [v#1, k#3, spark_grouping_id#4L]`; up to 3.1 the inner lists
    print as `List(v#1, …)` or `ArrayBuffer(v#1, …)`. Truncated columns are taken from the input's columns with the
    same names. In an UPDATE that marks rows (`__row_operation`), such a column may still have a new value, and a column
    that is not in the input certainly has one.
    """
    below = op.input
    attributes = listed_outputs(op, op.node.listed("columns"))
    rows = [_joined(op, row, len(attributes), below) for row in op.node.rows("rows")]
    outputs = [
        Output(name, expr_id, _column(op, index, rows, name, below)) for index, (name, expr_id) in enumerate(attributes)
    ]
    if any(_varies(op, [row[index] for row in rows if index < len(row)]) for index in range(len(attributes))):
        op.complete(op.node.listed("rows"), "rows")
    printed = max(map(len, rows), default=0)
    unknown = [each.name for each in outputs[printed:] if each.name not in row_columns()]
    is_update = any(each.name == "__row_operation" for each in outputs)
    report_truncated_values(
        op, unknown if is_update else [each.name for each in outputs[printed:] if each.derivation.is_truncated]
    )
    return below.with_outputs(outputs)


def _varies(op: Operation, cells: list[str]) -> bool:
    """Return whether another row may have another value of a column: that of a grouping set is a key or null."""
    values = {cell for cell in cells if op.plan.analysis(cell).references}
    return len(values) > 1 or all(cell == "null" for cell in cells)


def _joined(op: Operation, row: Listed, size: int, below: Flow) -> list[str]:
    """Return a row's cells; the names of an UNPIVOT and the values of a set have several pieces: `Q#1, 26`."""
    cells = list(row)
    more = len(cells) - size
    if more <= 0:
        return cells
    is_literal = [_is_literal(op, cell, below) for cell in cells]
    sets = [at for at, cell in enumerate(cells) if " INSET " in cell]
    if len(sets) == 1 and all(is_literal[sets[0] + 1 : sets[0] + more + 1]):
        end = sets[0] + more + 1
        return [*cells[: sets[0]], ", ".join(cells[sets[0] : end]), *cells[end:]]
    starts = [at for at in range(size) if all(is_literal[at : at + more + 1])]
    if not starts or not all(is_literal[starts[0] : starts[-1] + more + 1]):
        op.gap(GapReason.UNPARSED_EXPRESSION, ", ".join(cells))
        return cells
    end = starts[0] + more + 1
    return [*cells[: starts[0]], escaped(", ".join(cells[starts[0] : end])), *cells[end:]]


def _is_literal(op: Operation, cell: str, below: Flow) -> bool:
    return cell != "null" and all(each.expr_id not in below.scope for each in op.plan.analysis(cell).references)


def _without_cells(name: str, below: Flow) -> Derivation:
    """Return a column that no row has a cell of: the input's of that name, one that Spark adds, or a truncated one."""
    added = Derivation({}, (name,)) if name in row_columns() or name in _GROUPING else None
    return _same_name(name, below) or added or truncated(name, {})


def _column(op: Operation, index: int, rows: list[list[str]], name: str, below: Flow) -> Derivation:
    cells = dict.fromkeys(row[index] for row in rows if index < len(row))
    if any(map(_WORD.fullmatch, cells)):  # literals, so no cell is a key: `w#3` is the name of a column (UNPIVOT)
        cells = {cell: None for cell in cells if _is_bound(op, cell, below)}
    if len(rows) == len(cells) > 1 and _are_names(op, cells, below):
        return Derivation({}, (name,))
    if not cells:
        return _without_cells(name, below)
    return _any_of([op.bind(cell, below.scope) for cell in cells], name)


def _any_of(bound: list[Derivation], name: str) -> Derivation:
    """Return the derivation of a column that has one of some values, of which literals have no sources."""
    computed = [derivation for derivation in bound if derivation.sources]
    if len(computed) > 1:
        return Derivation(merge(derivation.sources for derivation in computed), bound[0].parts)
    return computed[0] if computed else Derivation({}, (name,))


def _are_names(op: Operation, cells: Collection[str], below: Flow) -> bool:
    """Return whether the cells of a column are names that an UNPIVOT puts there: `Q#1` and `Q#2` are not attributes."""
    if op.plan.truncated_lists.below(op.node):
        return False
    return all(read_attribute(cell) is not None and not _is_bound(op, cell, below) for cell in cells)


def _is_bound(op: Operation, cell: str, below: Flow) -> bool:
    if read_attribute(cell) is None:
        return True
    return all(
        reference.subquery or reference.expr_id in below.scope for reference in op.plan.analysis(cell).references
    )


def _same_name(name: str, below: Flow) -> Derivation | None:
    for output in below.outputs:
        if output.name.lower() == name.lower():
            return as_inferred(output.derivation)
    return None
