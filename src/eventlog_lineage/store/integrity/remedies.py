"""What is wrong with each version of a store, and how it becomes whole again."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from eventlog_lineage.store.publish.database import DATABASE_NAME, DamagedError
from eventlog_lineage.store.publish.resume_files import FOLDER
from eventlog_lineage.store.publish.versions import VERSIONS, version_numbers
from eventlog_lineage.store.schema.run_files import INTERNAL, RUNS

from .manifest import ListedFile, changed_files, is_intact, read_manifest
from .verification import file_flaws, has_intact_database, is_readable


class Remedy(Enum):
    """How a version becomes whole; the first that is possible loses nothing and costs the least."""

    KEEP = "it is whole"
    REPLACE_FILES = "its damaged files have intact copies"
    WRITE_PARQUET = "its database and its runs are intact: its other Parquet files are written again"
    MAKE_DATABASE = "its Parquet files are intact: its database is made again"


@dataclass(frozen=True, slots=True)
class Examined:
    """What is wrong with a version.

    Attributes:
        number: The version.
        remedy: How it becomes whole; None if it cannot.
        copies: The damaged and missing files that have an intact copy, by their paths in the version, and the copies.
        foreign: The paths of files that do not belong to the version.
        is_listed: The version has an intact list of its files, with checksums.
    """

    number: int
    remedy: Remedy | None
    copies: Mapping[str, Path] = field(default_factory=dict)
    foreign: tuple[str, ...] = ()
    is_listed: bool = True


def examine(store: Path, number: int) -> Examined:
    """Find what is wrong with a version; reads all of its files, and the copies of the damaged ones.

    Args:
        store: The store's folder.
        number: The version.
    """
    version = store / VERSIONS / str(number)
    try:
        files = read_manifest(version)
    except DamagedError:
        files = None
    if files is None:
        return Examined(number, _remedy_without_list(version), is_listed=False)
    changed = [name for name, _ in changed_files(version, files, contents=True)]
    damaged = {name: files[name] for name in changed if name in files}
    copies = _copies(store, number, damaged) if damaged else {}
    foreign = tuple(name for name in changed if name not in files)
    lost = {name for name in damaged if name not in copies}
    return Examined(number, _remedy(version, lost, is_changed=bool(changed)), copies, foreign)


def choose(store: Path) -> Examined | None:
    """Choose the newest version that is whole or can be made whole; None if there is none.

    Parquet files without checksums are the last choice: a flipped bit in their rows would not be found.
    """
    unsure = None
    for found in _examined(store):
        if found.remedy and (found.is_listed or found.remedy is not Remedy.MAKE_DATABASE):
            return found
        unsure = unsure or (found if found.remedy else None)
    return unsure


def newest_whole(store: Path) -> int | None:
    """Return the number of the newest whole version of a store; None if there is none."""
    return next((found.number for found in _examined(store) if found.remedy is Remedy.KEEP), None)


def _examined(store: Path) -> Iterator[Examined]:
    return (examine(store, number) for number in reversed(version_numbers(store)))


def _remedy_without_list(version: Path) -> Remedy | None:
    if next(file_flaws(version), None) is None:  # an older program made it
        return Remedy.KEEP
    if has_intact_database(version):
        return Remedy.WRITE_PARQUET
    return Remedy.MAKE_DATABASE if _has_internal_tables(version) else None


def _remedy(version: Path, lost: set[str], *, is_changed: bool) -> Remedy | None:
    """Choose the remedy of a version with a list.

    Args:
        version: The version's folder.
        lost: The damaged files that have no copy.
        is_changed: Files are damaged or do not belong to the version.
    """
    needed = {name for name in lost if Path(name).parts[0] != FOLDER}
    if needed == {DATABASE_NAME}:
        return Remedy.MAKE_DATABASE if _has_internal_tables(version) else None
    if DATABASE_NAME in needed or any(name.startswith(f"{RUNS}/") for name in needed):
        return None
    if lost:
        return Remedy.WRITE_PARQUET
    if is_changed:
        return Remedy.REPLACE_FILES
    return Remedy.KEEP if is_readable(version) else None


def _has_internal_tables(version: Path) -> bool:
    return os.path.isdir(version / INTERNAL)  # noqa: PTH112 - Path.is_dir raises where permissions are missing


def _copies(store: Path, number: int, damaged: Mapping[str, ListedFile]) -> dict[str, Path]:
    """Return the damaged files that exist elsewhere in the store with the same content, and where.

    Args:
        store: The store's folder.
        number: The number of the damaged version.
        damaged: Its damaged files by their path in the version.
    """
    found: dict[str, Path] = {}
    for other in sorted(version_numbers(store), reverse=True):
        folder = store / VERSIONS / str(other)
        try:
            files = read_manifest(folder) or {}
        except DamagedError:
            continue
        places: dict[ListedFile, list[str]] = {}
        for name, file in files.items():
            places.setdefault(file, []).append(name)
        for name, file in damaged.items():
            others = [place for place in places.get(file, ()) if name not in found and (other, place) != (number, name)]
            intact = next((folder / place for place in others if is_intact(folder / place, file)), None)
            if intact:
                found[name] = intact
    return found
