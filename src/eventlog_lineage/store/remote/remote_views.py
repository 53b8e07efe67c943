"""The views over runs in a database that is sent to the storage: they lead to the objects there."""

from __future__ import annotations

import importlib
import shutil
import tempfile
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, BinaryIO

from eventlog_lineage.store.publish.database import (
    find_relations,
    open_for_writing,
    point_to_runs,
    remove_database,
    writable_path,
)

_MEMORY_LIMIT = "600MB"


def point_to_objects(database: Path, url: str, objects: Mapping[str, str], version: Path) -> None:
    """Let the views of a database read objects of the storage.

    DuckDB reads the files when a view is created. It reads the local ones here, by the objects' names, so that no
    client of DuckDB for the storage is needed.

    Args:
        database: The database; its file is replaced, and links to the old one keep the old views.
        url: The store's URL.
        objects: The files of the runs, by their paths in the version, and their keys.
        version: The version's local folder.
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
        scheme: The scheme of the objects' URLs.
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
