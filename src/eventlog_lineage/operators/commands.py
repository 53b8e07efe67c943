"""The catalogue of commands: one entry per command, with the attributes that other modules need.

Only a rule that registers itself by a command's name spells it, too (`operators/rules`). Other modules use
`find_command(name).row_level` or `commands_where(role=Role.CALL)` of `eventlog_lineage.extensions`, which plans and
events can import, too. A command without a write and without further attributes has a rule and no entry.
Commands of table formats are listed in their packages (`formats/*`).
"""

from __future__ import annotations

from eventlog_lineage.extensions import Command, Query, Role, Rows, Target, commands_of

WRITES = (
    Command("AppendData", "append", at_root=True, rows=Rows.BELOW, target=Target.NODE_NAME),
    Command("InsertOnlyMerge", "merge", at_root=True, rows=Rows.BELOW, target=Target.NODE_NAME),
    Command("OverwriteByExpression", "overwrite", at_root=True, rows=Rows.BELOW, target=Target.NODE_NAME),
    Command("OverwritePartitionsDynamic", "overwrite", at_root=True, rows=Rows.BELOW, target=Target.NODE_NAME),
    Command("AppendDataExecV1", "append", at_root=True, rows=Rows.ELSEWHERE, target=Target.OBJECT),
    Command("OverwriteByExpressionExecV1", "overwrite", at_root=True, rows=Rows.ELSEWHERE, target=Target.OBJECT),
    Command("InsertIntoHadoopFsRelationCommand", rows=Rows.BELOW, lists_all_columns=True),
    Command("InsertIntoHiveTable", rows=Rows.BELOW, lists_all_columns=True),
    Command("InsertIntoHiveDirCommand", rows=Rows.BELOW),
    Command("InsertIntoDataSourceDirCommand"),
    Command("SaveIntoDataSourceCommand", target=Target.OPTIONS),
    Command("InsertIntoDataSourceCommand"),
    Command("LoadDataCommand", query=Query.FILES),
    Command("WriteToDataSourceV2", "append", at_root=True, rows=Rows.BELOW, role=Role.MICRO_BATCH),
    Command("WriteToContinuousDataSource", "append", at_root=True, role=Role.MICRO_BATCH),
)
"""Commands that write the rows of a query."""

TABLES_AS_SELECT = (
    Command("CreateTableAsSelect", "create", "filled", at_root=True),
    Command("AtomicCreateTableAsSelect", "create", "filled", at_root=True),
    Command("ReplaceTableAsSelect", "overwrite", "filled", at_root=True),
    Command("AtomicReplaceTableAsSelect", "overwrite", "filled", at_root=True),
    Command("CreateDataSourceTableAsSelectCommand", "", "filled", target=Target.WITHOUT_LOCATION),
    Command("CreateHiveTableAsSelectCommand", "create", "filled", target=Target.WITHOUT_LOCATION),
    Command("OptimizedCreateHiveTableAsSelectCommand", "create", "filled"),
    Command("SaveAsV1TableCommand", "", "filled", query=Query.ONE_LINE),
    Command("CreateViewCommand", "create", "filled", query=Query.LOGICAL | Query.SQL),
    Command("AlterViewAsCommand", "create", "filled", query=Query.LOGICAL),
    *(Command(name, "create", "filled", query=Query.SQL) for name in ("AlterV2View", "CreateV2View")),
    *commands_of("CreateMetricViewCommand CreateV2MetricView", "create", "filled"),
    Command("CreateTempViewUsing", "create"),
    Command("CacheTableAsSelect", at_root=True),
)
"""Commands that create a table or a view from a query."""

ROW_LEVEL = (
    Command("ReplaceData", at_root=True, rows=Rows.OWN, target=Target.NODE_NAME),
    Command("WriteDelta", at_root=True, rows=Rows.OWN, target=Target.NODE_NAME),
    Command("DeleteFromTable", "delete", rows=Rows.OWN),
)
"""Commands that change rows in place, through V2 connectors."""

DEFINITIONS = (
    *commands_of("CreateTable CreateTableCommand CreateDataSourceTableCommand", "create", "created"),
    *commands_of("CreateTableLike CreateTableLikeCommand", "create", "copied"),
    *commands_of("ReplaceTable AtomicReplaceTable", "create", "replaced"),
    *commands_of("DropTable DropTableCommand DropView DropV2View", "drop", "dropped"),
    *commands_of("RenameTable AlterTableRenameCommand", "alter", "renamed"),
    *commands_of("TruncateTable TruncateTableCommand TruncatePartition", "truncate"),
    Command("AlterTable", "alter", "changed"),
    Command("AlterTableAddColumnsCommand", "alter", "added"),
    Command("AlterTableChangeColumnCommand", "alter", "retyped"),
    *commands_of(
        """
        AddPartition AddPartitionField AddPartitions AlterTableAddPartitionCommand AlterTableChangeColumnCommentsCommand
        AlterTableClusterBy AlterTableCollation AlterTableDropPartitionCommand
        AlterTableRecoverPartitionsCommand AlterTableRenamePartitionCommand AlterTableSerDePropertiesCommand
        AlterTableSetLocationCommand AlterTableSetPropertiesCommand AlterTableUnsetPropertiesCommand CommentOnTable
        CreateOrReplaceBranch CreateOrReplaceTag DropBranch DropIdentifierFields DropPartition DropPartitionField
        DropPartitions DropTag RecoverPartitions RenamePartition RenamePartitions RenameV2View RepairTable
        RepairTableCommand ReplacePartitionField SetIdentifierFields SetWriteDistributionAndOrdering
        """,
        "alter",
    ),
)
"""Commands that create, alter and drop tables without rows; those for parts of a table alter it."""

SESSION = (
    Command("CommandResult", at_root=True, role=Role.RESULT),
    Command("SetCatalogAndNamespace", role=Role.NAMESPACE),
    Command("SetDatabaseCommand", role=Role.DATABASE),
)
"""Commands of the session, and results of commands."""

PROCEDURES = (Command("Call", "maintenance", role=Role.CALL),)
"""Procedures of a catalog: `CallExec` in physical plans, `CallStatement` in parsed plans."""

COMMANDS = (*WRITES, *TABLES_AS_SELECT, *ROW_LEVEL, *DEFINITIONS, *SESSION, *PROCEDURES)
