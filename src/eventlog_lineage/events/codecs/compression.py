"""Decode a log's bytes by what they are, not by what the file is called.

The History Server writes compact files of its own codec under the old name, people rename logs, and Databricks
compresses with gzip: so the first bytes decide. Everything streams: compressed bytes are read piecewise and text
comes in chunks of at most `CHUNK` bytes or one block of the codec, whichever is larger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from eventlog_lineage.model import Word

from . import java_framings
from .corruption import BreaksOff, Damage
from .counted_input import Source
from .standard_codecs import CHUNK, gzip_chunks, plain_chunks, zstd_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


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
"""Bytes of text that any part may give."""


def codec_of(head: bytes) -> Codec:
    """Tell the codec from the first bytes of a file; 8 are enough. What is unknown counts as plain."""
    return next((codec for magic, codec in _MAGIC if head.startswith(magic)), Codec.NONE)


class Decoding:
    """A log part's text, to be iterated once.

    A damaged part gives everything before the damage and then ends; it never raises for what the bytes are.

    Args:
        stream: The bytes as stored, at their start. Left open.
        expansion: How many bytes of text a stored byte may give, beyond the first 256 MiB; None for any number.

    Attributes:
        codec: What the bytes are; None until iterated, and where there are none.
        damage: After the iteration what is wrong with the bytes; None where nothing is.
        breaks_off: After the iteration whether the bytes end where more must follow, which is how a killed driver
            leaves its log. zstd and plain text cannot tell.
        limit: After the iteration the limit that ended it; empty where none did.

    Raises:
        LogError: From the iteration, if the storage fails.
    """

    def __init__(self, stream: BinaryIO, expansion: int | None = None) -> None:
        self._source = Source(stream)
        self._expansion = expansion
        self.codec: Codec | None = None
        self.damage: str | None = None
        self.breaks_off = False
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
            self.breaks_off = True  # too short to tell: a driver has just begun to write it
            return
        try:
            yield from self._bounded(filter(None, _DECODERS[self.codec](self._source)))
        except BreaksOff:
            self.breaks_off = True
        except Damage as damage:
            self.damage = str(damage)
        if self._source.damage:
            self.damage, self.breaks_off = self._source.damage, False

    def _bounded(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The chunks, as long as they are not more than stored bytes can be worth."""
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if self._expansion is not None and size > _FREE + self._expansion * self.bytes_read:
                self.limit = f"{self.bytes_read} stored bytes give more than {size - len(chunk)} bytes of text"
                return
            yield chunk


def _gathered(blocks: Callable[[Callable[[int], bytes]], Iterator[bytes]]) -> Callable[[Source], Iterator[bytes]]:
    """Join the small blocks of the Java framings into chunks, damage or not."""

    def decoder(source: Source) -> Iterator[bytes]:
        gathered: list[bytes] = []
        size = 0
        try:
            for block in blocks(source.exactly):
                gathered.append(block)
                size += len(block)
                if size >= CHUNK:
                    yield b"".join(gathered)
                    gathered, size = [], 0
        except Damage:
            yield b"".join(gathered)
            raise
        yield b"".join(gathered)

    return decoder


_DECODERS: Mapping[Codec, Callable[[Source], Iterator[bytes]]] = {
    Codec.NONE: plain_chunks,
    Codec.GZIP: gzip_chunks,
    Codec.ZSTD: zstd_chunks,
    Codec.LZ4: _gathered(java_framings.lz4_blocks),
    Codec.SNAPPY: _gathered(java_framings.snappy_blocks),
    Codec.LZF: _gathered(java_framings.lzf_blocks),
}
