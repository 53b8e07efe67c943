"""What Iceberg's metadata files record about snapshots."""

from __future__ import annotations

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.formats.iceberg.facts import iceberg_commits, newest_metadata


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


def test_the_snapshot_log_has_what_is_current_on_the_main_branch() -> None:
    metadata = (
        b'{"snapshots":[{"snapshot-id":1,"timestamp-ms":1000,"summary":{"total-data-files":"2","total-files-size":"90"}},'
        b'{"snapshot-id":2,"timestamp-ms":2000},{"snapshot-id":3,"timestamp-ms":3000}],'
        b'"snapshot-log":[{"snapshot-id":1,"timestamp-ms":1000},{"snapshot-id":2,"timestamp-ms":2000},'
        b'{"snapshot-id":1,"timestamp-ms":4000}]}'
    )
    found = list(iceberg_commits(metadata))
    assert [(each.snapshot_id, each.committed_at) for each in found if each.is_commit] == [
        ("1", 1000),
        ("2", 2000),
        ("3", 3000),
    ]
    assert [(each.snapshot_id, each.committed_at) for each in found if each.is_current] == [
        ("1", 1000),
        ("2", 2000),
        ("1", 4000),
    ]
    assert (found[0].files, found[0].size) == (2, 90)
