"""Medallion logs of a warehouse that is in the folder of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import zstandard

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from support.lakehouse.medallions import MEDALLION_LOGS

if TYPE_CHECKING:
    from pathlib import Path

    from eventlog_lineage.events.records import AssembledLog


def moved_log(name: str, folder: Path, old: bytes = b"", new: bytes = b"") -> AssembledLog:
    """Read a medallion log as if its warehouse were in a folder.

    Args:
        name: The log's name, without its ending.
        folder: The folder, which gets the log.
        old: Text to replace in the log; empty for none.
        new: The text in its place.
    """
    stored = (MEDALLION_LOGS / f"{name}.zstd").read_bytes()
    text = zstandard.ZstdDecompressor().stream_reader(stored).read().replace(b"/tmp/lakehouse_shop", bytes(folder))
    (folder / "log").write_bytes(text.replace(old, new) if old else text)
    (found,) = find_logs([str(folder / "log")])
    return read_log(found)
