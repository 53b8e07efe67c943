"""Repairing the files of a version one by one, from intact copies."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from eventlog_lineage.store.publish.carrying.carried_files import copy_checked
from eventlog_lineage.store.publish.permissions import mode_of, set_mode, set_modes
from eventlog_lineage.store.publish.versions import CURRENT, NAMES, VERSIONS, sync_path

from .remedies import Examined

_ASIDE = ".replaced"
_NEW = ".repaired"


class AsideFolder:
    """The folder for files that are in the place of the store's own; it is made for the first one."""

    def __init__(self, store: Path) -> None:
        """Choose a name that no other file has.

        Args:
            store: The store's folder.
        """
        used = {path.name for path in store.iterdir()}
        self._folder = store / next(name for n in range(1, len(used) + 2) if (name := f"{_ASIDE}-{n}") not in used)
        self.path: Path | None = None

    def move(self, path: Path, name: str) -> None:
        """Move a file or folder.

        Args:
            path: Where it is.
            name: Its path in this folder.
        """
        self.path = self._folder
        (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
        path.rename(self._folder / name)


def move_aside(store: Path, aside: AsideFolder) -> None:
    """Move files and folders that replaced the store's links.

    Args:
        store: The store's folder.
        aside: The folder to move them to.
    """
    for name in (CURRENT, *NAMES):
        if os.path.lexists(store / name) and not (store / name).is_symlink():
            aside.move(store / name, name)


def replace_files(store: Path, examined: Examined, aside: AsideFolder) -> None:
    """Put copies in the place of a version's damaged files, and move what does not belong to it aside.

    A file is replaced at once, on the disk, with the content that the version's list names.

    Args:
        store: The store's folder; the lock is held.
        examined: What is wrong with the version.
        aside: Where files go that do not belong to the version.

    Raises:
        OSError: The disk is full, or rights are missing.
    """
    version = store / VERSIONS / str(examined.number)
    mode = mode_of(version)
    for name in examined.foreign:
        aside.move(version / name, f"version-{version.name}/{name}")
    for name, copy in examined.copies.items():
        target = version / name
        _open_folders(version, target.parent, mode)
        if os.path.lexists(target) and not stat.S_ISREG(target.lstat().st_mode):
            aside.move(target, f"version-{version.name}/{name}")
        new = target.with_name(f"{target.name}{_NEW}")
        new.unlink(missing_ok=True)
        copy_checked(copy, new)
        set_mode(new, mode)
        sync_path(new)
        new.replace(target)
        sync_path(target.parent)
    set_modes(version, mode)


def _open_folders(version: Path, folder: Path, mode: int) -> None:
    """Make the folders between a version and a file that are missing, and restore the modes of the others.

    Args:
        version: The folder of the version.
        folder: The folder of the file to be replaced.
        mode: The mode of folders in the store.
    """
    for path in (version, *reversed([path for path in (folder, *folder.parents) if version in path.parents])):
        path.mkdir(exist_ok=True)
        set_mode(path, mode)
