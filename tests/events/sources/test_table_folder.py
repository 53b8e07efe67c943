"""Metadata files of tables: bounded before they are unpacked."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from eventlog_lineage.errors import LogError
from eventlog_lineage.events.sources.discovery import storage_of
from eventlog_lineage.events.sources.files import TableFolder


def content(path: Path) -> bytes:
    files = storage_of(str(path.parent))
    folder = TableFolder(files, str(path.parent.parent))
    (entry,) = folder.entries(path.parent.name)
    return folder.content(entry)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "metadata").mkdir()
    return tmp_path / "metadata" / "v1.metadata.json"


def test_metadata_is_unpacked(path: Path) -> None:
    path.write_bytes(gzip.compress(b"{}"))
    assert content(path) == b"{}"


def test_metadata_over_the_limit_is_refused(path: Path) -> None:
    packed = gzip.compress(bytes(1 << 20))
    for size in (len(packed) * 65, 65 << 20):  # of 65 MiB: packed, and without space on the disk
        path.write_bytes(packed * 65)
        os.truncate(path, size)
        with pytest.raises(LogError, match="the metadata is larger than 67108864 bytes"):
            content(path)


def test_metadata_of_many_values_is_refused(path: Path) -> None:
    """Sixty kilobytes of gzip were 21 million objects of Python, in 7 GB."""
    path.write_bytes(gzip.compress(b'{"snapshots":[' + b"{}," * 2_000_000 + b"{}]}"))
    with pytest.raises(LogError, match="the metadata has more than 4000000 values"):
        content(path)


def test_damaged_metadata_is_refused(path: Path) -> None:
    path.write_bytes(gzip.compress(b"{}")[:-9])
    with pytest.raises(LogError, match="damaged gzip stream"):
        content(path)
