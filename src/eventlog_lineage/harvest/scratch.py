"""A folder for what a local Spark writes while it runs, and the end of those that killed harvests left."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAMED = re.compile(r"eventlog-lineage-(\d+)-\w+")


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that is there as long as it is needed; those of processes that are no more are removed."""
    base = Path(tempfile.gettempdir())
    for left in base.glob("eventlog-lineage-*"):
        match = _NAMED.fullmatch(left.name)
        if match and not _runs(int(match[1])):
            shutil.rmtree(left, ignore_errors=True)  # another user's stays
    folder = Path(tempfile.mkdtemp(prefix=f"eventlog-lineage-{os.getpid()}-", dir=base))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # another user's
    return True
