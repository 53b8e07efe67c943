"""Logs in S3: the real client against moto's server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import Layout
from support.s3_server import s3_server

SAMPLES = Path(__file__).parents[2] / "sample_logs"
ROLLING = SAMPLES / "eventlog_v2_nightly-sales-4-3"
COMPRESSED = SAMPLES / "nightly-sales-3-5.zstd"

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # botocore's and moto's own
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with s3_server() as storage:
        storage.mkdir("spark-logs")
        storage.put(str(COMPRESSED), "spark-logs/apps/nightly ünïcode.zstd")
        for part in ROLLING.glob("[a-z]*"):
            storage.put(str(part), f"spark-logs/apps/{ROLLING.name}/{part.name}")
        storage.pipe("spark-logs/apps/readme.txt", b"no log")
        storage.pipe("spark-logs/apps/.hidden", b"no log")
        yield "spark-logs"


@pytest.mark.parametrize("scheme", ["s3", "s3a", "s3n"])
def test_a_folder_of_a_bucket_is_searched(bucket: str, scheme: str) -> None:
    logs = list(find_logs([f"{scheme}://{bucket}/apps"]))
    assert [(log.path, log.layout, len(log.parts)) for log in logs] == [
        (f"s3://{bucket}/apps/nightly ünïcode.zstd", Layout.SINGLE, 1),
        (f"s3://{bucket}/apps/{ROLLING.name}", Layout.ROLLING, 4),
    ]
    assert all(log.modified_at for log in logs)


def test_logs_are_read_as_from_a_disk(bucket: str) -> None:
    remote = [read_log(log) for log in find_logs([f"s3a://{bucket}/apps"])]
    local = [read_log(log) for log in find_logs([str(COMPRESSED), str(ROLLING)])]
    assert [(read.state, read.executions) for read in remote] == [(read.state, read.executions) for read in local]


def test_a_glob_and_a_single_object_are_sources(bucket: str) -> None:
    named = f"s3://{bucket}/apps/nightly ünïcode.zstd"
    assert [log.path for log in find_logs([named, f"s3a://{bucket}/apps/nightly*"])] == [named]


def test_an_object_that_is_gone_is_unreadable(bucket: str) -> None:
    import s3fs  # noqa: PLC0415 - each worker collects all tests

    storage = s3fs.S3FileSystem()
    storage.put(str(COMPRESSED), f"{bucket}/other/app-1-1.zstd")
    (log,) = find_logs([f"s3://{bucket}/other"])
    storage.rm(f"{bucket}/other/app-1-1.zstd")
    read = read_log(log)
    assert read.state == "unreadable"
    assert "cannot be opened" in read.error
