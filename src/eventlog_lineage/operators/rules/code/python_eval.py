"""Python functions that compute columns: scalar functions, and aggregates over groups."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.arguments import lists
from eventlog_lineage.operators.derivations.derivation import Derivation, truncated
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.expressions.attribute_ids import ID_PATTERN, id_at_end, read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, split_named, without_truncation

_IDS = re.compile(rf"{ID}\b")


@operator("BatchEvalPython", "ArrowEvalPython")
def python_eval(op: Operation) -> Flow:
    """Output the input, and one column per function, which depends on its arguments.

    `Arguments: [plus(v#1)#2], [pythonUDF0#3], 200`
    """
    below = op.input
    parts = lists(op.node)
    calls, missing = without_truncation(split_items(parts[0])) if parts else ([], 0)
    results, _ = without_truncation(split_items(parts[1])) if len(parts) > 1 else ([], 0)
    own = results if missing else results[max(len(results) - len(calls), 0) :]  # 2.4 repeats the input before them
    attributes = [read_attribute(item) or (item, -1) for item in own]
    outputs = [
        Output(name, expr_id, op.bind(call, below.scope))
        for call, (name, expr_id) in zip(calls, attributes, strict=False)
    ]
    lost = _truncated_results(op, below, outputs) if missing else ()
    return below.with_outputs((*below.outputs, *outputs, *lost))


def _truncated_results(op: Operation, below: Flow, outputs: list[Output]) -> tuple[Output, ...]:
    """Return the results of truncated functions, by the names that the consumer prints.

    Args:
        op: The operator.
        below: Its input.
        outputs: The results of the printed functions.
    """
    known = {output.expr_id for output in (*below.outputs, *outputs)}
    consumed = op.node.consumer_input
    names = [read_attribute(item) for item in consumed.items] if consumed else []
    lost = [found for found in names if found and found[1] not in known]
    what = f"the arguments of {len(lost) or 'some'} Python functions"
    op.gap(
        GapReason.TRUNCATED_FIELDS,
        f"{what} are truncated",
        "set spark.sql.debug.maxToStringFields to at least the number of columns",
        f"{what} are cut off",
    )
    return tuple(Output(name, expr_id, truncated(name, {})) for name, expr_id in lost)


@operator("AggregateInPandas", "ArrowAggregatePython")
def aggregate_in_python(op: Operation) -> Flow:
    """Output the keys and results of Python aggregates.

    `Arguments: [k#1L], [mean(v#2)#3], [k#1L, mean(v#2)#3#4 AS mv#5]`: the aggregate's attribute `#4` has the
    function's text as its name. Up to 3.4 this name has no ids (`mean(v)#4`), up to 3.1 the function has none.
    """
    parts = lists(op.node)
    keys = split_items(parts[0]) if len(parts) > 2 else []
    below = op.raw_input.completed().ordered_for(keys)
    calls = split_items(parts[-2]) if len(parts) > 1 else []
    results = op.printed_items(split_named(_with_calls(parts[-1], calls), None), "columns") if parts else []
    conditions = [Condition(op.bind(key, below.scope), Transformation.GROUP_BY) for key in keys]
    outputs = [_aggregated(op.named(item, below.scope), item, calls) for item in results]
    return below.with_outputs(outputs).with_conditions(*conditions)


def _with_calls(results: str, calls: list[str]) -> str:
    """Return the results with functions instead of the attributes that are named after them.

    Args:
        results: The list of results.
        calls: The functions.
    """
    numbered = {match[1]: call for call in calls if (match := id_at_end(call, len(call)))}
    unnumbered = [call for call in calls if call not in numbered.values()]
    for start, end, expr_id in reversed(list(_attributes(results, {call.partition("(")[0] for call in calls}))):
        name = results[start : results.rindex("#", start, end)]
        named = numbered.get(expr_id) or next((call for call in unnumbered if _IDS.sub("", call) == name), None)
        results = results[:start] + named + results[end:] if named else results
    return results


def _attributes(results: str, functions: set[str]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and id of the attributes that are named after a call.

    Args:
        results: The list of results.
        functions: The names of the functions.
    """
    names = "|".join(re.escape(name) for name in functions)
    for found in re.finditer(rf"(?<![\w.])(?:{names})\(", results):
        depth = 1
        index = found.end()
        while depth and index < len(results):
            depth += {"(": 1, ")": -1}.get(results[index], 0)
            index += 1
        if (ending := ID_PATTERN.match(results, index)) and not results.startswith("#", ending.end()):
            yield found.start(), ending.end(), ending[1]


def _aggregated(output: Output, item: str, calls: list[str]) -> Output:
    """Return a result, as an aggregation if its expression contains a Python aggregate's call.

    Args:
        output: The result.
        item: Its expression.
        calls: The Python aggregates.
    """
    if not any(call in item for call in calls):
        return output
    sources = output.derivation.through(Transformation.AGGREGATION)
    return Output(output.name, output.expr_id, Derivation(sources, (output.derivation,)))
