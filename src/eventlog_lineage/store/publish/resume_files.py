"""Where the harvest leaves off in logs that are still written: a file for each, in each version of the store."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

    from .carrying.carried_files import CarriedFiles

FOLDER = ".checkpoints"
"""The files' folder, in a version and in the staging folder."""


def checkpoint_file(folder: Path, log_path: str) -> Path:
    """Return the file of a log.

    Args:
        folder: A version's, or the staging folder.
        log_path: The log.
    """
    return folder / FOLDER / hashlib.blake2b(log_path.encode(), digest_size=16).hexdigest()


def carry_checkpoints(
    connection: duckdb.DuckDBPyConnection, staging: Path, carried: CarriedFiles | None, version: Path
) -> None:
    """Fill a new version's folder: what this harvest left, and what others did whose logs it did not read.

    Args:
        connection: The store's database, with this harvest's logs in `harvested_logs` and in `read_logs`.
        staging: The staged rows.
        carried: The files of the version before; None for the first version.
        version: The new version.
    """
    (version / FOLDER).mkdir()
    rows = connection.execute(
        "SELECT log_path, log_path IN (SELECT log_path FROM read_logs) FROM harvested_logs WHERE state = 'in_progress'"
    ).fetchall()
    for log_path, read in rows:
        if read:
            source = checkpoint_file(staging, str(log_path))
            if source.is_file():
                shutil.move(source, checkpoint_file(version, str(log_path)))
        elif carried:
            source = checkpoint_file(carried.previous, str(log_path))
            name = str(source.relative_to(carried.previous))
            if source.is_file() and carried.has(name):
                carried.carry(name)
