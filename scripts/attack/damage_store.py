"""Damage a store in many ways; nothing may be lost, nothing may go unnoticed, nothing may print a traceback.

For each way of `store_damage.py`, on copies of a store of two nights:

* A harvest refuses the store and changes none of its files, or it works and the store has all nights.
* `check` exits with 1 and says what is wrong in one line.
* `sql` answers, or says in one line what is wrong.
* `restore` repairs it wherever a version is left to go back to: `check` is content, and once the nights are harvested
  again that the version does not have, the store is what it would be without the damage.

    python scripts/attack/damage_store.py [--only 'WORDS OF ITS NAME']

Ways that take rights away are tried as the user `nobody` where this runs as root. Prints a line for each way, and exits
with 1 if one fails.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from store_damage import Way, ways

from attack import exit_code, options
from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import StoreError
from support.harvesting import small_night
from support.stores.content import check_parquet, content

NIGHTS = 3
_NOBODY = 65534

Content = dict[str, list[str]]


def make_stores(folder: Path) -> dict[int, Path]:
    """Make a store of each number of nights: each is the one before, and a night more."""
    made: dict[int, Path] = {}
    for nights in range(1, NIGHTS + 1):
        store = folder / f"nights-{nights}"
        if nights > 1:
            _copy(made[nights - 1], store)
        small_night(nights - 1).harvest(store)
        made[nights] = store
    return made


def failures(
    way: Way, whole: Path, expected: dict[int, Content], scratch: Path, *, go_on: bool = True
) -> Iterator[str]:
    """Damage copies of a store; give what went wrong, a line each.

    Args:
        way: How.
        whole: A store of two nights; it stays as it is.
        expected: What a store has after so many nights.
        scratch: An empty folder.
        go_on: Harvest the nights again that the restored store does not have.
    """
    harvested, restored = _copy(whole, scratch / "harvested"), _copy(whole, scratch / "restored")
    for store in (harvested, restored):
        way.damage(store)
    yield from _harvest(harvested, expected)
    yield from _expect("check", restored, 1)
    yield from _expect("sql", restored, None, "SELECT count(*) FROM executions")
    yield from _expect("restore", restored, 0 if way.nights else 1)
    if way.nights:
        yield from _expect("check", restored, 0)
        if content(restored) != expected[way.nights]:
            yield f"after restore the store is not that of {way.nights} nights"
    if way.nights and go_on:
        for day in range(way.nights, NIGHTS):
            small_night(day).harvest(restored)
        yield from _compare("the harvest after restore", restored, expected[NIGHTS])
        yield from _expect("check", restored, 0)


def _harvest(store: Path, expected: dict[int, Content]) -> Iterator[str]:
    before = _files(store)
    try:
        small_night(NIGHTS - 1).harvest(store)
    except StoreError as error:
        if _files(store) != before:
            yield f"a harvest that refuses changes files: {error}"
        if "\n" in str(error):
            yield f"a harvest refuses in more than a line: {error}"
        return
    except Exception as error:
        yield f"a harvest fails with {type(error).__name__}: {error}"
        return
    if run_quietly("check", store)[0]:  # of Parquet files, which a harvest does not read, the database has all rows
        yield from _expect("restore", store, 0)
    yield from _compare("a harvest", store, expected[NIGHTS])


def _compare(what: str, store: Path, expected: Content) -> Iterator[str]:
    if content(store) != expected:
        yield f"{what} loses rows"
    try:
        check_parquet(store)
    except AssertionError as error:
        yield f"{what} leaves other rows in Parquet: {error}"


def _expect(command: str, store: Path, code: int | None, *words: str) -> Iterator[str]:
    """Run a command; give what is wrong with its exit code and with what it prints."""
    found, said = run_quietly(command, store, *words)
    if found not in ((0, 1) if code is None else (code,)):
        yield f"{command} exits with {found} instead of {code}: {said}"
    if "--debug" in said or "Traceback" in said or said.count("\n") != (found != 0):
        yield f"{command} prints something else than a line about the damage: {said}"


def run_quietly(command: str, store: Path, *words: str) -> tuple[int, str]:
    """Run a command; give its exit code and what it prints on stderr."""
    err = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(err):
        code = run([command, *words, "--store", str(store)])
    return code, err.getvalue()


def _copy(store: Path, target: Path) -> Path:
    subprocess.run(["cp", "-a", str(store), str(target)], check=True)
    return target


def _files(store: Path) -> dict[str, tuple[int, int, int]]:
    """All files but the lock, by path: inode, size and time of change."""
    found = {}
    for folder, folders, names in os.walk(store):
        for name in names:
            facts = Path(folder, name).lstat()
            found[str(Path(folder, name))] = (facts.st_ino, facts.st_size, facts.st_mtime_ns)
        found |= {str(Path(folder, name)): (0, 0, 0) for name in folders}
    found.pop(str(store / ".lock"), None)
    return found


@contextlib.contextmanager
def without_rights(way: Way, whole: Path, folder: Path) -> Iterator[Path]:
    """Be a user whose files can be made unreadable, where a way asks for one; yield a store that this user can copy."""
    if not way.by_user or os.geteuid() != 0:
        yield whole
        return
    own, scratch = _copy(whole, folder / "whole"), folder / "scratch"
    scratch.mkdir()
    subprocess.run(["chown", "-R", str(_NOBODY), str(folder)], check=True)
    folder.parent.chmod(0o755)
    before, tempfile.tempdir = tempfile.tempdir, str(scratch)  # this one's may be private
    os.seteuid(_NOBODY)
    try:
        yield own
    finally:
        os.seteuid(0)
        tempfile.tempdir = before


def attack(chosen: tuple[Way, ...]) -> Iterator[str]:
    """Try some ways and print a line for each; give those that failed."""
    with tempfile.TemporaryDirectory(prefix="damage-store-") as folder:
        scratch = Path(folder)
        stores = make_stores(scratch)
        expected = {nights: content(store) for nights, store in stores.items()}
        for number, way in enumerate(chosen):
            own = scratch / str(number)
            own.mkdir()
            with without_rights(way, stores[2], own) as whole:
                found = list(failures(way, whole, expected, own))
            if found:
                yield "\n    ".join((way.name, *found))
            else:
                print(f"ok: {way.name}", flush=True)
            subprocess.run(["chmod", "-R", "u+rwX", str(own)], check=True)
    print(f"{len(chosen)} ways")


def main() -> int:
    """Try the ways whose names have the given words."""
    words = options(__doc__, only="").only.split()
    return exit_code(attack(tuple(way for way in ways() if all(word in way.name for word in words))))


if __name__ == "__main__":
    sys.exit(main())
