"""Checking a whole store: links, files, rows."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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

from .contents import count_rows, reference_flaws, row_count_flaws
from .damage import advice, damaged, describe_link
from .manifest import read_manifest
from .verification import file_flaws

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
    """

    current: int
    versions: tuple[int, ...]
    files: int
    rows: int
    unlisted: tuple[int, ...]
    flaws: tuple[str, ...]
    hint: str


def check_store(store_dir: str | Path) -> Checked:
    """Check the links of a store, and of each version the files' checksums, row counts and references.

    Args:
        store_dir: The store's folder; nothing is written to it, and no lock is taken.

    Raises:
        StoreError: There is no store.
    """
    store = Path(store_dir).absolute()
    if not is_store(store):
        if (store / NAMES[-1]).is_dir():
            raise damaged(store, f"{CURRENT} is missing")
        raise StoreError("there is no store", str(store), "name the store with --store")
    for _ in range(_TRIES):
        before = current_version(store)
        checked = _check(store)
        if not checked.flaws or current_version(store) == before:
            break
    return checked


def _check(store: Path) -> Checked:
    current = version_number(current_version(store))
    numbers = tuple(version_numbers(store))
    flaws = {number: tuple(_version_flaws(store / VERSIONS / str(number))) for number in numbers}
    links = tuple(_link_flaws(store))
    whole = current and not flaws[current]
    version = store / VERSIONS / str(current)
    return Checked(
        current=current,
        versions=numbers,
        files=len(read_manifest(version) or ()) if whole else 0,
        rows=sum(count_rows(version).values()) if whole else 0,
        unlisted=tuple(number for number in numbers if not flaws[number] and _is_unlisted(store, number)),
        flaws=(*links, *(f"version {number}: {flaw}" for number in reversed(numbers) for flaw in flaws[number])),
        hint=_hint(store, current, links=bool(links), damaged_ones=[number for number in numbers if flaws[number]]),
    )


def _hint(store: Path, current: int, *, links: bool, damaged_ones: list[int]) -> str:
    if not links and not damaged_ones:
        return ""
    if links or not current or current in damaged_ones:
        return advice(store)
    command = f"eventlog-lineage restore --store {shlex.quote(str(store))}"
    return f"version {current} is current and whole: run `{command}` to set the damaged one aside"


def _version_flaws(version: Path) -> Iterator[str]:
    found = False
    for flaw in file_flaws(version):
        found = True
        yield flaw
    if found:
        return
    try:
        yield from row_count_flaws(version)
        yield from reference_flaws(version)
    except StoreError as error:
        yield error.what


def _link_flaws(store: Path) -> Iterator[str]:
    if current_version(store) is None:
        yield describe_link(store)
    for name in NAMES:
        path, target = store / name, f"{CURRENT}/{name}"
        if not os.path.lexists(path):
            yield f"the link {name} is missing"
        elif not path.is_symlink() or str(path.readlink()) != target:
            yield f"{name} is not a link to {target}"


def _is_unlisted(store: Path, number: int) -> bool:
    return read_manifest(store / VERSIONS / str(number)) is None
