"""Write an output file: as a whole or not at all, and without changing what kind of file it is."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from eventlog_lineage.errors import FullFolderError


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Provide an empty folder of the system for temporary files until the block ends.

    Raises:
        FullFolderError: No folder can be made.
    """
    try:
        made = tempfile.TemporaryDirectory(prefix="eventlog-lineage-", ignore_cleanup_errors=True)
    except OSError as error:
        raise unusable_folder(error) from error
    with made as folder:
        yield Path(folder)


def unusable_folder(error: OSError) -> FullFolderError:
    """Return the error for a folder for temporary files in which nothing can be made."""
    where = str(Path(error.filename).parent) if error.filename else ""
    advice = "check its mode and the space there, or set TMPDIR to another folder"
    return FullFolderError(f"the temporary folder cannot be used: {error.strerror}", where, advice)


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """Yield the path to write to; when the block ends, its content is that of `path`, which else stays as it is.

    A link's target is replaced, with the target's mode. Anything but a regular file (a device, a FIFO, the
    standard output under a name in `/dev`) is written in place, at the end.

    Raises:
        OSError: The file cannot be written.
    """
    if _is_special(path):
        with temporary_folder() as folder:
            written = folder / "output"
            yield written
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
            with written.open("rb") as source, os.fdopen(descriptor, "wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)
        return
    resolved = Path(os.path.realpath(path))
    partial = resolved.with_name(f".{resolved.name[:200]}.{os.getpid()}.partial")
    try:
        yield partial
        with suppress(FileNotFoundError):
            partial.chmod(stat.S_IMODE(resolved.stat().st_mode))
        partial.replace(resolved)
    finally:
        with suppress(OSError):
            partial.unlink()


def _is_special(path: Path) -> bool:
    try:
        is_regular = stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
    folder = os.path.realpath(path.parent)
    return not is_regular or str(path) in ("/dev/stdout", "/dev/stderr") or folder.startswith("/proc/")
