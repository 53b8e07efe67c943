"""Going back to a whole version of a store."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.location import store_folder
from eventlog_lineage.store.publish.lock import write_lock
from eventlog_lineage.store.publish.resume_files import FOLDER
from eventlog_lineage.store.publish.versions import (
    CURRENT,
    NAMES,
    VERSIONS,
    is_copy,
    point_current,
    set_aside,
    take_back,
    version_number,
    version_numbers,
)
from eventlog_lineage.store.schema.run_files import RUNS

from .damage import advice, is_whole, newest_with_intact_database
from .manifest import MANIFEST
from .rewriting import rewrite_version
from .verification import has_intact_database

_ASIDE = ".replaced"
_PART = re.compile(r"part-([0-9]{1,16})(?:-[0-9]+)?\.parquet", re.ASCII)


@dataclass(frozen=True, slots=True)
class Restored:
    """What `restore` did.

    Attributes:
        number: The version that is current now.
        source: The version whose database it has; another one than `number` if its Parquet files were written again.
        aside: The folder with the files that replaced the store's links; None if there were none.
    """

    number: int
    source: int
    aside: Path | None


def restore(store_dir: str | Path, number: int | None = None) -> Restored:
    """Make a whole version current, and repair the links that lead to it. Deletes nothing.

    Of a version whose database is intact and whose other files are not, the Parquet files are written again, as a new
    version. Other damaged versions, and files that replaced links, are set aside. A copy of a version,
    made with its links followed, becomes a version of the store if the store does not have that version.

    Args:
        store_dir: The store's folder.
        number: The version; None for the newest one whose database is intact.

    Raises:
        StoreError: No version is whole, the named one is not, or a harvest is writing the store.
    """
    store = store_folder(store_dir).absolute()
    if not any(os.path.lexists(store / name) for name in (CURRENT, VERSIONS, *NAMES)):
        raise StoreError("there is no store", str(store), "name the store with --store")
    with write_lock(store):
        try:
            return _restore(store, number)
        except (OSError, duckdb.Error) as error:
            words = str(error).splitlines()[0]
            raise StoreError(f"the store cannot be restored: {words}", str(store), "check the disk") from None


def _restore(store: Path, number: int | None) -> Restored:
    _adopt_copy(store)
    if number is not None:
        take_back(store, number)
    whole, source = _choose(store) if number is None else (is_whole(store, number), number)
    version = store / VERSIONS / str(source)
    if not whole and not has_intact_database(version):
        others = ", ".join(str(each) for each in version_numbers(store) if is_whole(store, each)) or "none"
        raise StoreError(f"version {source} is not whole", str(store), f"whole versions: {others}")
    aside = _move_aside(store)
    if whole:
        point_current(store, version)
    else:
        version = rewrite_version(store, source)
    for other in version_numbers(store):
        if not is_whole(store, other):
            set_aside(store, other)
    return Restored(version_number(version), source, aside)


def _choose(store: Path) -> tuple[bool, int]:
    """Choose the newest version with an intact database; whether all of it is whole, and its number."""
    number = newest_with_intact_database(store)
    if number is None:
        raise StoreError("no version of the store is whole", str(store), advice(store))
    return is_whole(store, number), number


def _adopt_copy(store: Path) -> None:
    """Make a version of a copy: of `.current` as a folder, or of a version's files in the store's own folder."""
    copy = store / CURRENT
    if copy.is_dir() and not copy.is_symlink():
        number = _number_of(copy)
        if number and number not in version_numbers(store):
            (store / VERSIONS).mkdir(exist_ok=True)
            copy.rename(store / VERSIONS / str(number))
    elif not version_numbers(store) and (number := _number_of(store)):
        draft = store / VERSIONS / f"{number}.copy"
        draft.mkdir(parents=True)
        for name in (*NAMES, RUNS, MANIFEST, FOLDER):
            if (store / name).exists() and not (store / name).is_symlink():
                (store / name).rename(draft / name)
        draft.rename(draft.with_suffix(""))


def _number_of(copy: Path) -> int:
    """Return the number of the version that a folder is a copy of, from its files' names; 0 if it is none."""
    if not is_copy(copy):
        return 0
    parts = (_PART.fullmatch(file.name) for file in (copy / "harvests").iterdir())
    return max((int(part[1]) for part in parts if part), default=0)


def _move_aside(store: Path) -> Path | None:
    """Move files that replaced links to a separate folder."""
    found = [name for name in (CURRENT, *NAMES) if os.path.lexists(store / name) and not (store / name).is_symlink()]
    if not found:
        return None
    used = {path.name for path in store.iterdir()}
    aside = store / next(name for name in (f"{_ASIDE}-{n}" for n in range(1, len(used) + 2)) if name not in used)
    aside.mkdir()
    for name in found:
        (store / name).rename(aside / name)
    return aside
