"""Native engines' node names, told in Spark's own."""

from __future__ import annotations

import pytest

from eventlog_lineage.operators.registry import rules
from eventlog_lineage.plan.printed.operator_names import engine_of, spark_label

NAMES = """
    GpuScan parquet db.t                              -> Scan parquet db.t
    CometScan [native_iceberg_compat] parquet db.t    -> Scan parquet db.t
    CometNativeScan: `cat`.`db`.`t`                   -> Scan parquet cat.db.t
    PhotonScan parquet db.t                           -> Scan parquet db.t
    FileSourceScanExecTransformer parquet db.t        -> Scan parquet db.t
    NativeParquetScan db.t                            -> Scan parquet db.t
    NativeScan hive db.t                              -> Scan hive db.t
    NativeHiveTableScan db.t                          -> Scan hive db.t
    BatchScanExecTransformer cat.db.t                 -> BatchScan cat.db.t
    IcebergScanTransformer cat.db.t                   -> BatchScan cat.db.t
    GpuProjectAst                                     -> Project
    ProjectExecTransformer                            -> Project
    NativeFilter                                      -> Filter
    RegularHashAggregateExecTransformer               -> HashAggregate
    PhotonGroupingAgg                                 -> HashAggregate
    CometHashJoin                                     -> ShuffledHashJoin
    GpuShuffledSymmetricHashJoin                      -> ShuffledHashJoin
    ShuffledHashJoinExecTransformer LeftSemi BuildRight -> ShuffledHashJoin LeftSemi BuildRight
    NativeSortMergeJoin(skew=true)                    -> SortMergeJoin(skew=true)
    PhotonBroadcastHashJoin Inner                     -> BroadcastHashJoin Inner
    GpuTopN                                           -> TakeOrderedAndProject
    PhotonTopK                                        -> TakeOrderedAndProject
    GpuRunningWindow                                  -> Window
    CometWindowExec                                   -> Window
    CometExplode                                      -> Generate
    ColumnarUnion                                     -> Union
    CometColumnarExchange                             -> Exchange
    NativeBroadcastExchange                           -> BroadcastExchange
    VeloxColumnarToRow                                -> ColumnarToRow
    RowToVeloxColumnar                                -> ColumnarToRow
    CometNativeColumnarToRow                          -> ColumnarToRow
    PhotonShuffleMapStage                             -> ColumnarToRow
    WholeStageCodegenTransformer (3)                  -> ColumnarToRow
    GpuCustomShuffleReader                            -> ShuffleRead
    GpuMapInPandas                                    -> MapInPandas
    VeloxColumnarWriteFiles                           -> WriteFiles
    VeloxIcebergAppendData                            -> AppendData
    Execute GpuInsertIntoHadoopFsRelationCommand      -> Execute InsertIntoHadoopFsRelationCommand
    GlutenDelta MergeIntoCommand                      -> MergeIntoCommand
"""
LINES = [tuple(part.strip() for part in line.split(" -> ")) for line in NAMES.strip().splitlines()]


@pytest.mark.parametrize(("native", "spark_name"), LINES, ids=[line[0] for line in LINES])
def test_an_engines_name_is_told_as_sparks(native: str, spark_name: str) -> None:
    assert spark_label(native) == spark_name


@pytest.mark.parametrize("name", sorted(rules()))
def test_sparks_own_operators_are_nobody_elses(name: str) -> None:
    assert spark_label(name) == name
    assert engine_of(name) == ""
