"""A storage that a store is on: reads, sends and lists objects, and reports what fails in one line.

Object storage compares tags: S3 the ETag (`If-Match`, `If-None-Match: *` for a new object), Google Cloud Storage the
generation (`ifGenerationMatch`), Azure the ETag. HDFS has no such condition, but a rename that does not overwrite is
atomic there: each content is a file of its own, `current.8`, and the highest number is the one that counts.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib
import json
import os
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urlsplit
from uuid import uuid4

from eventlog_lineage.errors import DOCS, LineageError, StoreError, UsageError, encodable, os_errors_as
from eventlog_lineage.events.sources.layouts import SCHEME
from eventlog_lineage.store.versions.folder import PRIVATE

EXTRAS: Mapping[str, str] = {"s3": "s3", "gs": "gcs", "abfss": "azure", "hdfs": "hdfs"}
"""Canonical scheme to the extra of this package that installs its client."""


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
        hint = "name a folder, or a URL that begins with s3://, s3a://, gs://, abfss:// or hdfs://"
        raise UsageError(f"a store cannot be on {match[1]}", without_users(text), hint)
    rest = text[match.end(1) + 1 :].rstrip("/")
    has_default = backend.scheme == "hdfs"  # a name node that Hadoop's configuration names
    if not rest.startswith("//") or not has_default:
        rest = "//" + (rest if has_default else rest.lstrip("/"))
    _check_authority(text, backend.scheme, rest[2:].partition("/")[0])
    return f"{backend.scheme}:{rest}"


def _check_authority(text: str, scheme: str, authority: str) -> None:
    from eventlog_lineage.redaction import without_users  # noqa: PLC0415 - local stores open without it

    if not authority and scheme != "hdfs":
        raise UsageError("the URL of the store names no bucket", text, f"use {scheme}://BUCKET/FOLDER")
    if "@" in authority and scheme != "abfss":
        hint = f"give credentials in the environment; {DOCS}/object-storage.md lists the variables"
        raise UsageError("the URL of the store has a user or a password", without_users(text), hint)


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
    with os_errors_as(StoreError, "the cache cannot be written", folder, f"name another folder in {VARIABLE}"):
        folder.mkdir(parents=True, exist_ok=True)
        for each in (folder.parent, folder):
            each.chmod(PRIVATE)
        (folder / _USED).write_text(f"{url}\n")
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


_TRIES = 5
_KEPT = 20
"""Older contents that stay on HDFS: a writer that is late by fewer finds its number taken."""

_NUMBERED = re.compile(r"\.([0-9]{1,15})", re.ASCII)

_REFUSED = re.compile(
    r"PreconditionFailed|ConditionalRequestConflict|ConditionNotMet|UpdateConditionNotSatisfied|BlobAlreadyExists"
    r"|pre-?conditions? (?:you|given|specified|is not met)|not met|\b412\b",
    re.IGNORECASE,
)


class ConflictError(Exception):
    """Another writer has changed the object."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """The content of an object.

    Attributes:
        tag: What names this content of the object; `write` compares it.
    """

    content: bytes
    tag: str


@dataclass(frozen=True, slots=True)
class TaggedObjects:
    """Object storage: reads and replaces one object.

    Attributes:
        tag_name: The key of the tag in fsspec's details of an object.
        put: Writes `(path, content, tag)` under the condition.
    """

    filesystem: Any
    tag_name: str
    put: Callable[[Any, str, bytes, str | None], None]

    def read(self, path: str) -> Tagged | None:
        """Return the content of an object; None if it does not exist."""
        try:
            for _ in range(_TRIES):
                before = self._tag(path)
                content = bytes(self.filesystem.cat_file(path))
                if self._tag(path) == before:
                    return Tagged(content, before)
        except FileNotFoundError:
            return None
        raise ConflictError(path)

    def latest(self, path: str) -> bytes | None:
        """Return the content of an object without its tag; None if it does not exist."""
        try:
            return bytes(self.filesystem.cat_file(path))
        except FileNotFoundError:
            return None

    def write(self, path: str, content: bytes, tag: str | None) -> None:
        """Replace an object if its content is the one that a tag names, or create it.

        A write whose answer was lost is refused when it is repeated, and still succeeded.

        Raises:
            ConflictError: The object has another tag, or exists.
        """
        try:
            self.put(self.filesystem, path, content, tag)
        except Exception as error:
            if not _is_refusal(error, tag):
                raise
            found = self.read(path)
            if found is None or found.content != content:
                raise ConflictError(path) from error

    def _tag(self, path: str) -> str:
        return str(self.filesystem.info(path, refresh=True)[self.tag_name])


@dataclass(frozen=True, slots=True)
class NumberedFiles:
    """HDFS, as `TaggedObjects`.

    Attributes:
        filesystem: fsspec's, of `hdfs-native`.
    """

    filesystem: Any

    def read(self, path: str) -> Tagged | None:
        """See `TaggedObjects`."""
        numbers = self._numbers(path)
        if not numbers:
            return None
        return Tagged(bytes(self.filesystem.cat_file(f"{path}.{numbers[-1]}")), str(numbers[-1]))

    def latest(self, path: str) -> bytes | None:
        """See `TaggedObjects`."""
        found = self.read(path)
        return found.content if found else None

    def write(self, path: str, content: bytes, tag: str | None) -> None:
        """See `TaggedObjects`."""
        numbers = self._numbers(path)
        if (str(numbers[-1]) if numbers else None) != tag:
            raise ConflictError(path)
        number = int(tag or 0) + 1
        written = f"{path}.{uuid4().hex}.partial"
        self.filesystem.pipe_file(written, content)
        try:
            self.filesystem.mv(written, f"{path}.{number}", overwrite=False)
        except Exception as error:
            self.filesystem.rm_file(written)
            if number in self._numbers(path):
                raise ConflictError(path) from error
            raise
        newer = self._numbers(path)
        if newer[-1] > number + _KEPT:  # the number was free because it was removed
            raise ConflictError(path)
        for old in newer[:-_KEPT]:
            self.filesystem.rm_file(f"{path}.{old}")

    def _numbers(self, path: str) -> list[int]:
        folder, _, name = path.rpartition("/")
        try:
            found = self.filesystem.ls(folder, detail=False)
        except FileNotFoundError:
            return []
        suffixes = (each.rpartition("/")[2].removeprefix(name) for each in found if f"/{name}." in each)
        return sorted(int(match[1]) for suffix in suffixes if (match := _NUMBERED.fullmatch(suffix)))


def conditional(protocol: str, filesystem: Any) -> TaggedObjects | NumberedFiles:
    """Return how objects of a storage are replaced."""
    if protocol == "hdfs":
        return NumberedFiles(filesystem)
    tag_name, put = {"s3": ("ETag", _put_s3), "gs": ("generation", _put_gs), "abfss": ("etag", _put_abfss)}[protocol]
    return TaggedObjects(filesystem, tag_name, put)


def wrong_tag(protocol: str) -> str:
    """Return a tag that no object of a storage has, to find out whether it compares tags."""
    return {"gs": "1", "abfss": '"0x1"'}.get(protocol, f'"{"0" * 32}"')


def _put_s3(filesystem: Any, path: str, content: bytes, tag: str | None) -> None:
    bucket, key, _ = filesystem.split_path(path)
    condition = {"IfNoneMatch": "*"} if tag is None else {"IfMatch": tag}
    filesystem.call_s3("put_object", Bucket=bucket, Key=key, Body=content, **condition)


def _put_gs(filesystem: Any, path: str, content: bytes, tag: str | None) -> None:
    bucket, key, *_ = filesystem.split_path(path)
    filesystem.call(
        "POST",
        f"{filesystem._location}/upload/storage/v1/b/{quote(bucket)}/o",
        uploadType="multipart",
        ifGenerationMatch=tag or "0",
        headers={"Content-Type": 'multipart/related; boundary="==0=="'},
        data=b"--==0==\nContent-Type: application/json; charset=UTF-8\n\n"
        + json.dumps({"name": key}).encode()
        + b"\n--==0==\nContent-Type: application/json\n\n"
        + content
        + b"\n--==0==--",
        json_out=True,
    )


def _put_abfss(filesystem: Any, path: str, content: bytes, tag: str | None) -> None:
    if tag is None:
        filesystem.pipe_file(path, content, overwrite=False)
        return
    from azure.core import MatchConditions  # noqa: PLC0415 - the client of Azure installs it

    filesystem.pipe_file(path, content, overwrite=True, etag=tag, match_condition=MatchConditions.IfNotModified)


def _is_refusal(error: BaseException, tag: str | None) -> bool:
    """Return whether a storage refused a write because of its condition; an object that is gone has no tag either."""
    if isinstance(error, FileExistsError) or (isinstance(error, FileNotFoundError) and tag is not None):
        return True
    words = f"{type(error).__name__} {error} {error.__cause__ or ''}"
    return _REFUSED.search(words) is not None


_THREADS = 8
"""Objects that are sent or fetched at once."""

_SMALL = 4 << 20

_DOCS = f"{DOCS}/object-storage.md"

_Item = TypeVar("_Item")


class Storage:
    """The objects of one store.

    Args:
        url: The store's canonical URL.

    Raises:
        UsageError: The storage's client is not installed.
        StoreError: The storage cannot be reached.
    """

    def __init__(self, url: str) -> None:
        from eventlog_lineage.events.sources.files import BACKENDS  # noqa: PLC0415 - local stores open without it

        self.url = url
        self.scheme = url.partition(":")[0]
        backend = BACKENDS[self.scheme]
        try:
            fsspec: Any = importlib.import_module("fsspec")
            fsspec.get_filesystem_class(backend.protocol)
        except (ImportError, ValueError) as error:
            raise UsageError(
                f"a store on {self.scheme} needs the package {backend.package}",
                url,
                f"pip install {shlex.quote(f'eventlog-lineage[{EXTRAS[self.scheme]}]')}",
            ) from error
        options = {} if self.scheme == "hdfs" else {"use_listings_cache": False}
        with self._reported("reached"):
            self._filesystem, root = fsspec.core.url_to_fs(url, **options)
        self._root = str(root).rstrip("/")
        self._conditional = conditional(self.scheme, self._filesystem)

    def read(self, key: str) -> bytes | None:
        """Return the content of an object that is written once; None if it does not exist."""
        with self._reported("read"):
            try:
                return bytes(self._filesystem.cat_file(self._path(key)))
            except FileNotFoundError:
                return None

    def read_tagged(self, key: str) -> Tagged | None:
        """Return the content of an object that changes, with its tag; None if it does not exist."""
        with self._reported("read"):
            return self._conditional.read(self._path(key))

    def read_latest(self, key: str) -> bytes | None:
        """Return the content of an object that changes; None if it does not exist."""
        with self._reported("read"):
            return self._conditional.latest(self._path(key))

    def write(self, key: str, content: bytes, tag: str | None) -> None:
        """Replace an object if it still has a tag, or create it.

        Args:
            content: Unique: no writer writes the same bytes twice.

        Raises:
            ConflictError: Another writer was faster.
            StoreError: It cannot be written.
        """
        with self._reported("written"):
            self._conditional.write(self._path(key), content, tag)

    def check_conditions(self, key: str, content: bytes) -> None:
        """Check that the storage compares tags; without it two harvests could overwrite each other.

        Args:
            key: An object that exists.
            content: What it has then if the storage does not.

        Raises:
            StoreError: It ignores the conditions.
        """
        for tag in (None, wrong_tag(self.scheme)):
            try:
                self.write(key, content, tag)
            except ConflictError:
                continue
            raise StoreError(
                "the storage ignores the conditions of writes, so that two harvests could overwrite each other",
                self.url,
                f"use a storage with conditional writes; {_DOCS} lists them",
            )

    def send(self, files: Mapping[str, Path]) -> None:
        """Write objects from files."""

        def send(item: tuple[str, Path]) -> None:
            with self._reported("written"):
                self._filesystem.put_file(str(item[1]), self._path(item[0]))

        in_parallel(send, files.items())

    def fetch(self, key: str, size: int, target: Path) -> bool:
        """Read an object into a file; return whether it exists."""
        with self._reported("read"):
            try:
                if size <= _SMALL:
                    target.write_bytes(self._filesystem.cat_file(self._path(key)))
                else:
                    self._filesystem.get_file(self._path(key), str(target))
            except FileNotFoundError:
                target.unlink(missing_ok=True)
                return False
        return True

    def objects(self) -> dict[str, int]:
        """Return the keys and the sizes of all objects of the store, as they are now."""
        with self._reported("listed"):
            try:
                found = self._filesystem.find(self._root, detail=True)
            except FileNotFoundError:
                return {}
        inner = self._root.strip("/")
        return {
            str(path).strip("/").removeprefix(inner).lstrip("/"): int(details.get("size") or 0)
            for path, details in found.items()
        }

    def remove(self, keys: Iterable[str]) -> None:
        """Remove objects, if they exist."""

        def remove(key: str) -> None:
            with self._reported("written"):
                try:
                    self._filesystem.rm_file(self._path(key))
                except FileNotFoundError:
                    return

        in_parallel(remove, keys)

    def _path(self, key: str) -> str:
        return f"{self._root}/{key}"

    @contextmanager
    def _reported(self, done: str) -> Iterator[None]:
        """Report what a client raises as one line."""
        try:
            yield
        except (LineageError, ConflictError):
            raise
        except Exception as error:
            words = " ".join(str(error).split()) or type(error).__name__
            raise StoreError(f"the storage cannot be {done}: {words}", self.url, _hint(error, words)) from error


def _hint(error: Exception, words: str) -> str:
    names = {type(each).__name__ for each in (error, error.__cause__, error.__context__)}
    if names & {"NoCredentialsError", "PartialCredentialsError", "DefaultCredentialsError", "CredentialRetrievalError"}:
        return f"set the credentials of the storage; {_DOCS} lists the variables"
    if isinstance(error, PermissionError) or any(word in words for word in ("Forbidden", "Authoriz", "AccessControl")):
        return f"check the credentials and their permissions; {_DOCS} lists them"
    if isinstance(error, FileNotFoundError) or "bucket" in words.lower():
        return "create the bucket, or correct its name"
    return "check the address, the network and the credentials"


def in_parallel(do: Callable[[_Item], None], items: Iterable[_Item]) -> None:
    """Run a function on each item, several at once."""
    with ThreadPoolExecutor(_THREADS) as executor:
        for _ in executor.map(do, items):
            pass
