"""The store's folder: whole versions side by side, and the one link that says which is current.

    DIR/.versions/7/lineage.duckdb, DIR/.versions/7/<table>/…   a whole version
    DIR/.current -> .versions/7                                  what readers see
    DIR/lineage.duckdb -> .current/lineage.duckdb                names that never change
    DIR/<table> -> .current/<table>

Renaming one link over `.current` switches everything at once.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from ..errors import StoreError
from .database import DATABASE_NAME
from .tables import PUBLIC_TABLES

VERSIONS = ".versions"
CURRENT = ".current"
STAGING = ".staging"

_NEXT_LINK = ".current.next"
_NAMES = (DATABASE_NAME, *(table.name for table in PUBLIC_TABLES))
_FICLONE = 0x40049409  # linux/fs.h: share the blocks of another file, where the file system can


def current_version(store: Path) -> Path | None:
    """The folder of the version that readers see; None where there is no store yet."""
    link = store / CURRENT
    if not link.is_symlink():
        return None
    version = store / link.readlink()
    return version if (version / DATABASE_NAME).is_file() else None


def version_number(version: Path | None) -> int:
    """A version's number, from 1; 0 for none."""
    return int(version.name) if version else 0


def prepare(store: Path) -> None:
    """Make the store's folders and clear away what a killed harvest left; the lock is held.

    Raises:
        StoreError: Something else is in the way, or the folder cannot be written.
    """
    for name in _NAMES:
        path = store / name
        if path.exists() and not path.is_symlink():
            raise StoreError(f"{name} is in the way: the folder is not a store", str(store), "choose another folder")
    try:
        (store / VERSIONS).mkdir(exist_ok=True)
        shutil.rmtree(store / STAGING, ignore_errors=True)
        (store / _NEXT_LINK).unlink(missing_ok=True)
        remove_leftovers(store)
    except OSError as error:
        raise StoreError(
            f"the store cannot be written: {error.strerror}", str(store), "check its permissions"
        ) from None


def remove_leftovers(store: Path) -> None:
    """Remove all versions but the current one and the one before it, which readers may have open."""
    current = version_number(current_version(store))
    numbers = sorted(int(path.name) for path in (store / VERSIONS).iterdir() if path.name.isdigit())
    before = [number for number in numbers if number < current][-1:]
    for path in (store / VERSIONS).iterdir():
        if path.name not in {str(number) for number in (current, *before)}:
            shutil.rmtree(path)


def begin_version(store: Path) -> Path:
    """Make the folder of the next version."""
    version = store / VERSIONS / str(version_number(current_version(store)) + 1)
    version.mkdir()
    return version


def copy_file(source: Path, target: Path) -> None:
    """Copy a file, without moving its bytes where the file system can share them."""
    with source.open("rb") as old, target.open("wb") as new:
        try:
            fcntl.ioctl(new.fileno(), _FICLONE, old.fileno())
        except OSError:
            shutil.copyfileobj(old, new, 1 << 20)


def sync(version: Path) -> None:
    """Wait until all files and folders of a version are on the disk; linked files have been there before."""
    for folder, _, files in os.walk(version):
        for name in files:
            path = Path(folder, name)
            if path.stat().st_nlink == 1:
                _fsync(path)
        _fsync(Path(folder))
    _fsync(version.parent)


def switch(store: Path, version: Path) -> None:
    """Make a version the current one, at once for all names."""
    _name(store, ((name, f"{CURRENT}/{name}") for name in _NAMES))
    following = store / _NEXT_LINK
    following.unlink(missing_ok=True)
    following.symlink_to(f"{VERSIONS}/{version.name}")
    following.replace(store / CURRENT)
    _fsync(store)


def _name(store: Path, links: Iterable[tuple[str, str]]) -> None:
    for name, target in links:
        if not (store / name).is_symlink():
            (store / name).symlink_to(target)


def _fsync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
