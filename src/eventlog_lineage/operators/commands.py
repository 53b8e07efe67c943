"""The catalogue of commands: one entry per command, with the attributes that other modules need.

Only a rule that registers itself by a command's name spells it, too (`operators/rules`). Other modules use
`find_command(name).row_level` or `commands_where("v1_fallback")` of `eventlog_lineage.extensions`, which plans and
events can import, too. A command without a write and without further attributes has a rule and no entry.
Commands of table formats are listed in their packages (`formats/*/commands.py`).
"""

from __future__ import annotations

from eventlog_lineage.extensions import Command, commands_of

WRITES = (
    Command("AppendData", "append", at_root=True, table_in_name=True, holds_physical_write=True),
    Command("OverwriteByExpression", "overwrite", at_root=True, table_in_name=True, holds_physical_write=True),
    Command("OverwritePartitionsDynamic", "overwrite", at_root=True, table_in_name=True, holds_physical_write=True),
    Command("AppendDataExecV1", "append", at_root=True, v1_fallback=True, changes_printed_table=True),
    Command("OverwriteByExpressionExecV1", "overwrite", at_root=True, v1_fallback=True, changes_printed_table=True),
    Command("InsertIntoHadoopFsRelationCommand", holds_physical_write=True, lists_all_columns=True),
    Command("InsertIntoHiveTable", holds_physical_write=True, lists_all_columns=True),
    Command("InsertIntoHiveDirCommand", holds_physical_write=True),
    Command("InsertIntoDataSourceDirCommand"),
    Command("SaveIntoDataSourceCommand", saves_by_options=True),
    Command("LoadDataCommand"),
    Command("WriteToDataSourceV2", "append", at_root=True, holds_physical_write=True, writes_micro_batch=True),
    Command("WriteToContinuousDataSource", "append", at_root=True, writes_micro_batch=True),
)
"""Commands that write the rows of a query."""

TABLES_AS_SELECT = (
    Command("CreateTableAsSelect", "create", at_root=True, fills_new_table=True),
    Command("AtomicCreateTableAsSelect", "create", at_root=True, fills_new_table=True),
    Command("ReplaceTableAsSelect", "overwrite", at_root=True, fills_new_table=True),
    Command("AtomicReplaceTableAsSelect", "overwrite", at_root=True, fills_new_table=True),
    Command("CreateDataSourceTableAsSelectCommand", fills_new_table=True, hides_location=True),
    Command("CreateHiveTableAsSelectCommand", "create", fills_new_table=True, hides_location=True),
    Command("OptimizedCreateHiveTableAsSelectCommand", "create", fills_new_table=True),
    Command("SaveAsV1TableCommand", fills_new_table=True, query_on_one_line=True),
    Command("CreateViewCommand", "create", binds_paths=True, fills_new_table=True, query_as_sql=True),
    Command("AlterViewAsCommand", "create", binds_paths=True, fills_new_table=True),
    Command("CreateV2View", "create", fills_new_table=True, query_as_sql=True),
    Command("CreateTempViewUsing", "create"),
    Command("CacheTableAsSelect", at_root=True),
)
"""Commands that create a table or a view from a query."""

ROW_LEVEL = (
    Command("ReplaceData", at_root=True, table_in_name=True, row_level=True, printed_again=True),
    Command("WriteDelta", at_root=True, table_in_name=True, row_level=True, printed_again=True),
    Command("DeleteFromTable", "delete", row_level=True),
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
    Command("CommandResult", at_root=True, printed_again=True, is_result=True),
    Command("SetCatalogAndNamespace", sets_namespace=True),
    Command("SetDatabaseCommand", sets_database=True),
)
"""Commands of the session, and results of commands."""

PROCEDURES = (
    Command("Call", "maintenance", printed_as=("CallExec", "CallStatement"), printed_again=True, is_call=True),
)
"""Procedures of a catalog: `CallExec` in physical plans, `CallStatement` in parsed plans."""

COMMANDS = (
    *WRITES,
    *TABLES_AS_SELECT,
    *ROW_LEVEL,
    *DEFINITIONS,
    *SESSION,
    *PROCEDURES,
)
