"""Map node names of native engines to Spark's: `GpuProject`, `CometProject`, `PhotonProject` to `Project`.

RAPIDS, Gluten (Velox, ClickHouse), Comet, Auron and Photon replace Spark's operators one by one and keep their names,
with a prefix or a suffix. Other names are in the tables below. Sources: the names in
RAPIDS 22 to 25, Gluten 1.0 to 1.5, Comet 0.5 to 0.12, Auron 4 and 5, Photon of Databricks 10.4 to 15.4.
"""

from __future__ import annotations

import re
from functools import lru_cache

from eventlog_lineage.extensions import find_command

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

_ALIASES = {
    "Agg": "HashAggregate",
    "GroupingAgg": "HashAggregate",
    "GroupingAggWithRollup": "HashAggregate",
    "RegularHashAggregate": "HashAggregate",
    "FlushableHashAggregate": "HashAggregate",
    "ColumnarExchange": "Exchange",
    "MergeAggregate": "HashAggregate",
    "ProjectAst": "Project",
    "DeltaProject": "Project",
    "ColumnarPartialProject": "Project",
    "PartialProject": "Project",
    "DeltaFilter": "Filter",
    "TieredProject": "Project",
    "BroadcastJoin": "BroadcastHashJoin",
    "HashJoin": "ShuffledHashJoin",
    "ShuffleHashJoin": "ShuffledHashJoin",
    "ShuffledSymmetricHashJoin": "ShuffledHashJoin",
    "ShuffledAsymmetricHashJoin": "ShuffledHashJoin",
    "TopN": "TakeOrderedAndProject",
    "TopK": "TakeOrderedAndProject",
    "TakeOrdered": "TakeOrderedAndProject",
    "RunningWindow": "Window",
    "CachedDoublePassWindow": "Window",
    "BatchedBoundedWindow": "Window",
    "UnboundedToUnboundedAggWindow": "Window",
    "Explode": "Generate",
    "FastSample": "Sample",
    "UnionShuffleExchangeSink": "Union",
    "CustomShuffleReader": "ShuffleRead",
    "AQEShuffleRead": "ShuffleRead",
    "OptimizeSkewedJoin": "ShuffleRead",
    "RapidsDeltaWrite": "DeltaWrite",
}
"""Engine's name without prefix and suffix, to Spark's name."""

_SCANS = {
    "BatchScan": "BatchScan",
    "FileSourceScan": "Scan",
    "FileScan": "Scan",
    "FileGpuScan": "Scan",
    "HybridScan": "Scan",
    "HybridFileSourceScan": "Scan",
    "DeltaScan": "Scan",
    "HudiScan": "Scan",
    "HiveTableScan": "Scan hive",
    "ArrowFileScan": "Scan",
    "Scan": "Scan",
    "ParquetScan": "Scan parquet",
    "OrcScan": "Scan orc",
    "CsvNativeScan": "BatchScan",
    "IcebergScan": "BatchScan",
    "IcebergNativeScan": "BatchScan",
    "IcebergTableScan": "BatchScan",
    "PaimonScan": "BatchScan",
    "PaimonTableScan": "BatchScan",
    "PaimonV2TableScan": "BatchScan",
    "MicroBatchScan": "MicroBatchScan",
    "InMemoryTableScan": "Scan In-memory table",
}
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
        return _scan(scan, rest)
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
    return write if find_command(write).table_in_name else name


def _word(label: str) -> str:
    match = _WORD.match(label)
    return match[0] if match else ""


def _scan(scan: str, rest: str) -> str:
    """Read `CometScan [native_iceberg_compat] parquet t`; ``CometNativeScan: `cat`.`db`.`t` `` prints no format.

    Args:
        scan: Spark's name for the scan.
        rest: The rest of the node's name.
    """
    rest = _MODE.sub("", rest.strip())
    if quoted := _QUOTED_TABLE.match(rest):
        table = quoted[1].replace("`", "")
        return f"{scan} {table}" if scan == "BatchScan" else f"Scan parquet {table}"
    return f"{scan} {rest.removeprefix(':').strip()}"
