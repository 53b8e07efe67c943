"""Joins: combined rows of two inputs, or the left rows with or without a match."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.model import GapReason, Transformation, merge
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.joins import join_conditions, key_conditions, key_pairs
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.source_relations import looked_up_relation
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.forms import JOIN_TYPES
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, read, read_arguments
from eventlog_lineage.plan.tree.nodes import PlanNode, walk

T = Transformation

_EXISTENCE = re.compile(rf"ExistenceJoin\(((?:.|\n)*)#({NUMBER})\)")
_MATCHED_LEFT = frozenset(("Inner", "LeftSemi", "RightOuter"))
_MATCHED_RIGHT = frozenset(("Inner", "LeftSemi", "LeftOuter", "LeftAnti", "ExistenceJoin"))
"""Joins in which rows of the right side without a match add nothing."""
_LOOKED_UP = re.compile(r"\bBatchScan (?P<name>[^\s\[]+)\[(?P<output>[^\]]*)\] ?(?P<description>.*)", re.DOTALL)
_REPEATED = re.compile(r" [SR][ST]_[A-Z]+\([^()]*\)$")
"""The condition in words, after the arguments in extended text: ` ST_CONTAINS(g#1, g#2)`."""
_TYPE = re.compile(r"(?<=\d): \w+$")
_FULL_CONDITION = re.compile(r"^condition = \[ .*, full = (.*) \]$", re.DOTALL)


@operator("BroadcastHashJoin", "BroadcastNestedLoopJoin", "CartesianProduct", "ShuffledHashJoin", "SortMergeJoin")
def join(op: Operation) -> Flow:
    """Output left and right, or only the left for semi and anti joins; keys and condition influence all rows.

    Up to 3.3 the join type is only in the tree's line, `SortMergeJoin LeftOuter (13)`; later `Join type`
    repeats it. The sorts of a sort-merge join are required by the join.
    """
    left, right = (
        _sorted_side(op, flow, side) for flow, side in zip(op.sides, ("Left keys", "Right keys"), strict=True)
    )
    keys = (op.keys("Left keys"), op.keys("Right keys"))
    left, right = _without_domain(op, left, keys), _without_domain(op, right, keys[::-1])
    condition = op.node.text("Join condition")
    on = _conditions(op, (left, right), keys, "" if condition == "None" else condition)
    join_type = op.node.text("Join type") or op.node.argument
    return _joined(left, right, on, join_type)


@operator("SortMergeAsOfJoin")
def as_of_join(op: Operation) -> Flow:
    """Join as `join` does, with the nearest row of the right side.

    Formatted text has no condition of what is compared, but the sort of each side has it after the keys
    (`SortMergeAsOfJoinExec`, 4.3).
    """
    keys = (op.keys("Left keys"), op.keys("Right keys"))
    left, right = (replace(flow.completed(), ordering=None) for flow in op.sides)
    condition = op.node.text("Join condition")
    on = _conditions(op, (left, right), keys, "")
    if condition != "None":
        on += _conditions(op, (left, right), (), read_arguments(condition)[0])
    elif None in (orderings := [flow.ordering for flow in op.sides]):
        op.gap(GapReason.UNPRINTED_FILTER, "a join of the nearest rows whose input has no sort by what it compares")
    else:
        on += [Condition(key, T.JOIN) for each in filter(None, orderings) for key in each.keys[len(keys[0]) :]]
    return _joined(left, right, on, op.node.text("Join type"))


@operator("AsOfJoin", "NearestByJoin")
def nearest_join(op: Operation) -> Flow:
    """Join as `logical_join` does; what is compared and the condition are arguments of a logical tree.

    `Arguments: (ts#1 >= since#2), (id#3L = id#4L), Inner` (`AsOfJoin`, 3.3 to 4.3), `Inner, true, 2, abs((a#1 - b#2)),
    NearestByDistance` (`NearestByJoin`, 4.2+).
    """
    left, right = op.sides
    parts = op.node.arguments
    on = [condition for part in parts for condition in _conditions(op, (left, right), (), part)]
    return _joined(left, right, on, next(filter(JOIN_TYPES.__contains__, parts), ""))


@operator(
    *"""
    BroadcastIndexJoin BroadcastObjectSideKNNJoin BroadcastQuerySideKNNJoin DistanceJoin KNNJoin RangeJoin
    """.split()
)
def spatial_join(op: Operation) -> Flow:
    """Join as `join` does, by the geometries of both sides (Apache Sedona 1.4 to 1.8).

    `Arguments: g#1: geometry, g#2: geometry, 2.0, true, INTERSECTS, false, (a#3 > b#4)`. The index that a side is
    broadcast as has its geometry, `SpatialIndex g#2: geometry, RTREE, false, false`.
    """
    left, right = (flow.completed().sorted_by_user() for flow in op.sides)
    parts = read_arguments(_REPEATED.sub("", op.node.text("Arguments")))
    indexed = (part for side in op.node.children if side.operator == "SpatialIndex" for part in side.arguments)
    found = (_TYPE.sub("", part) for part in (*parts, *indexed))
    on = [condition for part in found for condition in _conditions(op, (left, right), (), part)]
    return _joined(left, right, on, next(filter(JOIN_TYPES.__contains__, parts), ""))


@operator("StreamingSymmetricHashJoin")
def join_by_arguments(op: Operation) -> Flow:
    """Join as `join` does; keys, type and condition are in the arguments.

    `Arguments: [id#1L], [id#2L], Inner, condition = [ leftOnly = null, …, full = (v#3 > w#4) ], state info [ … ], …`
    (`StreamingSymmetricHashJoinExec`, 2.3 to 4.3).
    """
    left, right = (flow.completed().sorted_by_user() for flow in op.sides)
    parts = op.node.arguments
    keys = (op.keys(), op.keys("right_keys"))
    join_type = next((part for part in parts if part.startswith(JOIN_TYPES)), "")
    condition = next((match[1] for part in parts if (match := _FULL_CONDITION.search(part))), "null")
    on = _conditions(op, (left, right), keys, "" if condition == "null" else condition)
    return _joined(left, right, on, join_type)


@operator("Join")
def logical_join(op: Operation) -> Flow:
    """Join as `join` does; `Arguments: Inner, (a#1 = b#2)` in logical trees, and in the recursion of a `UnionLoop`."""
    left, right = op.sides
    join_type, _, condition = op.node.text("Arguments").partition(", ")
    return _joined(left, right, _conditions(op, (left, right), (), condition), join_type)


@operator("CassandraDirectJoin")
def direct_join(op: Operation) -> Flow:
    """Join the input with a table that is looked up for each row.

    `Arguments: [k#565L], [id#567L], Inner, BuildRight, [id=ExprId(567,…), …], BatchScan orders[id#567L, city#569]
    Cassandra Scan: shop.orders …` (connector 3.x): the scan is an argument, and no operator of its own.
    """
    below = op.input.completed().sorted_by_user()
    arguments = op.node.text("Arguments")
    match = _LOOKED_UP.search(arguments)
    table = match and looked_up_relation(op, match["name"], match["description"], read(EXPRESSIONS, match["output"]))
    if table is None:
        op.gap(GapReason.UNKNOWN_SOURCE, arguments[:500])
        return below
    left, right = (table, below) if "BuildLeft" in op.node.arguments else (below, table)
    on = _conditions(op, (left, right), [listed.items for listed in op.node.lists[:2]], "")
    join_type = next((part for part in op.node.arguments if part.startswith(JOIN_TYPES)), "")
    return _joined(left, right, on, join_type)


def _without_inferred(left: Flow, right: Flow, conditions: list[Condition], join_type: str) -> tuple[Flow, Flow]:
    """Return the sides without the tests `isnotnull(k)` of values without which a condition is null.

    The optimizer adds them to a side whose rows need a match (`InferFiltersFromConstraints`, 2.0 to 4.3): they remove
    only rows without one. Alternatives, `(a = b OR c = d)`, are several comparisons.
    """
    single = [each.comparisons[0] for each in conditions if len(each.comparisons) == 1]
    single = [each for each in single if each.is_null_with_a_side]
    others = [each.derivation for each in conditions if not each.comparisons]
    kind = join_type.partition("(")[0].partition(" ")[0]  # in text before 3.4 `Inner BuildRight`
    if kind in _MATCHED_LEFT:
        left_keys = [*(each.left.uncast() for each in single), *others]
        left = left.without(lambda part: part.is_test_of(left_keys))
    if kind in _MATCHED_RIGHT:
        right_keys = [*(each.right.uncast() for each in single), *others]
        right = right.without(lambda part: part.is_test_of(right_keys))
    return left, right


def _without_domain(op: Operation, side: Flow, keys: tuple[Sequence[str], Sequence[str]]) -> Flow:
    """Return a correlated subquery without the grouping of the outer query's columns.

    The optimizer joins the subquery with their distinct values, `Aggregate [id#1], [id#1 AS id#9]`, and the result with
    the outer query, by `id#9 <=> id#1` (`DecorrelateInnerQuery`, 3.2 to 4.3).

    Args:
        keys: The keys of the side and of the outer query.
    """
    compared = {pair.left: pair.right for pair in key_pairs(keys) if pair.symbol == "<=>"}
    inferred = _domain_keys(op, {attribute_of(own)[1]: attribute_of(outer)[1] for own, outer in compared.items()})
    kept = (each for each in side.conditions if each.kind is not T.GROUP_BY or id(each.derivation) not in inferred)
    return replace(side, conditions=tuple(kept)) if inferred else side


def _domain_keys(op: Operation, pairs: Mapping[int, int]) -> set[int]:
    """Return the keys by which the optimizer groups outer columns, as `id` of their derivations."""
    domains = (node for node in walk(op.node) if _is_domain(op, node, pairs)) if pairs else ()
    groupings = (op.below(node).grouping for node in domains)
    return {id(key) for grouping in groupings if grouping is not None for key in grouping.keys}


def _is_domain(op: Operation, node: PlanNode, pairs: Mapping[int, int]) -> bool:
    """Return whether an operator below a join has the distinct values of what the join compares its columns with.

    Args:
        pairs: Attribute id to the id that the join compares it with.
    """
    if not node.operator.endswith("Aggregate") or node.listed("Functions"):
        return False
    own = [pairs.get(output.expr_id) for output in op.below(node).outputs]
    return own == [attribute_of(key)[1] for key in node.listed("Keys")]


def _joined(left: Flow, right: Flow, conditions: list[Condition], join_type: str) -> Flow:
    left, right = _without_inferred(left, right, conditions, join_type)
    both = combine((left, right))
    if existence := _EXISTENCE.search(join_type):
        # the existence of a match is a value that depends on the keys and the condition
        sources = merge(condition.derivation.through(T.JOIN) for condition in conditions)
        exists = Output(existence[1], int(existence[2]), Derivation(sources, ("exists",)))
        return both.with_outputs((*left.outputs, exists)).with_conditions(*conditions)
    if join_type.startswith(("LeftSemi", "LeftAnti")):
        return both.with_outputs(left.outputs).with_conditions(*conditions)
    return both.with_conditions(*conditions)


def _sorted_side(op: Operation, flow: Flow, keys: str) -> Flow:
    settled = flow.completed()
    return settled.ordered_for(op.node.items(keys)) if op.node.operator == "SortMergeJoin" else settled


def _conditions(
    op: Operation, sides: tuple[Flow, Flow], keys: Sequence[Sequence[str]], condition: str
) -> list[Condition]:
    scopes = (sides[0].scope, sides[1].scope)
    return [*key_conditions(op, keys, scopes), *join_conditions(op, condition, combine(sides).scope, scopes)]
