"""Hudi's commands in the catalogue (0.14 to 1.x)."""

from __future__ import annotations

from eventlog_lineage.extensions import Command, commands_of

COMMANDS = (
    Command("InsertIntoHoodieTableCommand", holds_physical_write=True),
    Command("CreateHoodieTableAsSelectCommand", hides_partition_columns=True, located_by_jobs=True),
    Command(
        "MergeIntoHoodieTableCommand",
        "merge",
        row_level=True,
        attributes_only=True,
        rows_from_jobs=True,
        printed_again=True,
    ),
    Command("UpdateHoodieTableCommand", "update", row_level=True, printed_again=True),
    Command("DeleteHoodieTableCommand", "delete", row_level=True, printed_again=True),
    Command("CallProcedureHoodieCommand", "maintenance"),
    Command("CreateHoodieTableCommand", "create", "created"),
    Command("CreateHoodieTableLikeCommand", "create", "copied"),
    Command("DropHoodieTableCommand", "drop", "dropped"),
    Command("AlterHoodieTableRenameCommand", "alter", "renamed"),
    Command("AlterHoodieTableAddColumnsCommand", "alter", "added"),
    Command("AlterTableCommand", "alter", "changed"),
    Command("TruncateHoodieTableCommand", "truncate"),
    *commands_of(
        """
        AlterHoodieTableAddPartitionCommand AlterHoodieTableChangeColumnCommand AlterHoodieTableDropPartitionCommand
        CreateIndexCommand DropIndexCommand RepairHoodieTableCommand
        """,
        "alter",
    ),
    *commands_of("CompactionHoodiePathCommand CompactionHoodieTableCommand RefreshIndexCommand", "maintenance"),
)
