"""Where a store is: a local folder, or a URL of object storage or HDFS, with the folder of its local copies.

    CACHE/stores/<id>/reading/     the versions that questions read: database and runs
    CACHE/stores/<id>/writing/     the version that the next harvest of this machine continues
    CACHE/stores/<id>/used         when it was used last

Both are stores in folders. Nothing here is needed: a harvest or a question fetches again what is not there.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from eventlog_lineage.errors import DOCS, StoreError, UsageError, encodable
from eventlog_lineage.store.versions.folder import PRIVATE

EXTRAS: Mapping[str, str] = {"s3": "s3", "gs": "gcs", "abfss": "azure", "hdfs": "hdfs"}
"""Canonical scheme to the extra of this package that installs its client."""

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")


def remote_url(store: str | Path) -> str | None:
    """Return the canonical URL of a store on object storage or HDFS; None for a local folder.

    `s3a` and `s3n` are `s3`, `abfs` is `abfss`. One slash after the scheme is enough: `Path` removes the other one.

    Raises:
        UsageError: The scheme is not supported, no bucket is named, or the URL has a password.
    """
    text = str(store)
    match = SCHEME.match(text)
    if match is None or match[1].lower() == "file":
        return None
    from eventlog_lineage.events.sources.files import BACKENDS  # noqa: PLC0415 - local stores open without them
    from eventlog_lineage.redaction import without_users  # noqa: PLC0415

    backend = BACKENDS.get(match[1].lower())
    if backend is None or backend.scheme not in EXTRAS:
        raise UsageError(
            f"a store cannot be on {match[1]}",
            without_users(text),
            "name a folder, or a URL that begins with s3://, s3a://, gs://, abfss:// or hdfs://",
        )
    rest = text[match.end(1) + 1 :].rstrip("/")
    has_default = backend.scheme == "hdfs"  # a name node that Hadoop's configuration names
    if not (has_default and rest.startswith("//")):
        rest = f"//{rest}" if has_default else "//" + rest.lstrip("/")
    authority = rest[2:].partition("/")[0]
    if not authority and not has_default:
        raise UsageError("the URL of the store names no bucket", text, f"use {backend.scheme}://BUCKET/FOLDER")
    if "@" in authority and backend.scheme != "abfss":
        raise UsageError(
            "the URL of the store has a user or a password",
            without_users(text),
            f"give credentials in the environment; {DOCS}/object-storage.md lists the variables",
        )
    return f"{backend.scheme}:{rest}"


def store_name(store_dir: str | Path) -> str:
    """Return the canonical name of a store, as a user writes it: a path or a URL.

    Raises:
        UsageError: The URL is not supported.
    """
    return remote_url(store_dir) or str(store_folder(store_dir))


def store_folder(store_dir: str | Path) -> Path:
    """Return the folder of a local store, as a user writes it: a path, or a `file:` URI.

    Raises:
        UsageError: It is the URL of another file system.
    """
    text = str(store_dir)
    scheme = SCHEME.match(text)
    if scheme is None:
        return _readable(Path(store_dir))
    uri = urlsplit(text)
    if scheme[1].lower() == "file" and uri.netloc in {"", "localhost"}:
        return _readable(Path(unquote(uri.path)))
    raise UsageError(f"a store on {scheme[1]} is not a local folder", text, "name a folder with --store")


def _readable(folder: Path) -> Path:
    """Return the folder, unless DuckDB cannot open a file in it: it reads a backslash as a slash, and needs UTF-8."""
    text = str(folder.absolute())
    problem = "has a backslash" if "\\" in text else "" if text == encodable(text) else "is not UTF-8"
    if problem:
        raise UsageError(f"the path of the store {problem}, and DuckDB cannot open it", text, "name another folder")
    return folder


VARIABLE = "EVENTLOG_LINEAGE_CACHE"
"""The environment variable that names the cache's folder."""

LOCK_FILE = ".cache.lock"
"""The lock in a folder of the cache."""

DAYS = 30
"""Stores that were not used for so long lose their place in the cache."""

_FOLDERS = "stores"
_USED = "used"


def cache_folder() -> Path:
    """Return the folder of the program's cache, which may not exist."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "eventlog-lineage").absolute()


def cache_of(url: str) -> Path:
    """Return the folder of a store in the cache; it is made, and those of stores that nobody uses are removed.

    Raises:
        StoreError: It cannot be made.
    """
    folder = cache_folder() / _FOLDERS / hashlib.sha256(url.encode()).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for each in (folder.parent, folder):
            each.chmod(PRIVATE)
        (folder / _USED).write_text(f"{url}\n")
    except OSError as error:
        hint = f"name another folder in {VARIABLE}"
        raise StoreError(f"the cache cannot be written: {error.strerror}", str(folder), hint) from None
    _remove_unused(folder.parent)
    return folder


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of the cache; waits for processes that fill it."""
    folder.mkdir(mode=PRIVATE, exist_ok=True)
    descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _remove_unused(folders: Path) -> None:
    oldest = time.time() - DAYS * 86400
    for folder in folders.iterdir():
        with suppress(OSError):
            if (folder / _USED).stat().st_mtime < oldest:
                shutil.rmtree(folder)
