"""`harvested_logs` as Parquet: a file for each few harvests, so that a night does not write the logs of all nights."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.store.schema.ddl import text_literal
from eventlog_lineage.store.schema.tables import HARVESTED_LOGS

if TYPE_CHECKING:
    import duckdb

    from .carrying.carried_files import CarriedFiles

_HARVESTS = 16
"""Harvests whose logs are in one file."""

_FILE = re.compile(r"part-[0-9]+-([0-9]+)\.parquet", re.ASCII)


def export_logs(connection: duckdb.DuckDBPyConnection, folder: Path, number: int, carried: CarriedFiles | None) -> None:
    """Write the logs of the harvests whose logs changed, carry the files of the others.

    Args:
        connection: The store's database, with the logs that this harvest replaced in `replaced_logs`.
        folder: The table's folder in the new version; it is there.
        number: The new version's number.
        carried: The files of the version before; None if all logs are written.
    """
    kept = _unchanged(connection, carried) if carried else {}
    for group in _groups(connection, "harvested_logs") - kept.keys():
        file = text_literal(str(folder / f"part-{number}-{group}.parquet"))
        connection.execute(
            f"COPY (FROM harvested_logs WHERE harvest_id // {_HARVESTS} = {group})"
            f" TO {file} (FORMAT parquet, COMPRESSION zstd)"
        )
    if carried:
        for name in kept.values():
            carried.carry(name)


def _unchanged(connection: duckdb.DuckDBPyConnection, carried: CarriedFiles) -> dict[int, str]:
    """Return the groups of harvests whose logs are as in the version before, and their files.

    Args:
        connection: The draft's database, with the logs that this harvest replaced.
        carried: The files of the version before.
    """
    old = carried.previous / HARVESTED_LOGS.name
    listed = (file.name for file in old.iterdir()) if old.is_dir() else ()
    names = [name for name in listed if carried.has(f"{HARVESTED_LOGS.name}/{name}")]
    found = {name: match for name in names if (match := _FILE.fullmatch(name))}
    if len(found) < len(names):  # an older program wrote one file
        return {}
    changed = _groups(connection, "replaced_logs")
    groups = {int(match[1]): f"{HARVESTED_LOGS.name}/{name}" for name, match in found.items()}
    return {group: name for group, name in groups.items() if group not in changed}


def _groups(connection: duckdb.DuckDBPyConnection, relation: str) -> set[int]:
    """Return the groups of the harvests of some logs, and that of the last harvest.

    Args:
        connection: The draft's database.
        relation: The table with the logs.
    """
    rows = connection.execute(
        f"SELECT DISTINCT harvest_id // {_HARVESTS} FROM (SELECT harvest_id FROM {relation} "
        "UNION ALL SELECT coalesce(max(harvest_id), 0) FROM harvests)"
    ).fetchall()
    return {int(group) for (group,) in rows}
