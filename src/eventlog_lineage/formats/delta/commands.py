"""Delta's commands in the catalogue (2.1 to 4.x)."""

from __future__ import annotations

from eventlog_lineage.extensions import Command

COMMANDS = (
    *(
        Command(
            name, "merge", row_level=True, attributes_from_children=True, printed_again=True, names_all_columns=True
        )
        for name in ("MergeIntoCommand", "MergeIntoCommandEdge")
    ),
    *(
        Command(name, "update", row_level=True, subqueries_elsewhere=True, target_is_child=True, printed_again=True)
        for name in ("UpdateCommand", "UpdateCommandEdge")
    ),
    *(
        Command(name, "delete", row_level=True, target_is_child=True, printed_again=True)
        for name in ("DeleteCommand", "DeleteCommandEdge")
    ),
    Command("DeltaDynamicPartitionOverwriteCommand", "overwrite", changes_printed_table=True),
    Command("CreateDeltaTableCommand", "create", changes_printed_table=True, copies_table=True),
    Command("CloneTableCommand", "create", changes_printed_table=True),
    Command("ConvertToDeltaCommand", "alter"),
    Command("OptimizeTableCommand", "maintenance", changes_printed_table=True),
    Command("RestoreTableCommand", "maintenance", changes_printed_table=True),
    Command("DeltaReorgTableCommand", "maintenance", changes_printed_table=True),
    Command("TruncateDeltaTableCommand", "truncate"),
    Command("VacuumTableCommand", "maintenance", may_change_printed_table=True),
    Command("DeltaGenerateCommand", "maintenance"),
)
"""Commands with `Edge` are Databricks'. VACUUM commits its start and its end (4.x)."""
