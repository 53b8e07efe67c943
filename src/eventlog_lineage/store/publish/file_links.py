"""Files that two versions of a store share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def link_file(old: Path, new: Path) -> None:
    """Return a file of one version to another without copying it, where the file system can."""
    try:
        os.link(old, new)
    except OSError:  # a file system without hard links
        shutil.copyfile(old, new)
