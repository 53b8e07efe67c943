"""Code over rows, in which every input column influences every output column, and Python over columns and groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.model import OPAQUE, GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, function_of, truncated
from eventlog_lineage.operators.flow import Condition, Flow, Output, combine
from eventlog_lineage.operators.operation import WIDER, Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import (
    ID_PATTERN,
    attribute_of,
    closing_bracket,
    id_at_end,
    read_attribute,
)
from eventlog_lineage.plan.grammar.symbols import EMPTY, NAMED, Listed, inner, is_list, read


def opaque(inputs: Iterable[Output], what: str) -> Derivation:
    """Return a value that may depend on any of the inputs."""
    return function_of(what, [output.derivation for output in inputs], confidence=OPAQUE)


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
    keys = (*op.keys(), *op.keys("right_keys"))
    flows = [flow.completed().ordered_for(keys) for flow in op.inputs]
    below = combine(flows)
    conditions = op.conditions_of(keys, Transformation.GROUP_BY, below.scope)
    call = next((part for part in op.node.arguments if "(" in part and not is_list(part)), "")
    outputs = row_outputs(op, op.node.listed("columns"), below.outputs, function_name(call))
    return below.with_outputs(outputs).with_conditions(*conditions)


def _keys_and_columns(lists: Sequence[Listed]) -> tuple[list[str], Listed]:
    """Return the keys of the groups, with those of the initial states, and the columns of the results."""
    keys, columns, *initial = (*lists, EMPTY, EMPTY)
    of_states = filter(read_attribute, chain.from_iterable(initial))
    return list(dict.fromkeys((*keys, *of_states))), columns


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
    grouped_by, columns = ([], next(iter(lists), EMPTY)) if counted else _keys_and_columns(lists)
    if not counted and lists:
        op.complete(lists[0], "keys")
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
    called = op.bind(op.node.value("call"), below.scope)
    value = called.step(Transformation.TRANSFORMATION, confidence=OPAQUE)
    computed = [Output(name, expr_id, value) for name, expr_id in op.node.listed("columns").attributes]
    return below.with_outputs((*kept, *computed))


_IDS = re.compile(rf"{ID}\b")


@operator("BatchEvalPython", "ArrowEvalPython")
def python_eval(op: Operation) -> Flow:
    """Output the input, and one column per function, which depends on its arguments.

    `Arguments: [plus(v#1)#2], [pythonUDF0#3], 200`
    """
    below = op.input
    calls, results = op.node.listed("calls"), op.node.listed("columns")
    own = results.items[max(results.size - calls.size, 0) :]  # 2.4 repeats the input before
    attributes = [attribute_of(item) for item in own]
    outputs = [
        Output(name, expr_id, op.bind(call, below.scope))
        for call, (name, expr_id) in zip(calls, attributes, strict=False)
    ]
    lost = _truncated_results(op, below, outputs) if calls.missing or results.missing else ()
    return below.with_outputs((*below.outputs, *outputs, *lost))


def _truncated_results(op: Operation, below: Flow, outputs: list[Output]) -> tuple[Output, ...]:
    known = {output.expr_id for output in (*below.outputs, *outputs)}
    lost = [found for found in op.consumed if found[1] not in known]
    part = "arguments" if op.node.listed("calls").missing else "results"
    what = f"the {part} of {len(lost) or 'some'} Python functions"
    op.gap(GapReason.TRUNCATED_FIELDS, f"{what} are truncated", WIDER)
    return tuple(Output(name, expr_id, truncated(name, {})) for name, expr_id in lost)


def aggregated(value: Derivation) -> Derivation:
    """Return the result of a Python function over the rows of a group or of a window."""
    return value.step(Transformation.AGGREGATION)


@operator("AggregateInPandas", "ArrowAggregatePython")
def aggregate_in_python(op: Operation) -> Flow:
    """Output the keys and results of Python aggregates.

    `Arguments: [k#1L], [mean(v#2)#3], [k#1L, mean(v#2)#3#4 AS mv#5]`: the aggregate's attribute `#4` has the
    function's text as its name. Up to 3.4 this name has no ids (`mean(v)#4`), up to 3.1 the function has none.
    """
    keys, calls = op.keys(), op.node.listed("calls").items
    below = op.raw_input.completed().ordered_for(keys)
    columns = _with_calls(inner(op.node.value("columns")), calls)
    results = op.complete(read(NAMED, columns), "columns") if columns else ()
    conditions = op.conditions_of(keys, Transformation.GROUP_BY, below.scope)
    outputs = [_aggregated(op.named(item, below.scope), item, calls) for item in results]
    return below.with_outputs(outputs).with_conditions(*conditions)


def _with_calls(results: str, calls: Sequence[str]) -> str:
    """Return the results with functions instead of the attributes that are named after them."""
    numbered = {match[1]: call for call in calls if (match := id_at_end(call, len(call)))}
    by_name = {_IDS.sub("", call): call for call in reversed(calls) if call not in numbered.values()}
    for start, end, expr_id in reversed(list(_attributes(results, {call.partition("(")[0] for call in calls}))):
        name = results[start : results.rindex("#", start, end)]
        named = numbered.get(expr_id) or by_name.get(name)
        results = results[:start] + named + results[end:] if named else results
    return results


def _attributes(results: str, functions: set[str]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and id of the attributes that are named after a call."""
    names = "|".join(re.escape(name) for name in functions)
    for found in re.finditer(rf"(?<![\w.])(?:{names})\(", results):
        closed = closing_bracket(results, found.end() - 1)
        ending = ID_PATTERN.match(results, closed + 1) if closed >= 0 else None
        if ending and not results.startswith("#", ending.end()):
            yield found.start(), ending.end(), ending[1]


def _aggregated(output: Output, item: str, calls: Sequence[str]) -> Output:
    """Return a result, as an aggregation if its expression contains a Python aggregate's call."""
    return output.mapped(aggregated) if any(call in item for call in calls) else output


@operator("HiveScriptTransformation", "SparkScriptTransformation", "ScriptTransformation")
def script_transformation(op: Operation) -> Flow:
    """Output the results of a script over rows.

    `Arguments: cat, [a#1, b#2], ScriptTransformationIOSchema(…)`; up to 3.1 the script's input precedes it.
    """
    below = op.input
    return below.with_outputs(row_outputs(op, op.node.listed("columns"), below.outputs, "script"))
