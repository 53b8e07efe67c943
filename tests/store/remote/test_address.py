"""Which stores are remote, and the canonical names of their URLs."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.remote.storage import Storage, remote_url


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("s3://bucket/team/store/", "s3://bucket/team/store"),
        ("s3a://bucket/store", "s3://bucket/store"),
        ("S3N://bucket", "s3://bucket"),
        ("gs://bucket/store", "gs://bucket/store"),
        ("abfs://c@account.dfs.core.windows.net/store", "abfss://c@account.dfs.core.windows.net/store"),
        ("hdfs://name-node:8020/store", "hdfs://name-node:8020/store"),
        ("hdfs:///store", "hdfs:///store"),
        ("hdfs:/store", "hdfs:///store"),
        (Path("s3://bucket/store"), "s3://bucket/store"),
        ("/data/store", None),
        ("file:///data/store", None),
        ("a:b/c", None),
        ("s3/store", None),
    ],
)
def test_a_store_has_one_canonical_url(written: str | Path, url: str | None) -> None:
    assert remote_url(written) == url
    assert url is None or remote_url(url) == url


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("s3://", "names no bucket"),
        ("s3://key:secret@bucket/store", "has a user or a password"),
        ("hdfs://user@host/store", "has a user or a password"),
        ("ftp://host/store", "cannot be on ftp"),
    ],
)
def test_a_url_that_cannot_be_a_store_is_wrong_usage_and_shows_no_password(written: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as error:
        remote_url(written)
    assert "secret" not in str(error.value)


def test_a_missing_client_names_the_extra_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(protocol: str) -> None:
        raise ImportError(f"install the client of {protocol}")

    monkeypatch.setattr("fsspec.get_filesystem_class", missing)
    with pytest.raises(UsageError) as error:
        Storage("s3://bucket/store")
    assert str(error.value) == (
        "a store on s3 needs the package s3fs (s3://bucket/store); pip install 'eventlog-lineage[s3]'"
    )
