"""Map node names to canonical operators, and the details of native engines to Spark's form.

`* Scan parquet db.t` is a `FileScan` of `parquet db.t`; rules get only canonical operators. RAPIDS, Gluten (Velox,
ClickHouse), Comet, Auron and Photon replace Spark's operators one by one and keep their names, with a prefix or a
suffix: `GpuProject`, `CometProject`, `PhotonProject`; other names are in the tables below. RAPIDS, Comet and Photon
print `Arguments` instead of fields. Sources: names and details in RAPIDS 22 to 25 (`GpuProjectExec`, `GpuHashJoin`,
`GpuWindowExec`), Gluten 1.0 to 1.5, Comet 0.5 to 0.12 (`CometProjectExec`, `CometSortExec`, `CometHashJoinExec`,
`CometWindowExec`, `CometTakeOrderedAndProjectExec`), Auron 4 and 5, logs of Photon in Databricks 10.4 to 15.4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import TypeAlias

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.extensions import Target, find_command
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.grammar.forms import JOIN_TYPES
from eventlog_lineage.plan.grammar.parser import split_alias
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, Field, inner, is_list, read_arguments, split

from .formatted import counted_list

_PREFIX = re.compile(r"(Gpu|Photon|Comet|CH|Velox|Cudf|Native|Columnar)(?=[A-Z])")
_SUFFIX = re.compile(r"(?:ExecTransformer|Transformer|Exec)$")
_WORD = re.compile(r"[A-Za-z]\w*")

_SPARK_NAMES = frozenset({"ColumnarToRow", "WholeStageCodegen"})
"""Spark's own operators whose names begin or end like an engine's."""

_CONVERSIONS = frozenset(
    """
    AppendBatches BroadcastToRow CoalesceBatches ColumnarToColumnar ColumnarToCarrierRow ColumnarToRow
    ConvertToNative DataToArrow HostColumnarToGpu HostToDevice InputIterator LoadArrowData OffloadArrowData
    Adapter ResizeBatches ResultStage RowToColumnar RowToArrowColumnar
    RowToVeloxColumnar SparkColumnarToColumnar SparkRowToColumnar SparkToColumnar ShuffleCoalesce
    ShuffleExchangeSink ShuffleExchangeSource ShuffleMapStage UnionShuffleMapStage VeloxColumnarToRow WholeStageCodegen
    ArrowColumnarToCHNative CHColumnarToRow ToCarrierRow BringBackToHost CoalesceShufflePartitions
    """.split()
)
"""Operators that convert rows to another memory layout and do not change their values."""


def _by_word(words: Mapping[str, str]) -> dict[str, str]:
    """Return the name of each word, from the words of each name."""
    return {word: name for name, listed in words.items() for word in listed.split()}


_ALIASES = _by_word(
    {
        "HashAggregate": """
            Agg GroupingAgg GroupingAggWithRollup RegularHashAggregate FlushableHashAggregate MergeAggregate
        """,
        "Exchange": "ColumnarExchange",
        "Project": "ProjectAst DeltaProject ColumnarPartialProject PartialProject TieredProject",
        "Filter": "DeltaFilter",
        "BroadcastHashJoin": "BroadcastJoin",
        "ShuffledHashJoin": "HashJoin ShuffleHashJoin ShuffledSymmetricHashJoin ShuffledAsymmetricHashJoin",
        "TakeOrderedAndProject": "TopN TopK TakeOrdered",
        "Window": "RunningWindow CachedDoublePassWindow BatchedBoundedWindow UnboundedToUnboundedAggWindow",
        "Generate": "Explode",
        "Sample": "FastSample",
        "Union": "UnionShuffleExchangeSink",
        "ShuffleRead": "CustomShuffleReader AQEShuffleRead OptimizeSkewedJoin",
        "DeltaWrite": "RapidsDeltaWrite",
    }
)
"""Engine's name without prefix and suffix, to Spark's name."""

_SCANS = _by_word(
    {
        "BatchScan": """
            BatchScan CsvNativeScan IcebergScan IcebergNativeScan IcebergTableScan PaimonScan PaimonTableScan
            PaimonV2TableScan
        """,
        "Scan": """
            FileSourceScan FileScan FileGpuScan HybridScan HybridFileSourceScan DeltaScan HudiScan ArrowFileScan Scan
        """,
        "Scan hive": "HiveTableScan",
        "Scan parquet": "ParquetScan",
        "Scan orc": "OrcScan",
        "MicroBatchScan": "MicroBatchScan",
        "Scan In-memory table": "InMemoryTableScan",
    }
)
"""Scans, whose names continue with a format or a table."""

_KNOWN = frozenset({*_CONVERSIONS, *_ALIASES, *_SCANS, *_SPARK_NAMES})
_MODE = re.compile(r"^\[\w+\] ?")
_QUOTED_TABLE = re.compile(r"^:? ?(`[^`]*`(?:\.`[^`]*`)*)$")


def engine_of(label: str) -> str:
    """Return the engine of a node by the prefix of its name: `Gpu`, `Comet`, `Photon` …; empty for Spark's own.

    Args:
        label: The node's name as printed, without operator id.

    >>> engine_of("CometProject"), engine_of("ProjectExecTransformer"), engine_of("Project")
    ('Comet', 'Gluten', '')
    """
    word = _word(label.removeprefix("Execute "))
    match = None if word in _SPARK_NAMES else _PREFIX.match(word)
    if match:
        return match[1]
    return "Gluten" if word.endswith("Transformer") else ""


@lru_cache(maxsize=4096)
def spark_label(label: str) -> str:
    """Return a node's name as Spark prints it.

    Args:
        label: The name as printed, without operator id: `GpuScan parquet db.t`, `CometSortMergeJoin`.

    Returns:
        `Scan parquet db.t`, `SortMergeJoin`; `ColumnarToRow` for operators that only convert rows; names of unknown
        engines unchanged.

    >>> spark_label("CometSortMergeJoin")
    'SortMergeJoin'
    """
    if label.startswith("Execute "):
        command = label.removeprefix("Execute ")
        return f"Execute {_PREFIX.sub('', command)}" if _PREFIX.match(command) else label
    if label.startswith("GlutenDelta "):
        return label.removeprefix("GlutenDelta ")
    word = _word(label)
    if not word or word in _SPARK_NAMES:
        return label
    rest = label[len(word) :]
    name = _without_affixes(word)
    if name != word and (scan := _SCANS.get(name)):
        return _engine_scan(scan, rest)
    if name in _CONVERSIONS:
        return "ColumnarToRow"
    return label if name == word and word not in _ALIASES else _ALIASES.get(name, name) + rest


def spark_word(word: str) -> str:
    """Return Spark's name for an engine's operator in a tree string, where scans of files are `FileScan`.

    >>> spark_word("CometScan"), spark_word("GpuProject")
    ('FileScan', 'Project')
    """
    label = spark_label(word)
    return "FileScan" if label.startswith("Scan") else label


def _without_affixes(word: str) -> str:
    """Return an operator's name without the engine's affixes: `WriteFiles` for `VeloxColumnarWriteFilesExec`."""
    name = _SUFFIX.sub("", word)
    while name not in _KNOWN and (prefix := _PREFIX.match(name)):
        name = name[prefix.end() :]
    write = name.removeprefix("Iceberg")  # Gluten's writes are named after Spark's
    return write if find_command(write).target is Target.NODE_NAME else name


def _word(label: str) -> str:
    match = _WORD.match(label)
    return match[0] if match else ""


def without_mode(text: str) -> str:
    """Return what follows a scan's name without how Comet reads files.

    >>> without_mode("[native_iceberg_compat] parquet db.t[id#1]")
    'parquet db.t[id#1]'
    """
    return _MODE.sub("", text.strip())


def _engine_scan(scan: str, rest: str) -> str:
    """Read `CometScan [native_iceberg_compat] parquet t`; ``CometNativeScan: `cat`.`db`.`t` `` prints no format."""
    rest = without_mode(rest)
    if quoted := _QUOTED_TABLE.match(rest):
        table = quoted[1].replace("`", "")
        return f"{scan} {table}" if scan == "BatchScan" else f"Scan parquet {table}"
    return f"{scan} {rest.removeprefix(':').strip()}"


JOINS = frozenset(
    """
    BroadcastHashJoin BroadcastNestedLoopJoin CartesianProduct ShuffledHashJoin SortMergeAsOfJoin SortMergeJoin
    """.split()
)

_STAGE = re.compile(r"^(\w+QueryStage)(?: \d+)?$")

_RENAMED = {
    "AQEShuffleRead": "ShuffleRead",  # 3.2+; the same node was CustomShuffleReader in 3.0 and 3.1
    "CustomShuffleReader": "ShuffleRead",
    "ProjectAggregationBuffer": "HashAggregate",  # 4.3, of a stream; so is the next
    "StatefulStreamlineAggregate": "HashAggregate",
    "PythonMapInArrow": "MapInArrow",  # 3.3 to 3.5
    "PythonMapInPandas": "MapInPandas",
    "OneRowRelation": "OneRowRelation",  # 4.1+; before, `Scan OneRowRelation`
}


def canonical(name: str, fields: dict[str, Field]) -> tuple[str, str]:
    """Return the canonical operator of a node, and the rest of its name.

    Args:
        name: The node's name as printed, without operator id, codegen mark and join type.
        fields: Its details; they distinguish file scans from other relations.

    Returns:
        (operator, argument): `("FileScan", "parquet db.t")` for `Scan parquet db.t`.

    >>> canonical("BatchScan ice.db.t", {}), canonical("Execute InsertIntoHadoopFsRelationCommand", {})
    (('BatchScan', 'ice.db.t'), ('InsertIntoHadoopFsRelationCommand', 'Execute'))
    """
    label = spark_label(name)
    if not label.startswith("Scan"):
        return _canonical(label)
    operator, argument = _scan(label, fields)
    if operator == "RelationScan" and engine_of(name):
        return "FileScan", argument  # engines replace only scans of files; Comet prints no location
    return operator, argument


@lru_cache(maxsize=4096)
def _canonical(name: str) -> tuple[str, str]:
    if name.startswith("Execute ") and len(name) > len("Execute "):
        return name.removeprefix("Execute ").strip(), "Execute"
    head, _, rest = name.partition(" ")
    if (join := head.removesuffix("(skew=true)")) in JOINS:
        return join, rest
    if match := _STAGE.match(name):
        return "QueryStage", match[1]
    if head in {"BatchScan", "MicroBatchScan", "ContinuousScan"}:
        return head, rest.strip()
    if find_command(head).target is Target.NODE_NAME:
        return head, rest.strip()  # 4.2+ prints the table in the node's name
    return _RENAMED.get(name, name), ""


_OBJECTS = re.compile(rf"obj#{NUMBER}(?:: |$)")
"""Details of a scan of an RDD's objects, which may have any name: that of `sc.textFile` is its path."""


def _scan(name: str, fields: dict[str, Field]) -> tuple[str, str]:
    """Return operator and argument of a scan (`DataSourceScanExec.nodeName`, `HiveTableScanExec`, `RDDScanExec`)."""
    rest = name[4:].strip()
    if rest.startswith("ExistingRDD"):
        return "ExistingRDDScan", rest[len("ExistingRDD") :].strip()
    if rest.startswith("In-memory table"):
        return "InMemoryTableScan", rest[len("In-memory table") :].strip()
    if rest.startswith("OneRowRelation"):
        return "OneRowRelation", ""
    if rest.startswith("hive "):
        return "HiveTableScan", rest[5:].strip()
    if not rest or any(_OBJECTS.match(fields[label].text) for label in ("Arguments", "Output") if label in fields):
        return "ExternalRDDScan", rest
    return ("FileScan" if "Batched" in fields or "Location" in fields else "RelationScan"), rest


Fields: TypeAlias = dict[str, Field]

_LORE_ID = re.compile(r"(?:^|, )\[loreId=[^\]]*\]")
"""The id that RAPIDS prints for its local replay (`spark.rapids.sql.lore.tag.enabled`)."""
_GPU_CALL = re.compile(r"\b(partial_|merge_)?gpu(?:basic|decimal128|float64|float)?([a-z][a-z0-9_]*)\(")
_TYPE_ARGUMENTS = re.compile(r"(?:, \w+Type(?:\(\d+,-?\d+\))?(?:, (?:true|false))*)\)")
_GPU_NAMES = {"average": "avg", "stddevsamp": "stddev_samp", "stddevpop": "stddev_pop"}
_NO_CONDITION = re.compile(r"(?:Gpu)?Build(?:Left|Right)$|true$|false$|\d+$|\w+$|\[.*\]$", re.DOTALL)


def spark_fields(engine: str, operator: str, fields: Fields) -> Fields:
    """Return an engine's details in the form in which Spark prints the same operator.

    Returns:
        The details with Spark's labels; unchanged if no difference is known.
    """
    if engine == "Gpu":
        fields = {label: _without_gpu(field) for label, field in fields.items()}
    if operator in JOINS:
        return _join(fields)
    convert = _CONVERTERS.get((engine, operator))
    return convert(fields) if convert and "Arguments" in fields else fields


def has_own_lists(engine: str, operator: str) -> bool:
    """Return whether an engine prints an operator's lists in an order of its own."""
    return (engine, operator) in _CONVERTERS


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
    if "Join type" in fields or "Arguments" not in fields:
        return fields
    return {**fields, **join_fields(fields["Arguments"].text)}


def join_fields(text: str) -> Fields:
    """Read `[lk#1], [rk#2], Inner, BuildRight, (a#3 > b#4)`: only the keys are lists."""
    found: Fields = {}
    for part in read_arguments(text):
        if is_list(part) and "Right keys" not in found:
            label = "Right keys" if "Left keys" in found else "Left keys"
            found[label] = _list(label, inner(part))
        elif "Join type" not in found and (part in JOIN_TYPES or part.startswith("ExistenceJoin(")):
            found["Join type"] = Field(part)
        elif not _NO_CONDITION.match(part):
            before = found.get("Join condition")
            found["Join condition"] = Field(f"{before.text}, {part}" if before else part)
    return found


def _computed(lists: list[str]) -> list[str]:
    """Return the lists of `[k#1, sum(v#2) windowspecdefinition(…) AS s#3], [k#1], []` without the attributes passed on.

    This is how RAPIDS prints a window.
    """
    items = [item for item in split(EXPRESSIONS, lists[0]) if read_attribute(item) is None or " AS " in item]
    return [", ".join(items), *lists[1:]]


def _lists(fields: Fields) -> list[str]:
    return [inner(part) for part in read_arguments(fields["Arguments"].text) if part.startswith("[")]


def _with_lists(choose: Callable[[list[str]], list[str]], fields: Fields) -> Fields:
    """Return the arguments with some of their lists only."""
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
    for item in split(EXPRESSIONS, text):
        found = split_alias(item, {})
        if found:
            functions.append(found[0])
            attributes.append(f"{found[1]}#{found[2]}")
            continue
        function, _, buffers = item.rpartition(" AS ")
        own = split(EXPRESSIONS, buffers.strip("()[]")) if function else [item]
        functions.extend([function or item] * len(own))
        attributes.extend(own)
    return functions, attributes


def _list(label: str, text: str) -> Field:
    items = split(EXPRESSIONS, text)
    return counted_list(label, text, len(items))


def _comet_filter(fields: Fields) -> Fields:
    return {"Condition": Field(", ".join(read_arguments(fields["Arguments"].text)[1:]))}


def _comet_aggregate(fields: Fields) -> Fields:
    _, *parts = read_arguments(fields["Arguments"].text)
    lists = [inner(part) for part in parts if is_list(part)]
    functions = lists.pop() if lists and len(lists) < len(parts) else ""
    return {"Keys": _list("Keys", ", ".join(lists)), "Functions": _list("Functions", functions)}


_CONVERTERS: Mapping[tuple[str, str], Callable[[Fields], Fields]] = {
    # `[output], [projectList]`; `[output], [sortOrder]`, which does not show whether a sort is global
    **dict.fromkeys((("Comet", "Project"), ("Comet", "Sort")), partial(_with_lists, lambda lists: lists[-1:])),
    # in extended text: `[output], condition`; `[input], Partial, [keys], [functions]`, without functions no mode
    ("Comet", "Filter"): _comet_filter,
    ("Comet", "HashAggregate"): _comet_aggregate,
    # `[output], [windowExpression], [partitionSpec], [orderSpec]`
    ("Comet", "Window"): partial(_with_lists, lambda lists: lists[1:]),
    # `TakeOrderedAndProject(…), [output], 100, 0, [sortOrder], [projectList]`
    ("Comet", "TakeOrderedAndProject"): partial(_with_lists, lambda lists: lists[-2:]),
    ("Gpu", "Window"): partial(_with_lists, _computed),
    ("Photon", "HashAggregate"): _photon_aggregate,
}
