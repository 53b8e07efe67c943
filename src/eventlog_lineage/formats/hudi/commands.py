"""Hudi's commands in the catalogue (0.14 to 1.x)."""

from __future__ import annotations

from eventlog_lineage.extensions import Command, Query, Rows, Target, commands_of

COMMANDS = (
    Command("InsertIntoHoodieTableCommand", rows=Rows.BELOW),
    Command("CreateHoodieTableAsSelectCommand", target=Target.IN_JOBS),
    Command("MergeIntoHoodieTableCommand", "merge", rows=Rows.OWN | Rows.JOBS, query=Query.ATTRIBUTES),
    Command("UpdateHoodieTableCommand", "update", rows=Rows.OWN),
    Command("DeleteHoodieTableCommand", "delete", rows=Rows.OWN),
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
