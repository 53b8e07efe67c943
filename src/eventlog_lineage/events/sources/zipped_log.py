"""Read the zip of an attempt's log from a History Server: one file, or the parts of a rolling log.

`EventLogFileReader.zipEventLogFiles` of Spark 3.0 to 4.3 writes them with Java's `ZipOutputStream`: deflated, sizes
after the bytes, in the order of the parts.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import IO, TYPE_CHECKING, Any, BinaryIO

from eventlog_lineage.errors import LogError
from eventlog_lineage.events.codecs.compression import Decoding, codec_of

from . import layouts

if TYPE_CHECKING:
    from collections.abc import Callable

_PIECE = 1024 * 1024
_BOMB_RATIO, _BOMB_SIZE = 1000, 1 << 28
_LOCAL_HEADER = struct.Struct("<4sHHHHHLLLHH")
_LOCAL_MAGIC = b"PK\x03\x04"
_STORED, _DEFLATED = 0, 8
_CHECK = "check what the server holds"


def open_zip(spool: IO[bytes], path: str, open_files: ExitStack) -> BinaryIO:
    """Open the log in a zip.

    Returns:
        The log's bytes as Spark stored them; the parts of a rolling log are concatenated. A damaged zip is read up to
        the damage.

    Raises:
        LogError: It is not a zip, or contains no log.
    """
    entries: Sequence[_Entry]
    try:
        archive = open_files.enter_context(zipfile.ZipFile(spool))
        entries = [_of_archive(archive, info) for info in _in_order(archive.infolist(), path)]
        damage = ""
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        entries = [entry for entry in _salvaged(spool) if not layouts.never_a_log(_base(entry.name))]
        damage = f"damaged zip ({error})"
        if not entries:
            raise LogError(
                "the server gives no zip of the log", f"{path}: {error}", "check the server's log"
            ) from error
    return _Parts(entries, damage, open_files.pop_all())  # type: ignore[return-value]


class _Entry:
    """A file in a zip: its name, and how to read it from its beginning."""

    def __init__(self, name: str, read: Callable[[], Iterator[bytes]]) -> None:
        self.name = name
        self.read = read


def _of_archive(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Entry:
    def read() -> Iterator[bytes]:
        with archive.open(info) as stream:
            while piece := stream.read(_PIECE):
                yield piece

    return _Entry(info.filename, read)


def _in_order(entries: Sequence[zipfile.ZipInfo], path: str) -> list[zipfile.ZipInfo]:
    """Return the files of a zip that contain events, in the order in which they were written.

    Raises:
        LogError: There is none, or the size of one exceeds that of any log.
    """
    files = [entry for entry in entries if not entry.is_dir()]
    found = [entry for entry in files if not layouts.never_a_log(_base(entry.filename))]
    for entry in found:
        if entry.file_size > _BOMB_SIZE and entry.file_size > _BOMB_RATIO * max(entry.compress_size, 1):
            raise LogError("the zip unpacks to more than a log can be", path, _CHECK)
    if not found:
        raise LogError("the zip holds no event log", path, _CHECK)
    return sorted(found, key=_write_order)


def _write_order(entry: zipfile.ZipInfo) -> tuple[int, bool, str]:
    name = _base(entry.filename)
    return layouts.rolling_index(name) or 0, name.endswith(layouts.COMPACT), name


def _base(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _salvaged(spool: IO[bytes]) -> Iterator[_Entry]:
    """Yield the files of a zip without its directory at the end, by the headers before each file."""
    spool.seek(0)
    while True:
        offset = spool.tell()
        header = spool.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or header[:4] != _LOCAL_MAGIC:
            return
        _, _, _, method, *_, size, _, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        name = spool.read(name_length).decode("utf-8", "replace")
        start = offset + _LOCAL_HEADER.size + name_length + extra_length
        if method not in {_STORED, _DEFLATED} or (method == _STORED and not size and not name.endswith("/")):
            return
        if not name.endswith("/"):
            yield _Entry(name, lambda start=start, method=method, size=size: _inflated(spool, start, method, size))  # type: ignore[misc]
        if not _skip(spool, start, method, size):
            return


def _inflated(spool: IO[bytes], start: int, method: int, size: int) -> Iterator[bytes]:
    """Yield the bytes of a file that begins at an offset, until it or the zip ends.

    Args:
        spool: The bytes of the zip.
        size: The number of compressed bytes; 0 if unknown.
    """
    spool.seek(start)
    if method == _STORED:
        yield spool.read(size)
        return
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    at = start
    rest = b""
    while not inflater.eof:
        if not rest:
            spool.seek(at)  # another reader may have moved the position
            rest = spool.read(_PIECE)
            at += len(rest)
        if not rest:
            return
        try:
            text = inflater.decompress(rest, _PIECE)
        except zlib.error:
            return
        rest = inflater.unconsumed_tail
        if text:
            yield text


def _skip(spool: IO[bytes], start: int, method: int, size: int) -> bool:
    """Move to the header after a file; return whether there is one.

    Args:
        spool: The bytes of the zip.
        size: The number of compressed bytes; 0 if unknown.
    """
    if size:
        spool.seek(start + size)
    elif method == _STORED:
        spool.seek(start)
    elif not _skip_deflated(spool, start):
        return False
    at = spool.tell()
    window = spool.read(64)  # a data descriptor of 12 to 24 bytes may precede it
    found = window.find(_LOCAL_MAGIC)
    spool.seek(at + max(found, 0))
    return found >= 0


def _skip_deflated(spool: IO[bytes], start: int) -> bool:
    spool.seek(start)
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    while piece := spool.read(_PIECE):
        try:
            rest = piece
            while rest and not inflater.eof:
                inflater.decompress(rest, _PIECE)
                rest = inflater.unconsumed_tail
        except zlib.error:
            return False
        if inflater.eof:
            spool.seek(-len(inflater.unused_data), io.SEEK_CUR)
            return True
    return False


class _Parts(io.RawIOBase):
    """The files of a zip, concatenated; as text if their codecs differ.

    Attributes:
        damage: After the last byte, the damage of the zip; empty if there is none. It is not an exception, as decoders
            would lose what they have already decoded.
    """

    def __init__(self, entries: Sequence[_Entry], damage: str, open_files: ExitStack) -> None:
        self._open_files = open_files
        self.damage = damage
        self._chunks = self._read_all(entries)
        self._rest = b""

    def _read_all(self, entries: Sequence[_Entry]) -> Iterator[bytes]:
        heads = [_head(entry) for entry in entries] if len(entries) > 1 else []
        as_text = len({codec_of(head) for head in heads if head}) > 1
        for entry in entries:
            yield from Decoding(_stream(entry)) if as_text else entry.read()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            try:
                self._rest = next(self._chunks)
            except StopIteration:  # noqa: PERF203
                return 0
            except (zipfile.BadZipFile, zlib.error, EOFError) as error:
                self.damage = f"damaged zip ({error})"
                return 0
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        self._open_files.close()
        super().close()


def _head(entry: _Entry) -> bytes:
    try:
        return next(entry.read(), b"")[:8]
    except (zipfile.BadZipFile, zlib.error, EOFError):
        return b""


def _stream(entry: _Entry) -> BinaryIO:
    return io.BufferedReader(_Chunks(entry.read()))


class _Chunks(io.RawIOBase):
    """Chunks as a stream."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._chunks, None)
            if piece is None:
                return 0
            self._rest = piece
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size
