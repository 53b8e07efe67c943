"""A storage that a store is on: reads, sends and lists objects, and reports what fails in one line."""

from __future__ import annotations

import importlib
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from eventlog_lineage.errors import DOCS, LineageError, StoreError, UsageError

from .address import EXTRAS
from .conditional import ConflictError, Tagged, conditional, wrong_tag

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
        from eventlog_lineage.events.sources.remote_files import BACKENDS  # noqa: PLC0415 - local stores open without it

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
            key: The object.
            content: Unique: no writer writes the same bytes twice.
            tag: The tag; None to create the object.

        Raises:
            ConflictError: Another writer was faster.
            StoreError: It cannot be written.
        """
        with self._reported("written"):
            self._conditional.write(self._path(key), content, tag)

    def check_conditions(self, key: str) -> None:
        """Check that the storage compares tags; without it two harvests could overwrite each other.

        Args:
            key: An object that exists.

        Raises:
            StoreError: It ignores the conditions.
        """
        for tag in (None, wrong_tag(self.scheme)):
            try:
                self.write(key, b"{}", tag)
            except ConflictError:
                continue
            raise StoreError(
                "the storage ignores the conditions of writes, so that two harvests could overwrite each other",
                self.url,
                f"use a storage with conditional writes; {_DOCS} lists them",
            )

    def send(self, files: Mapping[str, Path]) -> None:
        """Write objects from files.

        Args:
            files: Key to file.
        """

        def send(item: tuple[str, Path]) -> None:
            with self._reported("written"):
                self._filesystem.put_file(str(item[1]), self._path(item[0]))

        in_parallel(send, files.items())

    def fetch(self, key: str, size: int, target: Path) -> bool:
        """Read an object into a file; return whether it exists.

        Args:
            key: The object.
            size: Its size in bytes: a small one is one request.
            target: The file, in a folder that exists.
        """
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
        """Report what a client raises as one line.

        Args:
            done: What cannot be done with the storage: `read`, `written`.
        """
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
    """Run a function on each item, several at once.

    Args:
        do: Called in threads; its first error is raised.
        items: The items.
    """
    with ThreadPoolExecutor(_THREADS) as executor:
        for _ in executor.map(do, items):
            pass
