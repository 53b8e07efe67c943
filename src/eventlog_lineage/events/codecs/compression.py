"""Decode a log's bytes by their first bytes, not by the file's name.

The History Server writes compact files with its own codec under the old name, people rename logs, and Databricks
compresses with gzip. Everything is streamed: compressed bytes are read in pieces, and text is returned in chunks of at
most `CHUNK` bytes or one block of the codec, whichever is larger.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, BinaryIO

import zstandard

from eventlog_lineage.model import Word

from . import java_framings
from .counted_input import CorruptInput, CountedInput, TruncatedInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .counted_input import CountedInput

CHUNK = 512 * 1024
"""Bytes of text per chunk; a chunk fits into a core's cache."""

_INPUT = 128 * 1024


def plain_chunks(source: CountedInput) -> Iterator[bytes]:
    """Yield the bytes unchanged."""
    while chunk := source.read(CHUNK):
        yield chunk


def zstd_chunks(source: CountedInput) -> Iterator[bytes]:
    """Decode zstd: one frame per flush (`ZStdCompressionCodec`); the last frame may be incomplete.

    Raises:
        CorruptInput: A frame is damaged; the text before the damage has been returned.
    """
    delivered = 0
    try:
        reader = _zstd_reader(source)
        while chunk := reader.read(CHUNK):
            delivered += len(chunk)
            yield chunk
    except zstandard.ZstdError as error:
        if delivered % CHUNK == 0 and source.rewound():
            yield from _zstd_before_damage(source, delivered)
        raise CorruptInput(f"damaged zstd frame ({error})") from error


def _zstd_reader(source: CountedInput) -> zstandard.ZstdDecompressionReader:
    return zstandard.ZstdDecompressor().stream_reader(source, read_size=_INPUT, read_across_frames=True)  # type: ignore[arg-type]


def _zstd_before_damage(source: CountedInput, delivered: int) -> Iterator[bytes]:
    """Decode the blocks that a failed read loses: zstd drops the blocks before the bad one in the same call.

    A read of one byte fails only if its own block is bad.

    Args:
        delivered: The number of bytes that were decoded before.
    """
    reader = _zstd_reader(source)
    for _ in range(delivered // CHUNK):
        reader.read(CHUNK)
    saved = bytearray()
    try:
        while byte := reader.read(1):
            saved += byte
    except zstandard.ZstdError:
        pass
    yield bytes(saved)


def gzip_chunks(source: CountedInput) -> Iterator[bytes]:
    """Decode gzip: one or more members; zeros after the last one are allowed, as by gzip.

    Raises:
        CorruptInput: A member is damaged.
        TruncatedInput: The last member is incomplete.
    """
    inflater = zlib.decompressobj(31)
    begun = False
    while block := source.read():
        while block:
            if inflater.eof:
                inflater, begun = zlib.decompressobj(31), False
            if not begun:
                block = block.lstrip(b"\0")
                if not block:
                    break
                begun = True
            spare = inflater.copy()
            try:
                chunk = inflater.decompress(block, CHUNK)
            except zlib.error as error:
                yield _inflated_before_damage(spare, block)
                raise CorruptInput(f"damaged gzip stream ({error})") from error
            if chunk:
                yield chunk
            block = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    if begun and not inflater.eof:
        if rest := inflater.flush():
            yield rest
        raise TruncatedInput("the gzip stream is truncated")


def _inflated_before_damage(inflater: zlib._Decompress, block: bytes) -> bytes:
    saved = bytearray()
    try:
        for index in range(len(block)):
            saved += inflater.decompress(block[index : index + 1])
            if len(saved) > CHUNK:
                break
    except zlib.error:
        pass
    return bytes(saved)


class Codec(Word):
    """How a log's text is stored; the values are Spark's names, with `gzip` for Databricks."""

    NONE = "none"
    GZIP = "gzip"
    ZSTD = "zstd"
    LZ4 = "lz4"
    SNAPPY = "snappy"
    LZF = "lzf"


_MAGIC = (
    (b"\x28\xb5\x2f\xfd", Codec.ZSTD),
    (b"\x1f\x8b", Codec.GZIP),
    (java_framings.LZ4_MAGIC, Codec.LZ4),
    (java_framings.SNAPPY_MAGIC, Codec.SNAPPY),
    (java_framings.LZF_MAGIC, Codec.LZF),
)


_FREE = 256 * 1024 * 1024
"""Bytes of text that every part may have."""


def codec_of(head: bytes) -> Codec:
    """Return the codec of a file from its first bytes; 8 are sufficient. Unknown bytes are plain text."""
    return next((codec for magic, codec in _MAGIC if head.startswith(magic)), Codec.NONE)


class Decoding:
    """The text of a log part; it can be iterated once.

    A damaged part is decoded up to the damage and then ends; damage raises no exception.

    Args:
        stream: The bytes as stored, at their start; not closed.
        expansion: Limit of the bytes of text per stored byte, beyond the first 256 MiB; None for no limit.
        on_read: Called before each piece of stored bytes is read, also of those without text; it may raise.

    Attributes:
        codec: The codec; None before the iteration, and if there are no bytes.
        damage: After the iteration, the damage of the bytes; None if there is none.
        is_truncated: After the iteration, whether the bytes end within a block, as in the log of a killed driver. zstd
            and plain text do not show it.
        limit: After the iteration, the limit that ended it; empty if none did.

    Raises:
        LogError: The storage fails, during the iteration.
    """

    def __init__(
        self, stream: BinaryIO, expansion: int | None = None, on_read: Callable[[], None] = lambda: None
    ) -> None:
        self._source = CountedInput(stream, on_read)
        self._expansion = expansion
        self.codec: Codec | None = None
        self.damage: str | None = None
        self.is_truncated = False
        self.limit = ""

    @property
    def bytes_read(self) -> int:
        """Bytes read from storage so far."""
        return self._source.bytes_read

    def __iter__(self) -> Iterator[bytes]:
        head = self._source.head()
        if not head:
            return
        self.codec = codec_of(head)
        if self.codec is Codec.NONE and any(magic.startswith(head) for magic, _ in _MAGIC):
            self.is_truncated = True  # too short to detect the codec: a driver has just started to write it
            return
        try:
            yield from self._bounded(filter(None, _DECODERS[self.codec](self._source)))
        except TruncatedInput:
            self.is_truncated = True
        except CorruptInput as damage:
            self.damage = str(damage)
        if self._source.damage:
            self.damage, self.is_truncated = self._source.damage, False

    def _bounded(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the chunks, up to the limit of text per stored byte."""
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if self._expansion is not None and size > _FREE + self._expansion * self.bytes_read:
                self.limit = f"{self.bytes_read} stored bytes contain more than {size - len(chunk)} bytes of text"
                return
            yield chunk


def _gathered(blocks: Callable[[Callable[[int], bytes]], Iterator[bytes]]) -> Callable[[CountedInput], Iterator[bytes]]:
    """Return a decoder that joins the small blocks of the Java framings to chunks, also before damage."""

    def decoder(source: CountedInput) -> Iterator[bytes]:
        gathered: list[bytes] = []
        size = 0
        try:
            for block in blocks(source.exactly):
                gathered.append(block)
                size += len(block)
                if size >= CHUNK:
                    yield b"".join(gathered)
                    gathered, size = [], 0
        except CorruptInput:
            yield b"".join(gathered)
            raise
        yield b"".join(gathered)

    return decoder


_DECODERS: Mapping[Codec, Callable[[CountedInput], Iterator[bytes]]] = {
    Codec.NONE: plain_chunks,
    Codec.GZIP: gzip_chunks,
    Codec.ZSTD: zstd_chunks,
    Codec.LZ4: _gathered(java_framings.lz4_blocks),
    Codec.SNAPPY: _gathered(java_framings.snappy_blocks),
    Codec.LZF: _gathered(java_framings.lzf_blocks),
}
