"""Files that two versions of a store share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def link_file(old: Path, new: Path) -> None:
    """Link a file of one version into another, or copy it if the file system has no links.

    Args:
        old: The file.
        new: The new path.
    """
    try:
        os.link(old, new)
    except OSError:  # a file system without hard links
        shutil.copyfile(old, new)
