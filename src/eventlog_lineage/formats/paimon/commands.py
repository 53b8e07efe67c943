"""Paimon's commands in the catalogue (0.9 and 1.x)."""

from __future__ import annotations

from eventlog_lineage.extensions import Command, Query, Rows, commands_of

COMMANDS = (
    *(
        Command(name, "merge", rows=Rows.OWN | Rows.CHILDREN | Rows.JOBS)
        for name in ("MergeIntoPaimonTable", "MergeIntoPaimonDataEvolutionTable")
    ),
    Command("UpdatePaimonTableCommand", "update", rows=Rows.OWN | Rows.CHILDREN),
    Command("DeleteFromPaimonTableCommand", "delete", rows=Rows.OWN | Rows.CHILDREN),
    Command("TruncatePaimonTableWithFilter", "delete"),
    Command("PaimonTruncateTableCommand", "truncate"),
    Command("PaimonDynamicPartitionOverwriteCommand", "overwrite"),
    Command("CreatePaimonView", "create", query=Query.SQL),
    Command("DropPaimonView", "drop"),
    *commands_of("PaimonCall PaimonCallStatement", "maintenance"),
)
