"""Checking a whole store: links, files, rows."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.versions import (
    CURRENT,
    NAMES,
    VERSIONS,
    current_version,
    is_store,
    version_number,
    version_numbers,
)
from eventlog_lineage.store.remote.folders import folder_to_check

from .adoption import holds_copy
from .contents import check_rows
from .damage import advice, describe_link
from .manifest import read_manifest
from .verification import file_flaws, views_folder

_TRIES = 3
"""How often a store is checked again because a harvest published a version meanwhile."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found.

    Attributes:
        current: The current version; 0 if no link leads to one.
        versions: The versions that were checked.
        files: Files of the current version.
        rows: Rows of the current version's public tables.
        unlisted: The versions without checksums, which older programs made.
        flaws: What is wrong, a phrase each; empty for a whole store.
        hint: What to do about it.
        moved_from: The folder that the current version's views lead to, if the store is in another one; else empty.
    """

    current: int
    versions: tuple[int, ...]
    files: int
    rows: int
    unlisted: tuple[int, ...]
    flaws: tuple[str, ...]
    hint: str
    moved_from: str = ""


def check_store(store_dir: str | Path) -> Checked:
    """Check the links of a store, and of each version the files' checksums, row counts and references.

    Args:
        store_dir: The store's folder or URL; nothing is written to it, and no lock is taken.

    Raises:
        StoreError: There is no store.
    """
    with folder_to_check(store_dir) as folder:
        checked = _check_folder(folder.path)
        if not folder.url:
            return checked
        return replace(checked, hint=folder.named(checked.hint), moved_from="")  # views lead to the objects


def _check_folder(store: Path) -> Checked:
    if not is_store(store):
        if holds_copy(store):
            command = f"eventlog-lineage restore --store {shlex.quote(str(store))}"
            hint = f"to make it one, run `{command}`, or harvest into it"
            raise StoreError("the folder holds a copy of a version and is not a store", str(store), hint)
        raise StoreError("there is no store", str(store), "name the store with --store")
    for _ in range(_TRIES):
        before = current_version(store)
        checked = _check(store)
        if not checked.flaws or current_version(store) == before:
            break
    return checked


@dataclass(frozen=True, slots=True)
class _Version:
    number: int
    flaws: tuple[str, ...]
    files: int = 0
    rows: int = 0
    listed: bool = True


def _check(store: Path) -> Checked:
    links = tuple(_link_flaws(store))
    current = version_number(current_version(store))
    with duckdb.connect() as free:  # for all versions: a new DuckDB takes 20 ms of CPU time
        versions = [_check_version(store / VERSIONS / str(number), free) for number in version_numbers(store)]
        moved_from = _moved_from(store, current, free)
    seen = next((version for version in versions if version.number == current), _Version(current, ()))
    return Checked(
        current=current,
        versions=tuple(version.number for version in versions),
        files=seen.files,
        rows=seen.rows,
        unlisted=tuple(version.number for version in versions if not version.listed),
        flaws=(*links, *(f"version {each.number}: {flaw}" for each in reversed(versions) for flaw in each.flaws)),
        moved_from=moved_from,
        hint=_hint(store, current, links=bool(links), damaged_ones=[each.number for each in versions if each.flaws]),
    )


def _moved_from(store: Path, current: int, free: duckdb.DuckDBPyConnection) -> str:
    version = store / VERSIONS / str(current)
    try:
        folder = views_folder(version, free) if current else ""
    except StoreError:
        return ""
    return folder if folder not in ("", str(version)) else ""


def _hint(store: Path, current: int, *, links: bool, damaged_ones: list[int]) -> str:
    if not links and not damaged_ones:
        return ""
    if links or not current or current in damaged_ones:
        return advice(store)
    command = f"eventlog-lineage restore --store {shlex.quote(str(store))}"
    return f"version {current} is current and whole: run `{command}` to repair the others or set them aside"


def _check_version(version: Path, free: duckdb.DuckDBPyConnection) -> _Version:
    number = version_number(version)
    flaws = tuple(file_flaws(version, free))
    if flaws:
        return _Version(number, flaws)
    try:
        rows, files = check_rows(version, free), read_manifest(version)
    except StoreError as error:
        return _Version(number, (error.what,))
    return _Version(number, rows.flaws, len(files or ()), rows.count, listed=files is not None)


def _link_flaws(store: Path) -> Iterator[str]:
    if current_version(store) is None:
        yield describe_link(store)
    for name in NAMES:
        path, target = store / name, f"{CURRENT}/{name}"
        if not os.path.lexists(path):
            if not (store / CURRENT / name).exists():
                continue  # a table that the current version does not have: an older program made it
            yield f"the link {name} is missing"
        elif not path.is_symlink() or str(path.readlink()) != target:
            yield f"{name} is not a link to {target}"
