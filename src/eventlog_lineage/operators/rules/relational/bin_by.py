"""`BinBy` (4.3+): splits rows with a range of time into bins, and distributes values over them."""

from __future__ import annotations

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, Part, merge
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.symbols import is_list


@operator("BinBy")
def bin_by(op: Operation) -> Flow:
    """Output its input, with distributed values multiplied by the bin's share of the range, and the bin.

    `Arguments: 300000000, 0, s#1: timestamp, e#2: timestamp, [v#3], [v#9], [bin_start#10, bin_end#11,
    bin_distribute_ratio#12], UTC` (`BinByExec`, 4.3; a logical tree prints the origin after the range). The bin depends
    on the start and the end of the range.
    """
    below = op.input
    ranges = [part.rpartition(": ")[0] for part in op.node.arguments if not is_list(part)]
    ends = [op.bind(part, below.scope) for part in ranges if "#" in part]
    distributed = [expr_id for _, expr_id in op.node.listed("distributed").attributes]
    scaled = [attribute_of(item) for item in op.node.listed("scaled")]
    changed = {
        before: Output(name, expr_id, _of("scaled", [below.scope[before], *ends]))
        for before, (name, expr_id) in zip(distributed, scaled, strict=False)
        if before in below.scope
    }
    bins = (Output(*attribute_of(item), _of("bin", ends)) for item in op.node.listed("columns"))
    return below.with_outputs((*(changed.get(each.expr_id, each) for each in below.outputs), *bins))


def _of(name: str, values: list[Derivation]) -> Derivation:
    parts: list[Part] = []
    for value in values:
        parts += [", ", value] if parts else [value]
    sources = merge(value.through(Transformation.TRANSFORMATION) for value in values)
    return Derivation(sources, (f"{name}(", *parts, ")"))
