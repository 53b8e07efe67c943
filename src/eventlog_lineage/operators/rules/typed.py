"""Typed Datasets and RDD round trips: rows are converted to objects, processed by code, and converted back."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.model import OPAQUE, GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.rules.python_rows import opaque
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.tree.nodes import PlanNode, walk

_STARTED = " at start at "
"""The call site of an RDD of a streaming query: its batch, for the function of `foreachBatch`."""
_PINNED = (
    "PySpark before 3.2 runs the function of foreachBatch in a thread without the properties of its query: "
    "set PYSPARK_PIN_THREAD=true, or upgrade PySpark"
)
_LOCAL_RDD = ", ParallelCollectionRDD["
_WITH_STATES = frozenset({"FlatMapGroupsWithState", "TransformWithState"})
RDDS = frozenset({"ExternalRDDScan", "ExternalRDD"})
ROW = "org.apache.spark.sql.Row,"
_ELEMENT = Derivation({}, ("an RDD's element",))
_EXTERNAL = re.compile(rf"\[?obj#({NUMBER})")
_OBJECT = re.compile(rf"([\w$]+)#({NUMBER})(?:: |L?$)")


@operator("DeserializeToObject")
def deserialize(op: Operation) -> Flow:
    """Output an object that contains the row; its columns are kept for operators that read them from it.

    `Arguments: createexternalrow(…), obj#1: org.apache.spark.sql.Row`; a JDBC write and `foreachPartition` end here.
    """
    below = op.input
    return below.with_outputs((*below.outputs, _object(op, below)))


@operator("MapElements", "MapPartitions", "MapPartitionsInR", "MapPartitionsInRWithArrow")
def map_objects(op: Operation) -> Flow:
    """Output an object that code computes from the object below: a black box."""
    below = op.input
    return below.with_outputs((_object(op, below),))


@operator("TypedFilter")
def typed_filter(op: Operation) -> Flow:
    """Output the input; code decides about each row, by all of its columns.

    `TypedFilter <function>, class Order, [StructField(id,LongType,false)], newInstance(class Order)`: only in logical
    plans, those of a command (3.4 to 4.3).
    """
    below = op.input
    return below.with_conditions(Condition(opaque(below.outputs, "function"), Transformation.FILTER))


@operator(
    "MapGroups",
    "CoGroup",
    "FlatMapGroupsInR",
    "FlatMapGroupsInRWithArrow",
    "FlatMapGroupsWithState",
    "TransformWithState",
)
def map_groups(op: Operation) -> Flow:
    """Output objects that code computes from groups of objects; the sort below is by the grouping key.

    The right side of a function with states are its first states, `LocalTableScan <empty>` without any (3.2 to 4.3).
    """
    starts_empty = op.node.operator in _WITH_STATES and any(map(_is_empty, op.node.children[1:]))
    inputs = op.inputs[:1] if starts_empty else op.inputs
    orderings = [flow.ordering for flow in inputs if flow.ordering is not None]
    below = combine(replace(flow, ordering=None) for flow in inputs)
    conditions = [Condition(key, Transformation.GROUP_BY) for ordering in orderings for key in ordering.keys]
    return below.with_outputs((_object(op, below),)).with_conditions(*conditions)


def _is_empty(node: PlanNode) -> bool:
    """Return whether all leaves are `LocalTableScan <empty>`."""
    return all(each.children or each.text("Arguments").startswith("<empty>") for each in walk(node))


@operator("AppendColumns", "AppendColumnsWithObject")
def append_columns(op: Operation) -> Flow:
    """Output the object below, and the grouping key that code computes from it."""
    below = op.input
    known = {output.expr_id for output in below.outputs}
    named = [read_attribute(item) for item in op.node.items("Output")]
    named = named or [*op.consumed]
    text = op.node.text("Arguments")
    named += map(_aliased, chain.from_iterable(op.node.lists))
    value = opaque(below.outputs, "function")
    outputs = [Output(name, expr_id, value) for name, expr_id in filter(None, named) if expr_id not in known]
    if not outputs:
        outputs = [Output("obj", int(match[2]), value) for match in _OBJECT.finditer(text)]
    return below.with_outputs((*below.outputs, *outputs))


@operator("SerializeFromObject")
def serialize(op: Operation) -> Flow:
    """Output the columns of the object below.

    `Arguments: [knownnotnull(assertnotnull(input[0, Person, true])).name AS name#1, …]`.
    """
    below = op.input
    named = [each for item in op.complete(op.node.listed("columns"), "columns") if (each := _aliased(item))]
    is_batch = any(_is_batch(node, op.node) for node in op.node.children if node.operator in RDDS)
    value = _ELEMENT if is_batch else _combined(op, below)
    if lost := [name for name, expr_id in named if is_batch and expr_id not in op.plan.batch_values]:
        op.gap(GapReason.UNKNOWN_SOURCE, f"{', '.join(lost)}: rows of a micro-batch of an unknown query", _PINNED)
    return below.with_outputs(Output(name, expr_id, value) for name, expr_id in named)


def _is_batch(scan: PlanNode, serialized: PlanNode) -> bool:
    """Return whether an RDD is a micro-batch: formatted text prints its call site, other texts only `Scan[obj#1]`.

    An RDD of `Row` objects without a call site is one: rows that a user passes are an `ExistingRDD`.
    """
    printed = scan.text("Arguments")
    return _STARTED in printed or (" at " not in printed and ROW in serialized.text("Arguments"))


@operator("ExternalRDDScan", "ExternalRDD")
def external_rdd(op: Operation) -> Flow:
    """Output the objects of an RDD, unbound: the job's RDDs show what they are made of.

    `Arguments: obj#1: scala.Tuple2, MapPartitionsRDD[9] at map at Job.scala:5` (`ExternalRDDScanExec`, 3.0 to 4.3). The
    rows of a `ParallelCollectionRDD` are the driver program's own.
    """
    text = op.node.text("Arguments")
    match = _EXTERNAL.match(text or op.node.text("Output"))
    expr_id = int(match[1]) if match else -1
    if match and _LOCAL_RDD not in text:
        return Flow(outputs=(Output("obj", expr_id, op.unbound_value("the objects of an RDD", expr_id)),))
    return Flow(outputs=(Output("obj", expr_id, _ELEMENT),))


def _object(op: Operation, below: Flow) -> Output:
    """Return the object attribute of a typed operator, printed as `obj#6791: org.apache.spark.sql.Row`."""
    found = list(_OBJECT.finditer(op.node.text("Arguments")))
    expr_id = int(found[-1][2]) if found else -1
    return Output("obj", expr_id, _combined(op, below))


def _combined(op: Operation, below: Flow) -> Derivation:
    objects = [output for output in below.outputs if output.name == "obj"] or below.outputs
    if len(objects) == 1:
        return objects[0].derivation.step(Transformation.TRANSFORMATION, confidence=OPAQUE)
    distinct = {id(output.derivation): output for output in below.outputs}
    return opaque(distinct.values(), "function") if distinct else Derivation({}, ("object",))


def _aliased(item: str) -> tuple[str, int] | None:
    return read_attribute(item.rpartition(" AS ")[2])
