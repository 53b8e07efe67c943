"""A store in S3: the real client against moto's server. Each harvest sends some sixty objects: few of them here."""

from __future__ import annotations

import hashlib
import io
import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.administration import check_store, rebuild, restore
from eventlog_lineage.store.remote.storage import Storage
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.harvesting import small_night
from support.s3_server import s3_server
from support.stores.content import content, rows
from support.stores.nights import START

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # botocore's and moto's own
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.slow,
]

COUNT = "SELECT count(*) FROM executions"


@dataclass(frozen=True)
class Bucket:
    """A bucket with the store of two nights, and the same store in a folder."""

    client: Any
    local: Path

    def copied(self, name: str) -> str:
        """A copy of the store, for a test that changes it; its views lead to the original."""
        found = self.client.cat(self.client.find("made/store"))
        self.client.pipe({path.replace("made/store", f"made/{name}"): stored for path, stored in found.items()})
        return f"s3://made/{name}"

    def objects(self, store: str) -> dict[str, str]:
        """The objects of a store with their ETags."""
        found = self.client.find(store.removeprefix("s3://"), detail=True)
        return {path.removeprefix(store.removeprefix("s3://") + "/"): each["ETag"] for path, each in found.items()}

    def current(self, store: str) -> dict[str, Any]:
        """What `current` has."""
        return json.loads(self.client.cat(f"{store.removeprefix('s3://')}/current"))

    def files(self, store: str) -> dict[str, list[Any]]:
        """The files of the current version."""
        current = self.current(store)
        listed = next(each["list_key"] for each in current["versions"] if each["number"] == current["version"])
        return json.loads(self.client.cat(f"{store.removeprefix('s3://')}/{listed}"))["files"]


@pytest.fixture(scope="module")
def bucket(tmp_path_factory: pytest.TempPathFactory, small_stores: Callable[[Path, int], Path]) -> Iterator[Bucket]:
    local = small_stores(tmp_path_factory.mktemp("local") / "store", 2)
    with s3_server() as client, pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENTLOG_LINEAGE_CACHE", str(tmp_path_factory.mktemp("harvester")))
        client.mkdir("made")
        for day in (0, 1):
            small_night(day).harvest("s3://made/store")
        yield Bucket(client, local)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that has never seen the store."""
    monkeypatch.setenv("EVENTLOG_LINEAGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_store_in_a_bucket_has_the_rows_of_one_in_a_folder(
    bucket: Bucket, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert content("s3a://made/store/") == content(bucket.local)
    (found,) = (check_store("s3://made/store"),)
    assert run(["diff", str(bucket.local), "s3://made/store"]) == 0
    assert capsys.readouterr().out == "No differences.\n"
    assert (found.flaws, found.versions, found.current, found.moved_from) == ((), (1, 2), 2, "")


def test_current_names_a_list_of_objects_with_sizes_and_checksums(bucket: Bucket) -> None:
    found, prefix = bucket.objects("s3://made/store"), "made/store"
    files = bucket.files("s3://made/store")
    for path, (size, sha256, key) in files.items():
        stored = bucket.client.cat(f"{prefix}/{key}")
        assert (len(stored), hashlib.sha256(stored).hexdigest()) == (size, sha256), path
        assert key in found
    assert bucket.current("s3://made/store")["database"] == files["lineage.duckdb"][2]


def test_other_engines_read_the_listed_parquet_objects(bucket: Bucket) -> None:
    keys = [key for path, (_, _, key) in bucket.files("s3://made/store").items() if path.startswith("executions/")]
    tables = [pq.read_table(io.BytesIO(bucket.client.cat(f"made/store/{key}"))) for key in keys]
    assert sum(table.num_rows for table in tables) == rows(bucket.local, COUNT)[0][0] == 2


def test_the_views_of_the_database_lead_to_the_objects(bucket: Bucket, cache: Path) -> None:
    query = "SELECT sql FROM duckdb_views() WHERE view_name = 'executions' AND sql LIKE '%s3://%'"
    ((view,),) = rows("s3://made/store", query)
    keys = [key for path, (_, _, key) in bucket.files("s3://made/store").items() if path.startswith("runs/executions/")]
    assert len(keys) == 2
    assert all(f"'s3://made/store/{key}'" in view for key in keys)


def test_a_question_fetches_the_database_and_the_runs_into_a_private_cache_once(bucket: Bucket, cache: Path) -> None:
    assert rows("s3://made/store", COUNT) == [(2,)]
    (version,) = cache.glob("stores/*/reading/.versions/*")
    assert sorted(path.name for path in version.iterdir()) == [".manifest.json", "lineage.duckdb", "runs"]
    assert {oct(path.stat().st_mode & 0o777) for path in cache.glob("stores/*")} == {"0o700"}
    before = {path: path.stat().st_ino for path in version.rglob("*")}
    assert rows("s3://made/store", COUNT) == [(2,)]
    assert {path: path.stat().st_ino for path in version.rglob("*")} == before


def test_a_harvest_that_fails_while_it_sends_leaves_the_store_as_before_and_the_next_one_removes_what_it_sent(
    bucket: Bucket, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = bucket.copied("failing")
    before, current = bucket.objects(store), bucket.current(store)
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "send", _failing(Storage.send, 2))
        with pytest.raises(StoreError, match="the network is gone"):
            small_night(2).harvest(store)
    left = bucket.objects(store)
    assert bucket.current(store) | {"writer": ""} == current | {"writer": ""}
    assert {key: left[key] for key in before if key != "current"}.items() <= before.items()
    assert left.keys() > before.keys()
    small_night(2).harvest(store)
    assert rows(store, COUNT) == [(3,)]
    assert [each["number"] for each in bucket.current(store)["versions"]] == [2, 3]
    writers = {key.rpartition("-")[2].partition(".")[0] for key in bucket.objects(store) if "-" in key}
    assert len(writers) == 3, "what the failed harvest sent is removed"


def _failing(method: Any, calls: int) -> Any:
    left = [calls]

    def fail(*arguments: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise StoreError("the network is gone")
        method(*arguments)

    return fail


def test_a_harvest_whose_lock_was_taken_over_cannot_publish(
    bucket: Bucket, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = bucket.copied("contested")
    with ExitStack() as slow:
        writer = slow.enter_context(open_for_harvest(store))
        small_night(2).write(writer.staging_dir)
        expired = bucket.current(store) | {"lock": {"expires": "2026-01-01T00:00:00+00:00"}}
        bucket.client.pipe("made/contested/current", json.dumps(expired).encode())
        monkeypatch.setenv("EVENTLOG_LINEAGE_CACHE", str(tmp_path / "other machine"))
        small_night(3).harvest(store)
        after = bucket.objects(store)
        writer.publish(HarvestFacts(START))
        with pytest.raises(StoreError, match="another harvest has taken over this store"):
            slow.close()
    left = bucket.objects(store)
    assert {key: left[key] for key in after} == after
    assert rows(store, "SELECT DISTINCT app_id FROM executions ORDER BY 1") == [("app-0",), ("app-1",), ("app-3",)]


def test_a_second_harvest_is_refused_and_the_lock_names_its_holder(
    bucket: Bucket, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_for_harvest("s3://made/store"):
        with pytest.raises(StoreError) as refused, open_for_harvest("s3://made/store"):
            pass
        assert rows("s3://made/store", COUNT) == [(2,)]
    words = str(refused.value)
    assert words.startswith("another harvest is writing this store (s3://made/store: process ")
    assert " on " in words
    assert "until " in words
    assert "wait until" in words


def test_a_server_that_ignores_the_conditions_is_refused(bucket: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    def put(client: Any, path: str, stored: bytes, tag: str | None) -> None:
        client.pipe_file(path, stored)

    monkeypatch.setattr("eventlog_lineage.store.remote.storage._put_s3", put)
    ignored = "the storage ignores the conditions of writes"
    with pytest.raises(StoreError, match=ignored), open_for_harvest("s3://made/no"):
        pass


def test_the_doctor_names_the_version_and_who_writes(
    bucket: Bucket, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_for_harvest("s3://made/store"):
        assert run(["doctor", "--no-spark", "--store", "s3a://made/store", "--json"]) == 0
    lines = {line["check"]: line for line in json.loads(capsys.readouterr().out)}
    assert (lines["store"]["status"], lines["store"]["detail"]) == ("ok", "s3://made/store: version 2")
    assert lines["store's lock"]["detail"].startswith("a harvest is writing: process ")
    assert run(["doctor", "--no-spark", "--store", "s3://made/nothing", "--format", "csv"]) == 0
    assert "store,warning,no store in s3://made/nothing,the first harvest makes it" in capsys.readouterr().out


def test_check_finds_what_the_bucket_lost_and_restore_and_rebuild_repair_it(
    bucket: Bucket, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = bucket.copied("damaged")
    lost = bucket.files(store)["column_lineage/part-2.parquet"][2]
    bucket.client.rm_file(f"made/damaged/{lost}")
    assert run(["check", "--store", store]) == 1
    printed = capsys.readouterr()
    assert "version 2: column_lineage/part-2.parquet is missing" in printed.out
    assert f"run `eventlog-lineage restore --store {store}`" in printed.err
    assert str(cache) not in printed.out + printed.err
    with pytest.raises(StoreError, match=f"the store is damaged.*restore --store {shlex.quote(store)}"):
        small_night(2).harvest(store)
    assert run(["restore", "--store", store]) == 0
    assert check_store(store).flaws == ()
    assert content(store) == content("s3://made/store")
    bucket.client.pipe(f"made/damaged/{bucket.current(store)['database']}", b"damaged")
    assert rebuild(store) == 4
    assert content(store) == content("s3://made/store")
    bucket.client.rm_file("made/damaged/current")
    with pytest.raises(StoreError, match="the store is damaged: current is missing"):
        small_night(2).harvest(store)
    assert restore(store, 1).number == 1
    assert rows(store, COUNT) == [(1,)]


def test_a_bucket_without_a_store_and_a_missing_bucket_are_one_line(
    bucket: Bucket, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ls", "--store", "s3://made/nothing"]) == 1
    assert capsys.readouterr().err == (
        "Error: there is no store (s3://made/nothing); "
        "name the store with --store; `eventlog-lineage harvest` makes one\n"
    )
    with pytest.raises(StoreError, match=r"the storage cannot be written: .*bucket.*create the bucket"):
        small_night(0).harvest("s3://no-such-bucket/store")
