"""Who may read a store: its owner, unless configured otherwise."""

from __future__ import annotations

import os
import stat
from pathlib import Path

PRIVATE = 0o700
"""The mode of a new store's folders; its files have the same without the right to execute."""

_FILE = 0o666
_SPECIAL = 0o7000


def mode_of(folder: Path | None) -> int:
    """Return the mode of a folder of a store; the private one for None, a new store."""
    return stat.S_IMODE(folder.stat().st_mode) & 0o777 if folder else PRIVATE


def set_mode(path: Path, mode: int) -> None:
    """Set the mode of a folder or file; what a file shares with another version changes there too.

    Args:
        path: A folder, whose content stays as it is, or a file.
        mode: The folder's mode; files get it without the right to execute.
    """
    _set_mode(str(path), mode)


def _set_mode(path: str, mode: int) -> None:
    """Set a mode as `set_mode` does, of thousands of paths faster.

    Args:
        path: The file or folder.
        mode: The mode of a folder; a file gets it without the right to execute.
    """
    facts = os.lstat(path)
    if stat.S_ISLNK(facts.st_mode):
        return
    own = mode if stat.S_ISDIR(facts.st_mode) else mode & _FILE
    if stat.S_IMODE(facts.st_mode) & ~_SPECIAL != own:
        os.chmod(path, own | (facts.st_mode & _SPECIAL))  # noqa: PTH101 - as above


def set_modes(folder: Path, mode: int) -> None:
    """Set the mode of a folder and its content, see `set_mode`.

    Args:
        folder: The folder.
        mode: The mode of folders.
    """
    for inner, folders, files in os.walk(folder):
        for name in (*folders, *files):
            _set_mode(f"{inner}/{name}", mode)
    set_mode(folder, mode)
