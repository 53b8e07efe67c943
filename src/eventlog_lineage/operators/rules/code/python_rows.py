"""Functions over whole rows: every input column influences every output column."""

from __future__ import annotations

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.derivations.derivation import OPAQUE, Derivation, merge
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of, read_attribute
from eventlog_lineage.plan.grammar.symbols import EMPTY, Listed, is_list


def opaque(inputs: tuple[Output, ...], what: str) -> Derivation:
    """Return a value that may depend on any of the inputs."""
    sources = merge(output.derivation.through(Transformation.TRANSFORMATION, confidence=OPAQUE) for output in inputs)
    parts: list[str | Derivation] = [f"{what}("]
    for index, output in enumerate(inputs):
        parts.extend((", ", output.derivation) if index else (output.derivation,))
    return Derivation(sources, (*parts, ")"))


def row_outputs(op: Operation, columns: Listed, inputs: tuple[Output, ...], what: str) -> list[Output]:
    """Return outputs that depend on all inputs."""
    value = opaque(inputs, what)
    consumed = op.node.consumer_input
    if columns.missing and consumed is not None and len(consumed.items) >= columns.size:
        printed = consumed.items[-columns.size :]
    else:
        printed = op.complete(columns, "columns")
    attributes = [attribute_of(item) for item in printed]
    return [Output(name, expr_id, value) for name, expr_id in attributes]


def function_name(text: str) -> str:
    """Return the name of a function as printed; `<lambda>` for a function without a name.

    >>> function_name("plus(v#1)#2, [z#3], false")
    'plus'
    """
    return text.split("(", 1)[0] or "function"


@operator("MapInPandas", "MapInArrow")
def map_rows(op: Operation) -> Flow:
    """Output the results of a Python function over rows.

    `Arguments: <lambda>(id#1L, k#2L)#3, [id#4L, z#5L], false`
    """
    below = op.input
    text = op.node.text("Arguments")
    return below.with_outputs(row_outputs(op, op.node.listed("columns"), below.outputs, function_name(text)))


@operator("FlatMapGroupsInPandas", "FlatMapGroupsInArrow", "FlatMapCoGroupsInPandas", "FlatMapCoGroupsInArrow")
def map_groups(op: Operation) -> Flow:
    """Output the results of a Python function over groups of rows; the keys are the user's grouping.

    `Arguments: [k#1L], <lambda>(id#2L, v#3)#4, [k#5L, v#6]`, with two lists of keys for cogroups.
    """
    keys = (*op.node.listed("keys"), *op.node.listed("right_keys"))
    flows = [flow.completed().ordered_for(keys) for flow in op.inputs]
    below = combine(flows)
    conditions = [Condition(op.bind(key, below.scope), Transformation.GROUP_BY) for key in keys]
    call = next((part for part in op.node.arguments if "(" in part and not is_list(part)), "")
    outputs = row_outputs(op, op.node.listed("columns"), below.outputs, function_name(call))
    return below.with_outputs(outputs).with_conditions(*conditions)


@operator("FlatMapGroupsInPandasWithState", "TransformWithStateInPySpark", "TransformWithStateInPandas")
def map_states(op: Operation) -> Flow:
    """Output the results of a Python function over groups of rows, their states and initial states.

    `Arguments: count(id#1L, cust#2)#3, [cust#2], [cust#4, n#5L], [StructField(n,LongType,true)], state info […], …`
    (`FlatMapGroupsInPandasWithStateExec`, 3.4 to 4.3) and `transformWithStateUDF(id#1L)#3, [cust#2], [n#5L], Append, …`
    (`TransformWithStateInPandasExec` of 4.0, `TransformWithStateInPySparkExec` of 4.1 to 4.3). A logical tree has the
    number of keys instead of the first list: these are the input's first columns. A second input has initial states,
    whose keys are listed after the outputs.
    """
    parts, lists = op.node.arguments, op.node.lists
    counted = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else 0
    grouped_by = [] if counted or not lists else list(lists.pop(0))
    columns = lists.pop(0) if lists else EMPTY
    if not counted:
        initial = (key for each in lists for key in each if read_attribute(key))
        grouped_by = list(dict.fromkeys((*grouped_by, *initial)))
    below = combine([flow.completed().ordered_for(grouped_by) for flow in op.inputs])
    keys = [op.bind(key, below.scope) for key in grouped_by]
    keys += [output.derivation for output in below.outputs[:counted]]
    outputs = row_outputs(op, columns, below.outputs, function_name(op.node.text("Arguments")))
    return below.with_outputs(outputs).with_conditions(*(Condition(key, Transformation.GROUP_BY) for key in keys))


@operator("BatchEvalPythonUDTF", "ArrowEvalPythonUDTF")
def python_table_function(op: Operation) -> Flow:
    """Output the required columns, and the columns of a Python table function.

    `Arguments: myt(cast(k#1L as int))#2, [id#3L], [a#4, b#5]`: the function depends on its arguments.
    """
    below = op.input
    kept = [op.named(item, below.scope) for item in op.node.listed("required")]
    derivation = op.bind(op.node.value("call"), below.scope)
    sources = derivation.through(Transformation.TRANSFORMATION, confidence=OPAQUE)
    value = Derivation(sources, (derivation,))
    computed = [Output(name, expr_id, value) for name, expr_id in op.node.listed("columns").attributes]
    return below.with_outputs((*kept, *computed))
