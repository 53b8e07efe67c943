"""Where a made-up secret is left: files of any kind, tables, outputs, and files that exist for a moment only."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import zstandard

_ZSTD = b"\x28\xb5\x2f\xfd"
_AROUND = 60


class Leaks:
    """What was found, by where.

    Args:
        marks: What is in every made-up secret, in any case.
    """

    def __init__(self, marks: tuple[str, ...]) -> None:
        self._pattern = re.compile("|".join(map(re.escape, marks)), re.IGNORECASE)
        self._bytes = re.compile(self._pattern.pattern.encode(), re.IGNORECASE)
        self.found: dict[str, set[str]] = {}
        self.searched = 0

    def text(self, where: str, text: str) -> None:
        """Search a text."""
        self.searched += len(text)
        for match in self._pattern.finditer(text):
            around = text[max(0, match.start() - _AROUND) : match.end() + _AROUND]
            self.found.setdefault(where, set()).add(" ".join(around.split()))

    def content(self, where: str, content: bytes) -> None:
        """Search a file's bytes, and what is compressed in them."""
        self.searched += len(content)
        if self._bytes.search(content):
            self.text(where, content.decode("utf-8", "replace"))
        at = content.find(_ZSTD)
        while at >= 0:
            with suppress(zstandard.ZstdError):
                self.text(f"{where} (zstd)", _decompressed(content[at:]).decode("utf-8", "replace"))
            at = content.find(_ZSTD, at + 4)

    def store(self, folder: Path) -> None:
        """Search a store: its files, the rows of its Parquet files, the tables and views of its database."""
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            self.content(str(path.relative_to(folder)), path.read_bytes())
            if path.suffix == ".parquet":
                self.text(str(path.relative_to(folder)), repr(pq.ParquetFile(path).read().to_pylist()))
        for database in folder.rglob("*.duckdb"):
            with duckdb.connect(str(database), read_only=True) as connection:
                for schema, name in _relations(connection):
                    rows = connection.execute(f'SELECT * FROM "{schema}"."{name}"').fetchall()
                    self.text(f"{database.name} {schema}.{name}", repr(rows))


def _relations(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, str]]:
    query = "SELECT table_schema, table_name FROM information_schema.tables ORDER BY ALL"
    yield from connection.execute(query).fetchall()


def _decompressed(content: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompressobj().decompress(content)


class Watch(threading.Thread):
    """Reads the files of a folder again and again while others write and remove them.

    Args:
        folder: The folder.
        leaks: Takes what the files hold.
    """

    def __init__(self, folder: Path, leaks: Leaks) -> None:
        super().__init__(daemon=True)
        self._folder, self._leaks = folder, leaks
        self._ended = threading.Event()
        self._seen: dict[Path, tuple[int, int]] = {}
        self.files: set[Path] = set()

    def run(self) -> None:
        """Read what is new, until stopped."""
        while not self._ended.wait(0.05):
            self._look()

    def stop(self) -> None:
        """Read once more, and end."""
        self._ended.set()
        self.join()
        self._look()

    def _look(self) -> None:
        for path in list(self._paths()):
            with suppress(OSError):
                state = path.stat()
                if self._seen.get(path) != (state.st_size, state.st_mtime_ns):
                    self._seen[path] = (state.st_size, state.st_mtime_ns)
                    self.files.add(path)
                    self._leaks.content(f"scratch: {path.relative_to(self._folder)}", path.read_bytes())

    def _paths(self) -> Iterator[Path]:
        with suppress(OSError):
            yield from (path for path in self._folder.rglob("*") if path.is_file() and path.suffix != ".jar")
