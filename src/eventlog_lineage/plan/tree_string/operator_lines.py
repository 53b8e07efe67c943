"""Read one line of a tree string: the node's name and its fields, with the labels of formatted text.

Source: the `simpleString` and `verboseString` of Spark's operators, 2.4 to 4.3: `FileSourceScanExec`,
`RowDataSourceScanExec`, `HiveTableScanExec`, `BatchScanExec`, `HashAggregateExec` and the joins have their own formats,
all others use `TreeNode.argString`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.extensions import find_command
from eventlog_lineage.plan.engines.engine_fields import spark_fields
from eventlog_lineage.plan.engines.engine_operators import engine_of, spark_word
from eventlog_lineage.plan.expressions.lists import merge_unnamed, split_items, split_named
from eventlog_lineage.plan.nodes import Field
from eventlog_lineage.plan.operator_names import JOIN_TYPES

from .described_operator import DescribedOperator, list_field
from .line_lists import TRUNCATION, argument_field, attribute_items, first_list
from .scan_lines import batch_scan, file_scan, hive_scan, relation, relation_v2, scan

_PREFIX = re.compile(r"(?:[*^](?:\(\d+\))? |\*(?=[A-Z])|!|'|~)+")
"""`*(1) Project`; `*Project` up to 2.2; Gluten's stages have `^(1) `; streaming operators have `~` (4.1+)."""
_WORD = re.compile(r"'?[\w$.]+")
_AGGREGATE = re.compile(r"\(?keys?=\[(.*?)\], functions=\[(.*?)\](?:, filters=.*)?\)?$", re.DOTALL)
_TOP = re.compile(r"\(limit=(-?\d+), (?:offset=\d+, )?orderBy=\[(.*?)\], output=\[(.*)\]\)$", re.DOTALL)
_INNER_ALIAS = re.compile(rf"({ID}) AS [\w.$-]+{ID}(?=[,)\s])")
_BETWEEN_KEYS = re.compile(r"(NULLS (?:FIRST|LAST)),(?=\S)")


def stripped(label: str) -> str:
    """Return an operator's line without codegen marks and the quotes of unresolved plans.

    >>> stripped("*(1) Project [id#1L]")
    'Project [id#1L]'
    """
    match = _PREFIX.match(label)
    return label[match.end() :] if match else label


def describe_line(label: str) -> DescribedOperator:
    """Return the operator of a line.

    Args:
        label: The line without its branches; its arguments can contain line breaks.

    >>> describe_line("*(2) Filter (id#1L > 2)").fields["Condition"].text
    '(id#1L > 2)'
    """
    unresolved = label.startswith("'")
    label = stripped(label)
    word = _WORD.match(label)
    head = word[0] if word else label.partition(" ")[0]
    rest = label[len(head) :].strip()
    if head == "Execute":
        return _execute(rest)
    engine = engine_of(head)
    name = spark_word(head) if engine else head
    reader = _READERS.get(name) if not unresolved else None
    known = reader(name, rest) if reader else _plain(name, rest)
    return replace(known, fields=spark_fields(engine, name, known.fields)) if engine else known


def _plain(head: str, rest: str) -> DescribedOperator:
    command = find_command(head)
    if command.is_result:
        return _listed_first(head, rest)
    if command.table_in_name:
        table = re.match(r"([\w-]+(?:\.[\w-]+){1,3}) ", f"{rest} ")  # 4.2+ prints the table in the node's name
        if table:
            return DescribedOperator(f"{head} {table[1]}", argument_field(rest[table.end() :]))
    return DescribedOperator(head, argument_field(rest))


def _execute(rest: str) -> DescribedOperator:
    """Read `Execute X <arguments>`; 2.4 prints the name of the command twice."""
    command, _, text = rest.partition(" ")
    return DescribedOperator(f"Execute {command}", argument_field(text.removeprefix(f"{command} ").strip()))


def _project(head: str, rest: str) -> DescribedOperator:
    items = split_named(rest[1:-1], None) if rest.startswith("[") else []
    if items and TRUNCATION.search(items[-1]):
        return DescribedOperator(head, argument_field(rest))
    return DescribedOperator(head, {"Output": list_field(merge_unnamed(items), rest[1:-1])})


def _filter(head: str, rest: str) -> DescribedOperator:
    """Read a filter; 3.0 leaves aliases within conditions that it pushed down: `isnotnull(order_id#33L AS x#49L)`.

    Args:
        head: The operator's name.
        rest: The rest of its line.
    """
    return DescribedOperator(head, {"Condition": Field(_INNER_ALIAS.sub(r"\1", rest))})


def _listed_first(head: str, rest: str) -> DescribedOperator:
    """Read leaves with their attributes as first list: `LocalTableScan [x#1, y#2]`, `LocalTableScan <empty>, [x#1]`.

    Args:
        head: The operator's name.
        rest: The rest of its line.
    """
    return DescribedOperator(head, {"Output": list_field(first_list(rest)), **argument_field(rest)})


def _loop(head: str, rest: str) -> DescribedOperator:
    """Read `UnionLoop 0, [id#1L, depth#2]` and `UnionLoopRef 0, [id#3L, depth#4], false` (4.1 to 4.3).

    Args:
        head: The operator's name.
        rest: The rest of its line.
    """
    return DescribedOperator(head, {"Loop id": Field(rest.partition(",")[0]), "Output": list_field(first_list(rest))})


def _aggregate(head: str, rest: str) -> DescribedOperator:
    text, printed, outputs = rest.rpartition(", output=[")
    body = text if printed else rest
    match = _AGGREGATE.match(body)
    if not match:
        return DescribedOperator(head, argument_field(rest))
    keys, functions = merge_unnamed(split_items(match[1])), split_items(match[2])
    fields = {"Keys": list_field(keys, match[1]), "Functions": list_field(functions, match[2])}
    listed = merge_unnamed(split_items(outputs.removesuffix(")").removesuffix("]"))) if printed else None
    return DescribedOperator(head, fields, outputs=listed)


def _merging_sessions(head: str, rest: str) -> DescribedOperator:
    """Read `MergingSessions List(k#1), true, 1, [w#2, k#1], w#2: …, [merge_sum(v#3)], [sum(v#3)#4], 2, [w#2, sum#5]`.

    An aggregate that prints all of its arguments (`MergingSessionsExec`, 3.2 to 4.3); its first list has the keys. An
    aggregate without functions prints two lists, because Spark omits empty ones (`TreeNode.argString`).

    Args:
        head: The operator's name.
        rest: The rest of its line.
    """
    listed = [part[1:-1] for part in split_items(rest) if part.startswith("[") and part.endswith("]")]
    if len(listed) < 2:
        return DescribedOperator(head, argument_field(rest))
    called = listed[1] if len(listed) > 2 else ""
    keys, results = (merge_unnamed(split_items(each)) for each in (listed[0], listed[-1]))
    fields = {"Keys": list_field(keys, listed[0]), "Functions": list_field(split_items(called), called)}
    return DescribedOperator(head, fields, outputs=results)


def _top(head: str, rest: str) -> DescribedOperator:
    match = _TOP.match(rest)
    if not match:
        return DescribedOperator(head, argument_field(rest))
    order = _BETWEEN_KEYS.sub(r"\1, ", match[2])
    return DescribedOperator(head, argument_field(f"{match[1]}, [{order}], [{', '.join(attribute_items(match[3]))}]"))


def _join(head: str, rest: str) -> DescribedOperator:
    """Read `SortMergeJoin [a#1], [b#2], LeftOuter, BuildRight, (c#3 < d#4)`.

    Args:
        head: The operator's name.
        rest: The rest of its line.
    """
    fields: dict[str, Field] = {}
    join_type = "Inner"
    for part in split_items(rest):
        if part.startswith("[") and part.endswith("]") and "Right keys" not in fields:
            label = "Right keys" if "Left keys" in fields else "Left keys"
            fields[label] = list_field(split_items(part[1:-1]), part[1:-1])
        elif part in JOIN_TYPES or part.startswith("ExistenceJoin("):
            join_type = part
        elif part not in {"BuildLeft", "BuildRight", "true", "false"}:
            before = fields.get("Join condition")
            fields["Join condition"] = Field(f"{before.text}, {part}" if before else part)
    if join_type.startswith("ExistenceJoin("):
        fields["Left output"] = list_field([join_type.removeprefix("ExistenceJoin(").removesuffix(")")])
    return DescribedOperator(head, {**fields, "Join type": Field(join_type)})


def _reused(head: str, rest: str) -> DescribedOperator:
    attributes, _, exchange = rest.partition("], ")
    return DescribedOperator(
        head, {"Output": list_field(merge_unnamed(split_items(attributes.removeprefix("["))))}, reused=exchange
    )


_Reader = Callable[[str, str], DescribedOperator]

_READERS: Mapping[str, _Reader] = {
    "BatchScan": batch_scan,
    "FileScan": file_scan,
    "Filter": _filter,
    "HiveTableScan": hive_scan,
    "MergingSessions": _merging_sessions,
    "MicroBatchScan": batch_scan,
    "ContinuousScan": batch_scan,
    "Project": _project,
    "Relation": relation,
    "RelationV2": relation_v2,
    "ReusedExchange": _reused,
    "Scan": scan,
    "TakeOrderedAndProject": _top,
    "UnionLoop": _loop,
    "UnionLoopRef": _loop,
    **dict.fromkeys(("HashAggregate", "ObjectHashAggregate", "SortAggregate"), _aggregate),
    **dict.fromkeys(("BroadcastHashJoin", "BroadcastNestedLoopJoin", "CartesianProduct"), _join),
    **dict.fromkeys(("ShuffledHashJoin", "SortMergeJoin"), _join),
    **dict.fromkeys(
        ("InMemoryTableScan", "LocalRelation", "LocalTableScan", "LogicalRDD", "ShowTables"),
        _listed_first,
    ),
}
