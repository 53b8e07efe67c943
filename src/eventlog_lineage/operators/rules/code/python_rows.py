"""Functions over whole rows: every input column influences every output column."""

from __future__ import annotations

from eventlog_lineage.model import Transformation
from eventlog_lineage.operators.arguments import arguments, is_list, lists
from eventlog_lineage.operators.derivations.derivation import OPAQUE, Derivation, merge
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, without_truncation


def opaque(inputs: tuple[Output, ...], what: str) -> Derivation:
    """Return a value that may depend on any of the inputs.

    Args:
        inputs: The inputs.
        what: The name of the function.
    """
    sources = merge(output.derivation.through(Transformation.TRANSFORMATION, confidence=OPAQUE) for output in inputs)
    parts: list[str | Derivation] = [f"{what}("]
    for index, output in enumerate(inputs):
        parts.extend((", ", output.derivation) if index else (output.derivation,))
    return Derivation(sources, (*parts, ")"))


def row_outputs(op: Operation, items: list[str], inputs: tuple[Output, ...], what: str) -> list[Output]:
    """Return outputs that depend on all inputs.

    Args:
        op: The operator.
        items: Its outputs, as printed.
        inputs: Its inputs.
        what: The name of the function.
    """
    value = opaque(inputs, what)
    printed, missing = without_truncation(items)
    consumed = op.node.consumer_input
    if missing and consumed is not None and len(consumed.items) >= len(printed) + missing:
        printed = list(consumed.items)[-(len(printed) + missing) :]
    elif missing:
        printed = op.printed_items(items, "columns")
    attributes = [read_attribute(item) or (item, -1) for item in printed]
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
    outputs = lists(op.node)
    names = split_items(outputs[-1]) if outputs else []
    return below.with_outputs(row_outputs(op, names, below.outputs, function_name(text)))


@operator("FlatMapGroupsInPandas", "FlatMapGroupsInArrow", "FlatMapCoGroupsInPandas", "FlatMapCoGroupsInArrow")
def map_groups(op: Operation) -> Flow:
    """Output the results of a Python function over groups of rows; the keys are the user's grouping.

    `Arguments: [k#1L], <lambda>(id#2L, v#3)#4, [k#5L, v#6]`, with two lists of keys for cogroups.
    """
    parts = lists(op.node)
    key_lists, names = parts[:-1], split_items(parts[-1]) if parts else []
    keys = [key for text in key_lists for key in split_items(text)]
    flows = [flow.completed().ordered_for(keys) for flow in op.inputs]
    below = combine(flows)
    conditions = [Condition(op.bind(key, below.scope), Transformation.GROUP_BY) for key in keys]
    call = next((part for part in arguments(op.node) if "(" in part and not is_list(part)), "")
    outputs = row_outputs(op, names, below.outputs, function_name(call))
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
    parts = arguments(op.node)
    counted = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else 0
    listed = lists(op.node)
    grouped_by = split_items(listed[0]) if listed and not counted else []
    names = split_items(listed[0 if counted else 1]) if len(listed) > (not counted) else []
    later = [] if counted else [key for text in listed[2:] for key in split_items(text)]
    grouped_by += [key for key in later if read_attribute(key) and key not in grouped_by]
    below = combine([flow.completed().ordered_for(grouped_by) for flow in op.inputs])
    keys = [op.bind(key, below.scope) for key in grouped_by]
    keys += [output.derivation for output in below.outputs[:counted]]
    outputs = row_outputs(op, names, below.outputs, function_name(op.node.text("Arguments")))
    return below.with_outputs(outputs).with_conditions(*(Condition(key, Transformation.GROUP_BY) for key in keys))


@operator("BatchEvalPythonUDTF", "ArrowEvalPythonUDTF")
def python_table_function(op: Operation) -> Flow:
    """Output the required columns, and the columns of a Python table function.

    `Arguments: myt(cast(k#1L as int))#2, [id#3L], [a#4, b#5]`: the function depends on its arguments.
    """
    below = op.input
    text = op.node.text("Arguments")
    parts = lists(op.node)
    call = split_items(text)[0] if text else ""
    names = split_items(parts[-1]) if parts else []
    kept = [op.named(item, below.scope) for item in split_items(parts[0])] if len(parts) > 1 else []
    derivation = op.bind(call, below.scope)
    sources = derivation.through(Transformation.TRANSFORMATION, confidence=OPAQUE)
    value = Derivation(sources, (derivation,))
    computed = [
        Output(name, expr_id, value) for name, expr_id in (read_attribute(item) or (item, -1) for item in names)
    ]
    return below.with_outputs((*kept, *computed))
