"""Convert native engines' details to Spark's form: RAPIDS, Comet and Photon print `Arguments` instead of fields.

Sources: `GpuProjectExec`, `GpuHashJoin`, `GpuWindowExec` of RAPIDS 22 to 25; `CometProjectExec`, `CometSortExec`,
`CometHashJoinExec`, `CometWindowExec`, `CometTakeOrderedAndProjectExec` of Comet 0.5 to 0.12; logs of Photon 10.4
to 15.4. Gluten and Auron print what Spark prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from eventlog_lineage.plan.expressions.aliases import split_alias
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.formatted.detail_fields import counted_list
from eventlog_lineage.plan.nodes import Field
from eventlog_lineage.plan.operator_names import JOIN_TYPES, JOINS

Fields: TypeAlias = dict[str, Field]

_LORE_ID = re.compile(r"(?:^|, )\[loreId=[^\]]*\]")
"""The id that RAPIDS prints for its local replay (`spark.rapids.sql.lore.tag.enabled`)."""
_GPU_CALL = re.compile(r"\b(partial_|merge_)?gpu(?:basic|decimal128|float64|float)?([a-z][a-z0-9_]*)\(")
_TYPE_ARGUMENTS = re.compile(r"(?:, \w+Type(?:\(\d+,-?\d+\))?(?:, (?:true|false))*)\)")
_GPU_NAMES = {"average": "avg", "stddevsamp": "stddev_samp", "stddevpop": "stddev_pop"}
_NO_CONDITION = re.compile(r"(?:Gpu)?Build(?:Left|Right)$|true$|false$|\d+$|\w+$|\[.*\]$", re.DOTALL)


def spark_fields(engine: str, operator: str, fields: Fields) -> Fields:
    """Return an engine's details in the form in which Spark prints the same operator.

    Args:
        engine: The result of `engine_of`.
        operator: The canonical operator.
        fields: The details as printed.

    Returns:
        The details with Spark's labels; unchanged if no difference is known.
    """
    if engine == "Gpu":
        fields = {label: _without_gpu(field) for label, field in fields.items()}
    if operator in JOINS:
        return _join(fields)
    convert = _CONVERTERS.get((engine, operator))
    return convert(fields) if convert and "Arguments" in fields else fields


def _without_gpu(field: Field) -> Field:
    return Field(_spark_calls(_LORE_ID.sub("", field.text)), field.count, tuple(map(_spark_calls, field.items)))


def _spark_calls(text: str) -> str:
    """Replace `partial_gpudecimal128sum(v#1, DecimalType(28,2), false)` by `partial_sum(v#1)`."""
    if "gpu" not in text:
        return text
    return _TYPE_ARGUMENTS.sub(")", _GPU_CALL.sub(_spark_call, text))


def _spark_call(match: re.Match[str]) -> str:
    return f"{match[1] or ''}{_GPU_NAMES.get(match[2], match[2])}("


def _join(fields: Fields) -> Fields:
    """Read `Arguments: [lk#1], [rk#2], Inner, BuildRight, (a#3 > b#4)`: only the keys are lists."""
    if "Join type" in fields or "Arguments" not in fields:
        return fields
    parts = split_items(fields["Arguments"].text)
    found: Fields = {}
    for label in ("Left keys", "Right keys"):
        if parts and parts[0].startswith("["):
            found[label] = _list(label, parts.pop(0)[1:-1])
    for part in parts:
        if "Join type" not in found and (part in JOIN_TYPES or part.startswith("ExistenceJoin(")):
            found["Join type"] = Field(part)
        elif "Join condition" not in found and not _NO_CONDITION.match(part):
            found["Join condition"] = Field(part)
    return {**fields, **found}


def _comet_last_list(fields: Fields) -> Fields:
    """Read `Arguments: [output], [projectList]`, `[output], [sortOrder]`; it does not show whether a sort is global."""
    return _with_lists(fields, lambda lists: lists[-1:])


def _comet_window(fields: Fields) -> Fields:
    """Read `Arguments: [output], [windowExpression], [partitionSpec], [orderSpec]`."""
    return _with_lists(fields, lambda lists: lists[1:])


def _comet_take_ordered(fields: Fields) -> Fields:
    """Read `Arguments: TakeOrderedAndProject(…), [output], 100, 0, [sortOrder], [projectList]`."""
    return _with_lists(fields, lambda lists: lists[-2:])


def _gpu_window(fields: Fields) -> Fields:
    """Read `Arguments: [k#1, sum(v#2) windowspecdefinition(…) AS s#3], [k#1], []`, without the attributes passed on."""

    def computed(lists: list[str]) -> list[str]:
        items = [item for item in split_items(lists[0]) if read_attribute(item) is None or " AS " in item]
        return [", ".join(items), *lists[1:]]

    return _with_lists(fields, computed)


def _lists(fields: Fields) -> list[str]:
    return [part[1:-1] for part in split_items(fields["Arguments"].text) if part.startswith("[")]


def _with_lists(fields: Fields, choose: Callable[[list[str]], list[str]]) -> Fields:
    lists = _lists(fields)
    return {**fields, "Arguments": Field(", ".join(f"[{each}]" for each in choose(lists)))} if lists else fields


def _photon_aggregate(fields: Fields) -> Fields:
    """Read `Arguments: [keys], [partial_sum(v#1) AS sum#2], [sum#2], [k#3, sum#2], false`; no keys, no list."""
    lists = _lists(fields)
    if len(lists) not in {3, 4} or "Functions" in fields:
        return fields
    keys = lists[0] if len(lists) == 4 else ""
    functions, attributes = _named_functions(lists[-3])
    return {
        **fields,
        "Keys": _list("Keys", keys),
        "Functions": Field(", ".join(functions), len(functions), tuple(functions)),
        "Aggregate Attributes": Field(", ".join(attributes), len(attributes), tuple(attributes)),
        "Results": _list("Results", lists[-1]),
    }


def _named_functions(text: str) -> tuple[list[str], list[str]]:
    """Return functions with their attributes; a bracketed list of buffers belongs to one function."""
    functions: list[str] = []
    attributes: list[str] = []
    for item in split_items(text):
        found = split_alias(item, {})
        if found:
            functions.append(found[0])
            attributes.append(f"{found[1]}#{found[2]}")
            continue
        function, _, buffers = item.rpartition(" AS ")
        own = split_items(buffers.strip("()[]")) if function else [item]
        functions.extend([function or item] * len(own))
        attributes.extend(own)
    return functions, attributes


def _list(label: str, text: str) -> Field:
    items = split_items(text)
    return counted_list(label, text, len(items), ())


_CONVERTERS: Mapping[tuple[str, str], Callable[[Fields], Fields]] = {
    ("Comet", "Project"): _comet_last_list,
    ("Comet", "Sort"): _comet_last_list,
    ("Comet", "Window"): _comet_window,
    ("Comet", "TakeOrderedAndProject"): _comet_take_ordered,
    ("Gpu", "Window"): _gpu_window,
    ("Photon", "HashAggregate"): _photon_aggregate,
}
