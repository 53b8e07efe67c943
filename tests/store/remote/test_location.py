"""Where a store can be, and who may read it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.administration import check_store, restore
from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.remote.storage import store_folder
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.harvesting import small_night
from support.stores.content import content, parquet_rows
from support.stores.nights import START

UNSUPPORTED = ("webhdfs://host/s", "ftp://host/s", "https://host/s", "memory://s", "file://host/s")


def modes(store: Path) -> set[tuple[str, str]]:
    """The modes of all folders and of all files but links."""
    paths = (store, *store.rglob("*"))
    return {
        ("folder" if path.is_dir() else "file", oct(stat.S_IMODE(path.stat().st_mode)))
        for path in paths
        if not path.is_symlink()
    }


@pytest.mark.parametrize("store", UNSUPPORTED)
def test_a_store_on_another_file_system_is_refused(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for use in (open_store, open_for_harvest):
        with pytest.raises(UsageError, match=r"a store (cannot be )?on "), use(store):
            pass
    for do in (check_store, restore):
        with pytest.raises(UsageError, match=r"a store (cannot be )?on "):
            do(store)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "problem"), [("back\\slash", "has a backslash"), ("n\udcff", "is not UTF-8")])
def test_a_path_that_duckdb_cannot_open_is_refused(
    name: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for use in (open_store, open_for_harvest):
        with pytest.raises(UsageError, match=f"the path of the store {problem}"), use(name):
            pass
    with pytest.raises(UsageError, match=f"the path of the store {problem}"):
        check_store(name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["a b", "what?", "st*r", "br[ack]et", "quo'te", 'dq"x', "per%41cent", "{a,b}", "a;$b#c"]
)
def test_a_store_may_have_any_other_name(name: str, tmp_path: Path) -> None:
    small_night(1).harvest(tmp_path / name)
    with open_store(tmp_path / name) as store:
        assert store.ask("SELECT count(*) FROM executions").rows[0][0]
    assert check_store(tmp_path / name).flaws == ()


@pytest.mark.parametrize(
    "words",
    [["harvest", "logs"], ["upstream", "a.b"], ["sql", "SELECT 1"], ["check"], ["restore"], ["gaps"], ["columns", "a"]],
)
def test_every_command_refuses_an_unsupported_store_as_wrong_usage(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*words, "--store", "ftp://host/store"]) == 2
    assert capsys.readouterr().err == (
        "Error: a store cannot be on ftp (ftp://host/store); "
        "name a folder, or a URL that begins with s3://, s3a://, gs://, abfss:// or hdfs://\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_file_uri_is_the_folder_that_it_names() -> None:
    assert store_folder("file:///data/my%20store") == Path("/data/my store")
    assert store_folder("file:/data") == store_folder("/data") == Path("/data")
    assert store_folder("a:b/c") == Path("a:b/c")


def test_a_new_store_is_private(tmp_path: Path) -> None:
    store = tmp_path / "made" / "store"
    for day in (0, 1):
        small_night(day).harvest(store)
    assert modes(store) == {("folder", "0o700"), ("file", "0o600")}


def test_a_configured_mode_holds_for_all_that_a_store_has_and_for_later_harvests(
    tmp_path: Path, small_stores: Callable[[Path, int], Path]
) -> None:
    store = small_stores(tmp_path / "store", 1)
    with open_for_harvest(store, mode=0o750) as writer:
        small_night(1).write(writer.staging_dir)
        writer.publish(HarvestFacts(START))
    small_night(2).harvest(store)
    assert modes(store) == {("folder", "0o750"), ("file", "0o640")}
    (store / ".current" / "gaps").rename(store / "lost")
    restore(store)
    assert {mode for kind, mode in modes(store / ".versions" / "4") if kind == "file"} == {"0o640"}


def test_a_folder_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    store.chmod(0o2755)
    small_night(0).harvest(store)
    assert stat.S_IMODE(store.stat().st_mode) == 0o2755
    assert stat.S_IMODE((store / ".versions").stat().st_mode) & 0o777 == 0o700


@pytest.mark.parametrize("mode", ["abc", "999", "077", "7777"])
def test_an_invalid_mode_is_wrong_usage(mode: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["harvest", str(tmp_path), "--store", str(tmp_path / "store"), "--store-mode", mode]) == 2
    assert f"invalid mode '{mode}'" in capsys.readouterr().err


def test_a_folder_with_the_characters_of_globs_and_queries_is_a_store_as_any_other(
    tmp_path: Path, small_stores: Callable[[Path, int], Path]
) -> None:
    plain, special = small_stores(tmp_path / "plain", 2), tmp_path / "glob*[a]?" / "{b}#%20'\"é"
    for day in (0, 1):
        small_night(day).harvest(special)
    assert content(special) == content(plain)
    assert check_store(special).flaws == ()
    (special / ".current" / "gaps" / "started_on=2026-11-18").rename(special / "lost")
    assert restore(special).number == 3
    assert check_store(special).flaws == ()
    assert content(special) == content(plain)
    version = os.path.realpath(special / ".current")
    with duckdb.connect(f"{version}/lineage.duckdb", read_only=True) as connection:
        found = connection.execute("SELECT count(*) FROM executions").fetchone()
    assert found == (len(parquet_rows(plain, "executions")),)
