"""What tables write down about their own snapshots."""

from __future__ import annotations

from eventlog_lineage.datasets.commits import (
    Commit,
    delta_commits,
    hudi_commits,
    iceberg_commits,
    newest_metadata,
    paimon_commits,
)


def test_deltas_commits_have_their_time_and_a_streams_batch() -> None:
    files = [
        ("00000000000000000000.json", b'{"commitInfo":{"timestamp":1000,"operation":"CREATE TABLE"}}\n{"metaData":{}}'),
        ("00000000000000000011.json", b'{"commitInfo":{"inCommitTimestamp":2000}}\n{"txn":{"appId":"q","version":7}}'),
        ("00000000000000000012.json", b"{broken"),
        ("00000000000000000010.checkpoint.parquet", b"PAR1"),
    ]  # fmt: skip
    assert list(delta_commits(files)) == [Commit("0", 1000), Commit("11", 2000, query_id="q", batch_id=7)]


def test_icebergs_newest_metadata_is_the_one_of_the_highest_number() -> None:
    assert newest_metadata(["v2.metadata.json", "v10.metadata.json", "version-hint.text"]) == "v10.metadata.json"
    name = "00012-7c26f079-dd69-4fab-972d-a0d605a88523.metadata.json"
    assert newest_metadata(["00002-4151ab17-9202-4384-b6b6-6b0ddb60840a.metadata.json", name]) == name
    assert newest_metadata(["snap-1.avro"]) is None


def test_icebergs_snapshots_name_the_application_and_a_streams_epoch() -> None:
    metadata = (
        b'{"snapshots":[{"snapshot-id":6075799419445605732,"timestamp-ms":1000,"summary":{"spark.app.id":"app-1"}},'
        b'{"snapshot-id":2,"timestamp-ms":2000,"summary":{"spark.sql.streaming.queryId":"q-1",'
        b'"spark.sql.streaming.epochId":"3"}}]}'
    )
    assert list(iceberg_commits(metadata)) == [
        Commit("6075799419445605732", 1000, "app-1"),
        Commit("2", 2000, query_id="q-1", batch_id=3),
    ]


def test_hudis_instants_are_those_that_completed() -> None:
    files = [
        ("20261121120626213_20261121120631000.commit", 1000),
        ("20261121120700000.deltacommit.inflight", 2000),
        ("20261121120800000.deltacommit", 3000),
        ("20261121120900000_20261121121000000.clean", 4000),
    ]
    assert list(hudi_commits(files)) == [Commit("20261121120626213", 1000), Commit("20261121120800000", 3000)]


def test_paimons_snapshots_have_their_time() -> None:
    files = [("snapshot-10", b'{"id":10,"timeMillis":1000}'), ("LATEST", b"10"), ("snapshot-11", b"")]
    assert list(paimon_commits(files)) == [Commit("10", 1000)]
