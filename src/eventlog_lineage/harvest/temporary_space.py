"""Report that a temporary folder is full: that of this process, or the one in which Spark keeps its blocks."""

from __future__ import annotations

import errno
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from eventlog_lineage.errors import FullFolderError

_NUMBERS = frozenset({errno.ENOSPC, errno.EDQUOT})
_WORDS = re.compile(r"No space left on device|Disk quota exceeded")


def is_full(error: BaseException, printed: str = "") -> bool:
    """Return whether a disk is full.

    Args:
        error: An error; Java's have the system's words in their text.
    """
    return getattr(error, "errno", None) in _NUMBERS or bool(_WORDS.search(f"{printed}\n{error}"))


def full_folder(folder: Path | None = None) -> FullFolderError:
    """Return the error for a temporary folder that is full.

    Args:
        folder: The folder; None for the one of this process.
    """
    path = folder or Path(tempfile.gettempdir())
    free = ""
    with suppress(OSError):
        free = f", {shutil.disk_usage(path).free >> 20} MiB free"
    advice = "make space there, or set TMPDIR (on a cluster spark.local.dir) to a folder with more"
    return FullFolderError("the temporary folder is full", f"{path}{free}", advice)
