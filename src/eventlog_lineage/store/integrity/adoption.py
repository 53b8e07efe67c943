"""Making a version of a copy, which has the files of a version in the place of the store's links."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from eventlog_lineage.store.publish.resume_files import FOLDER
from eventlog_lineage.store.publish.versions import CURRENT, NAMES, VERSIONS, is_copy, is_store, version_numbers

from .manifest import MANIFEST

_COPY = ".copy"
_PART = re.compile(r"part-([0-9]{1,16})(?:-[0-9]+)*\.parquet", re.ASCII)


def holds_copy(store: Path) -> bool:
    """Return whether a folder without a store has the files of a version, as a copy of a store's visible files has."""
    return not is_store(store) and (is_copy(store) or is_begun(store))


def is_begun(store: Path) -> bool:
    """Return whether `adopt_copy` was interrupted."""
    return next(_begun(store), None) is not None


def adopt_copy(store: Path) -> None:
    """Make a version of a copy: of `.current` as a folder, or of a version's files in the store's own folder.

    Nothing is copied. If it is interrupted, the next call completes it.

    Args:
        store: The store's folder; the lock is held.
    """
    copy = store / CURRENT
    if copy.is_dir() and not copy.is_symlink():
        number = _number_of(copy)
        if number and number not in version_numbers(store):
            (store / VERSIONS).mkdir(exist_ok=True)
            copy.rename(store / VERSIONS / str(number))
    elif not version_numbers(store):
        _adopt_files(store)


def _adopt_files(store: Path) -> None:
    draft = next(_begun(store), None)
    if draft is None:
        number = _number_of(store)
        if not number:
            return
        draft = store / VERSIONS / f"{number}{_COPY}"
        draft.mkdir(parents=True)
    for name in (*NAMES, MANIFEST, FOLDER):
        path = store / name
        if os.path.lexists(path) and not path.is_symlink() and not os.path.lexists(draft / name):
            path.rename(draft / name)
    draft.rename(draft.with_suffix(""))


def _begun(store: Path) -> Iterator[Path]:
    """Yield the folders of versions that an interrupted call has begun to fill."""
    try:
        yield from (path for path in (store / VERSIONS).iterdir() if path.suffix == _COPY and path.stem.isdecimal())
    except OSError:
        return


def _number_of(copy: Path) -> int:
    """Return the number of the version that a folder is a copy of, from its files' names; 0 if it is none."""
    if not is_copy(copy):
        return 0
    parts = (_PART.fullmatch(file.name) for file in (copy / "harvests").iterdir())
    return max((int(part[1]) for part in parts if part), default=0)
