"""Versions from a folder to the storage: files, then the list of each version, then the object that switches."""

from __future__ import annotations

import importlib
import logging
import shutil
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, BinaryIO

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.remote.current import (
    CURRENT_KEY,
    LISTS,
    Current,
    Files,
    RemoteFile,
    RemoteVersion,
    is_own_key,
    key_of,
    list_content,
    sha256_of,
)
from eventlog_lineage.store.remote.storage import ConflictError, Storage
from eventlog_lineage.store.schema.database import (
    DATABASE_NAME,
    find_relations,
    open_for_writing,
    point_to_runs,
    remove_database,
    writable_path,
)
from eventlog_lineage.store.schema.relations import RUNS
from eventlog_lineage.store.versions.folder import VERSIONS, current_version, version_number, version_numbers
from eventlog_lineage.store.versions.manifest import MANIFEST, ListedFile, checksum, read_manifest, write_manifest

_MEMORY_LIMIT = "600MB"


def point_to_objects(database: Path, url: str, objects: Mapping[str, str], version: Path) -> None:
    """Let the views of a database read objects of the storage.

    DuckDB reads the files when a view is created. It reads the local ones here, by the objects' names, so that no
    client of DuckDB for the storage is needed.

    Args:
        database: The database; its file is replaced, and links to the old one keep the old views.
        objects: The files of the runs, by their paths in the version, and their keys.
    """
    names = {f"{url}/{key}": str(version / path) for path, key in objects.items()}
    tables: dict[str, list[str]] = {}
    for path, key in sorted(objects.items()):
        tables.setdefault(Path(path).parts[1], []).append(f"{url}/{key}")
    with tempfile.TemporaryDirectory(prefix=".views-", dir=version.parent) as scratch:
        draft = Path(scratch, database.name)
        written = writable_path(draft)
        shutil.copyfile(database, written)
        with open_for_writing(written, Path(scratch), _MEMORY_LIMIT) as connection:
            find_relations(connection)
            connection.register_filesystem(_local_files(url.partition(":")[0], names))
            point_to_runs(connection, url, tables)
            connection.execute("CHECKPOINT")
        if written != draft:
            shutil.move(written, draft)
            remove_database(written, draft)
        draft.chmod(database.stat().st_mode & 0o777)
        draft.replace(database)


def _local_files(scheme: str, names: Mapping[str, str]) -> Any:
    """Return a file system of fsspec that has local files by the URLs of objects.

    Args:
        names: The local file of each object's URL.
    """
    fsspec: Any = importlib.import_module("fsspec")

    def local(path: str) -> Path:
        return Path(names.get(path) or names[f"{scheme}://{path}"])

    def info(_: object, path: str, **options: object) -> dict[str, object]:
        return {"name": path, "size": local(path).stat().st_size, "type": "file"}

    def exists(_: object, path: str, **options: object) -> bool:
        return path in names or f"{scheme}://{path}" in names

    def find(_: object, path: str, **options: object) -> list[str]:
        return [path]

    def read(_: object, path: str, mode: str = "rb", **options: object) -> BinaryIO:
        return local(path).open("rb")

    def modified(_: object, path: str) -> datetime:
        return datetime.fromtimestamp(local(path).stat().st_mtime, timezone.utc)

    methods = {
        "protocol": scheme,
        "cachable": False,
        "info": info,
        "exists": exists,
        "glob": find,
        "open": read,
        "modified": modified,
    }
    return type("LocalFiles", (fsspec.AbstractFileSystem,), methods)()


_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Publication:
    """What one harvest, or one repair, sends to a storage.

    Attributes:
        storage: Where to.
        folder: The folder that has the versions.
        current: What the storage has, as this writer claimed it.
        tag: The tag of `current`.
        known: The files of the versions in the storage, by number; without those that are damaged there.
        sent: The versions that were sent.
    """

    storage: Storage
    folder: Path
    current: Current
    tag: str
    known: Mapping[int, Files]
    sent: list[RemoteVersion] = field(default_factory=list)

    def publish(self, keep: int) -> Current:
        """Send the versions that the storage does not have, and switch to the folder's current one.

        Args:
            keep: How many versions stay if there is a new one.

        Raises:
            StoreError: The storage cannot be written, or another harvest has taken over.
        """
        number = version_number(current_version(self.folder))
        numbers = version_numbers(self.folder)
        versions = {each.number: each for each in self.current.versions}
        for aside in (self.folder / VERSIONS).glob("*.damaged"):
            versions.pop(int(aside.stem), None)
        for each in numbers:
            versions[each] = self._send(each, versions.get(each))
        if number > self.current.last:
            others = [each for each in sorted(versions) if each not in (number, self.current.version)]
            for each in others[: max(0, len(others) - max(0, keep - 2))]:
                del versions[each]
        switched = Current(
            version=number,
            last=max(self.current.last, *numbers),
            writer=self.current.writer,
            versions=tuple(versions[each] for each in sorted(versions)),
        )
        try:
            self.storage.write(CURRENT_KEY, switched.as_json(), self.tag)
        except ConflictError:
            raise taken_over(self.storage.url) from None
        return switched

    def _send(self, number: int, known: RemoteVersion | None) -> RemoteVersion:
        """Send what the storage does not have of a version, and its list.

        Args:
            known: The version as the storage has it, or None.
        """
        version = self.folder / VERSIONS / str(number)
        keys = {(path, each.file): each.key for files in self.known.values() for path, each in files.items()}
        listed = dict(read_manifest(version))
        if known and self._is_sent(number, version, listed):
            return known
        runs = {path: file for path, file in listed.items() if path.startswith(f"{RUNS}/")}
        if (DATABASE_NAME, listed[DATABASE_NAME]) not in keys or any(run not in keys for run in runs.items()):
            listed = self._point_views(number, version, listed, keys)
        listed[MANIFEST] = ListedFile((version / MANIFEST).stat().st_size, checksum(version / MANIFEST))
        files = {
            path: RemoteFile(file, keys.get((path, file)) or self._new_key(path, number))
            for path, file in listed.items()
        }
        new = {each.key: version / path for path, each in files.items() if (path, each.file) not in keys}
        self.storage.send(new)
        content = list_content(number, files)
        list_key = self._new_key(f"{LISTS}/files.json", number)
        (list_file := version.with_suffix(".list")).write_bytes(content)
        self.storage.send({list_key: list_file})
        sent = RemoteVersion(number, list_key, sha256_of(content), files[DATABASE_NAME].key)
        self.sent.append(sent)
        return sent

    def _is_sent(self, number: int, version: Path, listed: Mapping[str, ListedFile]) -> bool:
        """Return whether the storage has all files of a version."""
        sent = self.known.get(number, {})
        if MANIFEST not in sent or sent[MANIFEST].file.sha256 != checksum(version / MANIFEST):
            return False
        return all(path in sent and sent[path].file == file for path, file in listed.items())

    def _point_views(
        self,
        number: int,
        version: Path,
        listed: dict[str, ListedFile],
        keys: Mapping[tuple[str, ListedFile], str],
    ) -> dict[str, ListedFile]:
        """Point the views of a version's database at the objects, and return the version's changed files."""
        from eventlog_lineage.store.remote.publishing import point_to_objects  # noqa: PLC0415 - imports DuckDB

        runs = {
            path: keys.get((path, file)) or self._new_key(path, number)
            for path, file in listed.items()
            if path.startswith(f"{RUNS}/")
        }
        point_to_objects(version / DATABASE_NAME, self.storage.url, runs, version)
        known = {path: file for path, file in listed.items() if path != DATABASE_NAME}
        (version / MANIFEST).unlink()  # it may be a link to a file of another folder
        write_manifest(version, known)
        return read_manifest(version)

    def _new_key(self, path: str, number: int) -> str:
        return key_of(path, number, self.current.writer)


def claim(storage: Storage, found: Current, tag: str | None, writer: str) -> tuple[Current, str]:
    """Enter this writer in `current`: a harvest that began before cannot switch any more.

    Args:
        storage: The store's storage; the lock is held.
        found: What `current` has.
        tag: Its tag; None if it does not exist.

    Returns:
        What `current` has now, and its tag.

    Raises:
        StoreError: Another harvest was faster.
    """
    claimed = replace(found, writer=writer)
    try:
        storage.write(CURRENT_KEY, claimed.as_json(), tag)
    except ConflictError:
        raise taken_over(storage.url) from None
    written = storage.read_tagged(CURRENT_KEY)
    if written is None or written.content != claimed.as_json():
        raise taken_over(storage.url)
    return claimed, written.tag


def remove_leftovers(storage: Storage, objects: Iterable[str], versions: Iterable[Files], current: Current) -> None:
    """Remove the objects that no version has: of killed harvests, and of versions that do not stay.

    Args:
        versions: The files of the versions that stay, damaged ones included.
    """
    needed = {each.key for files in versions for each in files.values()}
    needed |= {each.list_key for each in current.versions}
    unused = [key for key in objects if is_own_key(key) and key not in needed]
    try:
        storage.remove(unused)
    except StoreError as error:  # the next harvest removes them
        _LOG.warning("unused objects cannot be removed", extra={"facts": {"store": storage.url, "error": str(error)}})


def taken_over(url: str) -> StoreError:
    """Return the error for a writer that was too slow."""
    return StoreError("another harvest has taken over this store", url, "it is as that harvest left it; harvest again")


def without_lost(files: Files, lost: Collection[str]) -> Files:
    """Return the files of a version without those whose objects are missing or damaged."""
    return {path: each for path, each in files.items() if each.key not in lost}
