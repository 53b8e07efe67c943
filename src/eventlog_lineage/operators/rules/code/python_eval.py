"""Python functions that compute columns: scalar functions, and aggregates over groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.model import GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, truncated
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.attribute_ids import ID_PATTERN, attribute_of, id_at_end, read_attribute
from eventlog_lineage.plan.grammar.symbols import NAMED, inner, read

_IDS = re.compile(rf"{ID}\b")


@operator("BatchEvalPython", "ArrowEvalPython")
def python_eval(op: Operation) -> Flow:
    """Output the input, and one column per function, which depends on its arguments.

    `Arguments: [plus(v#1)#2], [pythonUDF0#3], 200`
    """
    below = op.input
    calls, results = op.node.listed("calls"), op.node.listed("columns").items
    own = results if calls.missing else results[max(len(results) - len(calls), 0) :]  # 2.4 repeats the input before
    attributes = [attribute_of(item) for item in own]
    outputs = [
        Output(name, expr_id, op.bind(call, below.scope))
        for call, (name, expr_id) in zip(calls, attributes, strict=False)
    ]
    lost = _truncated_results(op, below, outputs) if calls.missing else ()
    return below.with_outputs((*below.outputs, *outputs, *lost))


def _truncated_results(op: Operation, below: Flow, outputs: list[Output]) -> tuple[Output, ...]:
    """Return the results of truncated functions, by the names that the consumer prints."""
    known = {output.expr_id for output in (*below.outputs, *outputs)}
    consumed = op.node.consumer_input
    names = [read_attribute(item) for item in consumed.items] if consumed else []
    lost = [found for found in names if found and found[1] not in known]
    what = f"the arguments of {len(lost) or 'some'} Python functions"
    op.gap(
        GapReason.TRUNCATED_FIELDS,
        f"{what} are truncated",
        "set spark.sql.debug.maxToStringFields to at least the number of columns",
    )
    return tuple(Output(name, expr_id, truncated(name, {})) for name, expr_id in lost)


@operator("AggregateInPandas", "ArrowAggregatePython")
def aggregate_in_python(op: Operation) -> Flow:
    """Output the keys and results of Python aggregates.

    `Arguments: [k#1L], [mean(v#2)#3], [k#1L, mean(v#2)#3#4 AS mv#5]`: the aggregate's attribute `#4` has the
    function's text as its name. Up to 3.4 this name has no ids (`mean(v)#4`), up to 3.1 the function has none.
    """
    keys, calls = op.node.listed("keys").items, op.node.listed("calls").items
    below = op.raw_input.completed().ordered_for(keys)
    columns = _with_calls(inner(op.node.value("columns")), calls)
    results = op.complete(read(NAMED, columns), "columns") if columns else ()
    conditions = [Condition(op.bind(key, below.scope), Transformation.GROUP_BY) for key in keys]
    outputs = [_aggregated(op.named(item, below.scope), item, calls) for item in results]
    return below.with_outputs(outputs).with_conditions(*conditions)


def _with_calls(results: str, calls: Sequence[str]) -> str:
    """Return the results with functions instead of the attributes that are named after them."""
    numbered = {match[1]: call for call in calls if (match := id_at_end(call, len(call)))}
    unnumbered = [call for call in calls if call not in numbered.values()]
    for start, end, expr_id in reversed(list(_attributes(results, {call.partition("(")[0] for call in calls}))):
        name = results[start : results.rindex("#", start, end)]
        named = numbered.get(expr_id) or next((call for call in unnumbered if _IDS.sub("", call) == name), None)
        results = results[:start] + named + results[end:] if named else results
    return results


def _attributes(results: str, functions: set[str]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and id of the attributes that are named after a call."""
    names = "|".join(re.escape(name) for name in functions)
    for found in re.finditer(rf"(?<![\w.])(?:{names})\(", results):
        depth = 1
        index = found.end()
        while depth and index < len(results):
            depth += {"(": 1, ")": -1}.get(results[index], 0)
            index += 1
        if (ending := ID_PATTERN.match(results, index)) and not results.startswith("#", ending.end()):
            yield found.start(), ending.end(), ending[1]


def _aggregated(output: Output, item: str, calls: Sequence[str]) -> Output:
    """Return a result, as an aggregation if its expression contains a Python aggregate's call."""
    if not any(call in item for call in calls):
        return output
    sources = output.derivation.through(Transformation.AGGREGATION)
    return Output(output.name, output.expr_id, Derivation(sources, (output.derivation,)))
