"""Typed Datasets and RDD round trips: rows become objects, code runs, objects become rows."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.arguments import arguments, inner, lists
from eventlog_lineage.operators.derivations.derivation import OPAQUE, Derivation, merge
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, split_named

from .python_rows import opaque

_STARTED = " at start at "
"""The call site of an RDD that a streaming query made: its batch, for the function of `foreachBatch`."""
_PINNED = (
    "PySpark before 3.2 runs the function of foreachBatch in a thread that knows nothing of its query: "
    "set PYSPARK_PIN_THREAD=true, or use a later one"
)
_OBJECT = re.compile(rf"([\w$]+)#({NUMBER})(?:: |L?$)")


@operator("DeserializeToObject")
def deserialize(at: Operation) -> Flow:
    """Outputs an object that is made of the whole row; its columns are kept for what takes it apart again.

    `Arguments: createexternalrow(…), obj#1: org.apache.spark.sql.Row`; a JDBC write and `foreachPartition`
    end here.
    """
    below = at.input
    return below.with_outputs((*below.outputs, _object(at, below)))


@operator(
    "MapElements",
    "MapPartitions",
    "MapPartitionsInR",
    "MapPartitionsInRWithArrow",
    "ExternalRDD",
)
def map_objects(at: Operation) -> Flow:
    """Outputs an object that code made of the object below: a black box."""
    below = at.input
    return below.with_outputs((_object(at, below),))


@operator(
    "MapGroups",
    "CoGroup",
    "FlatMapGroupsInR",
    "FlatMapGroupsInRWithArrow",
    "FlatMapGroupsWithState",
    "TransformWithState",
)
def map_groups(at: Operation) -> Flow:
    """Outputs objects that code made of groups of objects; the sort below it is by the grouping key."""
    orderings = [flow.ordering for flow in at.inputs if flow.ordering is not None]
    below = combine(replace(flow, ordering=None) for flow in at.inputs)
    conditions = [Condition(key, Transformation.GROUP_BY) for ordering in orderings for key in ordering.keys]
    return below.with_outputs((_object(at, below),)).under(*conditions)


@operator("AppendColumns", "AppendColumnsWithObject")
def append_columns(at: Operation) -> Flow:
    """Outputs the object below and the grouping key that code made of it."""
    below = at.input
    known = {output.number for output in below.outputs}
    named = [read_attribute(item) for item in at.node.items("Output")]
    consumed = at.node.consumer_input
    if not named and consumed is not None:
        named = [read_attribute(item) for item in consumed.items]
    text = at.node.text("Arguments")
    made = [split_items(part) for part in lists(at.node)]
    named += [found for items in made for item in items if (found := _aliased(item))]
    value = opaque(below.outputs, "function")
    outputs = [Output(name, number, value) for name, number in filter(None, named) if number not in known]
    if not outputs:
        outputs = [Output("obj", int(match[2]), value) for match in _OBJECT.finditer(text)]
    return below.with_outputs((*below.outputs, *outputs))


@operator("SerializeFromObject")
def serialize(at: Operation) -> Flow:
    """Outputs columns made of the object below.

    `Arguments: [knownnotnull(assertnotnull(input[0, Person, true])).name AS name#1, …]`.
    """
    below = at.input
    items = split_named(inner(", ".join(arguments(at.node))), None)
    value = _together(at, below)
    named = [each for item in at.whole(items, "columns") if (each := _aliased(item))]
    handed = any(_STARTED in node.text("Arguments") for node in at.node.children if node.operator == "ExternalRDDScan")
    if lost := [name for name, number in named if handed and number not in at.plan.handed_in]:
        at.gap(GapReason.UNKNOWN_SOURCE, f"{', '.join(lost)}: rows of a micro-batch of an unknown query", _PINNED)
    return below.with_outputs(Output(name, number, value) for name, number in named)


@operator("ExternalRDDScan")
def external_rdd(at: Operation) -> Flow:
    """Outputs objects of an RDD that the program made: nothing says of what."""
    match = _OBJECT.search(at.node.text("Arguments"))
    number = int(match[2]) if match else -1
    return Flow(outputs=(Output("obj", number, Derivation({}, ("an RDD's element",))),))


def _object(at: Operation, below: Flow) -> Output:
    """The object attribute that a typed operator puts out: printed as `obj#6791: org.apache.spark.sql.Row`."""
    found = list(_OBJECT.finditer(at.node.text("Arguments")))
    number = int(found[-1][2]) if found else -1
    return Output("obj", number, _together(at, below))


def _together(at: Operation, below: Flow) -> Derivation:
    objects = [output for output in below.outputs if output.name == "obj"] or below.outputs
    if len(objects) == 1:
        only = objects[0].derivation
        sources = only.through(Transformation.TRANSFORMATION, confidence=OPAQUE)
        return Derivation(sources, (only,))
    distinct = {id(output.derivation): output for output in below.outputs}
    return opaque(tuple(distinct.values()), "function") if distinct else Derivation(merge(()), ("object",))


def _aliased(item: str) -> tuple[str, int] | None:
    return read_attribute(item.rpartition(" AS ")[2])
