"""Paimon's commands in the catalogue (0.9 and 1.x)."""

from __future__ import annotations

from eventlog_lineage.extensions import Command, commands_of

COMMANDS = (
    *(
        Command(name, "merge", row_level=True, attributes_from_children=True, rows_from_jobs=True, printed_again=True)
        for name in ("MergeIntoPaimonTable", "MergeIntoPaimonDataEvolutionTable")
    ),
    Command("UpdatePaimonTableCommand", "update", row_level=True, subqueries_elsewhere=True, printed_again=True),
    Command("DeleteFromPaimonTableCommand", "delete", row_level=True, subqueries_elsewhere=True, printed_again=True),
    Command("TruncatePaimonTableWithFilter", "delete"),
    Command("PaimonTruncateTableCommand", "truncate"),
    Command("PaimonDynamicPartitionOverwriteCommand", "overwrite"),
    Command("CreatePaimonView", "create", query_as_sql=True),
    Command("DropPaimonView", "drop"),
    *commands_of("PaimonCall PaimonCallStatement", "maintenance"),
)
