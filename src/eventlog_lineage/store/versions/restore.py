"""Go back to a whole version of a store; the errors of a damaged store, with the way back.

"No store" and "damaged store" are different states: a harvest makes the first and refuses the second.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.schema.database import DATABASE_NAME, DamagedError, failures_as, may_show_damage
from eventlog_lineage.store.versions.check import damaged_files, has_intact_database, open_verified
from eventlog_lineage.store.versions.folder import (
    CURRENT,
    DRAFT,
    NAMES,
    VERSIONS,
    current_version,
    is_copy,
    is_store,
    link_or_copy,
    no_store,
    point_current,
    remove,
    set_aside,
    take_back,
    version_number,
    version_numbers,
    write_lock,
)
from eventlog_lineage.store.versions.manifest import MANIFEST
from eventlog_lineage.store.versions.parquet import FOLDER, PART
from eventlog_lineage.store.versions.repair import Examined, Remedy, choose, examine, newest_whole, remake_version

_ADVICE = {
    Remedy.KEEP: ("version {} is whole", "go back to it"),
    Remedy.TAKE_COPIES: ("the damaged files of version {} have intact copies", "make a version of these"),
    Remedy.WRITE_PARQUET: ("the database of version {} is intact", "write its Parquet files again"),
    Remedy.MAKE_DATABASE: ("the Parquet files of version {} are intact", "make its database again"),
}

_AS_BEFORE = "it is as it was before"


def version_to_continue(store: Path) -> tuple[Path, duckdb.DuckDBPyConnection] | None:
    """Return the version that a harvest continues, and a connection that reads it; None for a folder without a store.

    Raises:
        StoreError: The store is damaged, or the folder holds a copy of a store or something else.
    """
    current = current_version(store)
    if current is None and is_store(store):
        raise damaged(store, describe_link(store))
    check_names(store)
    if current is None:
        return None
    try:
        return current, open_verified(current, store)
    except DamagedError as error:
        raise damaged(store, f"version {current.name}: {error.what}") from None


def check_names(store: Path) -> None:
    """Check that nothing is in the place of a store's links.

    Raises:
        StoreError: A file or folder is: the store is damaged, or the folder holds a copy of a store or something else.
    """
    found = is_store(store)
    for name in NAMES:
        path = store / name
        if not os.path.lexists(path) or (path.is_symlink() and found):
            continue
        if found:
            raise damaged(store, f"{name} is not a link to {CURRENT}/{name}")
        if is_copy(store):
            hint = f"to make it one, run `eventlog-lineage restore --store {shlex.quote(str(store))}`"
            raise StoreError("the folder holds a copy of a version and is not a store", str(store), hint)
        raise StoreError(f"{name} is in the way: the folder is not a store", str(store), "choose another folder")


def damaged(store: Path, what: str) -> StoreError:
    """Return the error for a damaged store: what is wrong, and which version to go back to."""
    return StoreError(f"the store is damaged: {what}", str(store), advice(store))


def advice(store: Path) -> str:
    """Return how to repair a damaged store, as a clause."""
    chosen = choose(store)
    if chosen is None or chosen.remedy is None:
        return "no version is whole; put back a copy of the folder, or harvest the logs into a new folder"
    what, goal = (words.format(chosen.number) for words in _ADVICE[chosen.remedy])
    advised = f"{what}: run `eventlog-lineage restore --store {shlex.quote(str(store))}` to {goal}"
    whole = newest_whole(store)
    if whole is None or whole == chosen.number:
        return advised
    return f"{advised}, or add `--version {whole}` to go back to version {whole}, which is whole"


def describe_link(store: Path) -> str:
    """Return what is wrong with the link to the current version, as a phrase."""
    link = store / CURRENT
    if not os.path.lexists(link):
        return f"{CURRENT} is missing"
    if not link.is_symlink():
        return f"{CURRENT} is not a link but a copy"
    return f"{CURRENT} points to {link.readlink()}, which has no {DATABASE_NAME}"


def update_error(store: Path, version: Path | None, error: Exception) -> StoreError:
    """Return the error of an update that failed: a damaged store, a damaged new version, or what the system reports."""
    words = str(error).splitlines()[0]
    current = current_version(store)
    if current and may_show_damage(error) and (flaw := next(damaged_files(current), None)):
        return damaged(store, f"version {current.name}: {flaw}")
    if isinstance(error, DamagedError):
        return StoreError(f"the new version is damaged: {error.what}", str(store), _AS_BEFORE)
    if version and current and version_number(current) == version_number(version):  # the last flush
        return StoreError(f"the store may not be on the disk: {words}", str(store), "check the disk and harvest again")
    return StoreError(f"the store cannot be updated: {words}", str(store), _AS_BEFORE)


def holds_copy(store: Path) -> bool:
    """Return whether a folder without a store has the files of a version, as a copy of a store's visible files has."""
    return not is_store(store) and is_copy(store)


def adopt_copy(store: Path) -> None:
    """Make a version of a copy: of `.current` as a folder, or of a version's files in the store's own folder.

    Until all of it has been linked, nothing is removed.

    Args:
        store: The store's folder; the lock is held.
    """
    copy = store / CURRENT
    if copy.is_symlink() or not copy.is_dir():
        copy = store
    number, known = _number_of(copy), version_numbers(store)
    if not number or number in known or (known and copy == store):
        return
    draft = store / VERSIONS / f"{number}{DRAFT}"
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    own = [path for name in (*NAMES, MANIFEST, FOLDER) if (path := copy / name).exists() and not path.is_symlink()]
    for path in own:
        if path.is_dir():
            shutil.copytree(path, draft / path.name, symlinks=True, copy_function=link_or_copy)
        else:
            link_or_copy(path, draft / path.name)
    draft.rename(draft.with_suffix(""))
    for path in own:
        remove(path)
    if copy != store:
        shutil.rmtree(copy)


def _number_of(copy: Path) -> int:
    """Return the number of the version that a folder is a copy of, from its files' names; 0 if it is none."""
    if not is_copy(copy):
        return 0
    parts = (PART.fullmatch(file.name) for file in (copy / "harvests").iterdir())
    return max((int(part["version"]) for part in parts if part), default=0)


_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Restored:
    """What `restore` did.

    Attributes:
        source: The version whose rows it has; another one than `number` if a new one was made of it.
        aside: The folder with what was in the place of links; None without such files.
    """

    number: int
    source: int
    remedy: Remedy
    aside: Path | None


def restore_folder(store: Path, number: int | None) -> Restored:
    """Make a version of a folder whole and current, as `administration.restore` describes."""
    if not any(os.path.lexists(store / name) for name in (CURRENT, VERSIONS, *NAMES)):
        raise no_store(store)
    with write_lock(store), failures_as(StoreError, "the store cannot be restored", store, "check the disk"):
        return _restore(store, number)


def restore_copy(store: Path) -> None:
    """Make a store of a folder that holds a copy of a version, and nothing of any other folder.

    Args:
        store: The folder; the lock is held.

    Raises:
        StoreError: The copy's database or its runs are damaged; it stays as it is.
    """
    if not holds_copy(store):
        return
    if not has_intact_database(store):
        hint = f"to make a store of what is intact, run `eventlog-lineage restore --store {shlex.quote(str(store))}`"
        raise StoreError("the folder holds a damaged copy of a version and is not a store", str(store), hint)
    with failures_as(StoreError, "the copy cannot be made a store", store, "check the disk"):
        restored = _restore(store, None)
    _LOG.info("a copy of a store is a store now", extra={"facts": {"store": str(store), "version": restored.number}})


def _chosen(store: Path, number: int | None) -> tuple[Examined, Remedy]:
    """Return the version to restore, which is whole or has a remedy."""
    if number is not None:
        take_back(store, number)
    chosen = choose(store) if number is None else examine(store, number)
    if chosen is None:
        raise StoreError("no version of the store is whole", str(store), advice(store))
    if chosen.remedy is None:
        whole = [str(each) for each in version_numbers(store) if examine(store, each).remedy]
        raise StoreError(f"version {number} is not whole", str(store), f"whole versions: {', '.join(whole) or 'none'}")
    return chosen, chosen.remedy


def _restore(store: Path, number: int | None) -> Restored:
    adopt_copy(store)
    chosen, remedy = _chosen(store, number)
    aside = move_aside(store)
    if remedy is Remedy.KEEP:
        version = store / VERSIONS / str(chosen.number)
        point_current(store, version)
    else:
        version = remake_version(store, chosen, remedy)
    set_damaged_aside(store)
    return Restored(version_number(version), chosen.number, remedy, aside)


_ASIDE = ".replaced"


def move_aside(store: Path) -> Path | None:
    """Move files and folders that replaced the store's links to a folder of their own, and return it; None for none."""
    replaced = [path for name in (CURRENT, *NAMES) if os.path.lexists(path := store / name) and not path.is_symlink()]
    if not replaced:
        return None
    folder = next(path for number in count(1) if not os.path.lexists(path := store / f"{_ASIDE}-{number}"))
    folder.mkdir()
    for path in replaced:
        path.rename(folder / path.name)
    return folder


def set_damaged_aside(store: Path) -> None:
    """Take the versions that are not whole out of the store's versions."""
    for number in version_numbers(store):
        if examine(store, number).remedy is not Remedy.KEEP:
            set_aside(store, number)
