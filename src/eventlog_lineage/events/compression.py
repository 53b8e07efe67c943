"""Decode the bytes of a log part to chunks of text; the bytes decide the codec.

Corrupt and truncated input ends a stream; its reader reports it. Codecs do not depend on events.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO

import zstandard

from eventlog_lineage.errors import LogError
from eventlog_lineage.model import Word

if TYPE_CHECKING:
    from collections.abc import Mapping


class CorruptInput(Exception):  # noqa: N818 - a property of the input, not an error of the program
    """The following bytes cannot be decoded; the message is the reason."""


class TruncatedInput(CorruptInput):
    """The bytes end within a block."""


_INPUT = 128 * 1024
_HEAD = 16


class CountedInput:
    """The stored bytes of a part: read in pieces, counted, and read again from the start if the stream is seekable.

    Args:
        stream: The bytes, at their start.
        on_read: Called before each piece; it may raise.
    """

    def __init__(self, stream: BinaryIO, on_read: Callable[[], None] = lambda: None) -> None:
        self._stream = stream
        self._on_read = on_read
        self._head = b""
        self.bytes_read = 0

    @property
    def damage(self) -> str:
        """Damage that the storage reports, such as a damaged zip; empty if there is none."""
        return str(getattr(self._stream, "damage", ""))

    def read(self, size: int = _INPUT) -> bytes:
        """Return up to `size` bytes; empty at the end.

        Raises:
            LogError: The storage fails.
        """
        if self._head:
            taken, self._head = self._head[:size], self._head[size:]
            return taken
        self._on_read()
        try:
            piece = self._stream.read(size)
        except Exception as error:  # the backends of fsspec have their own exceptions
            raise self._error(str(error)) from error
        if piece is None:  # some regular files of the kernel block where they have nothing to read
            raise self._error("the file has no bytes now")
        self.bytes_read += len(piece)
        return piece

    def _error(self, reason: str) -> LogError:
        return LogError("cannot read the rest of the log", f"after {self.bytes_read} bytes: {reason}", "harvest again")

    def exactly(self, size: int) -> bytes:
        """Return `size` bytes; fewer only at the end."""
        piece = self.read(size)
        if len(piece) == size or not piece:
            return piece
        pieces, missing = [piece], size - len(piece)
        while missing and (piece := self.read(missing)):
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def head(self) -> bytes:
        """Return the first bytes without consuming them."""
        self._head = self.exactly(_HEAD)
        return self._head

    def rewound(self) -> bool:
        """Go back to the start; return whether the stream supports it."""
        if not self._stream.seekable():
            return False
        self._stream.seek(0)
        self._head = b""
        self.bytes_read = 0
        return True


LZ4_MAGIC = b"LZ4Block"
SNAPPY_MAGIC = b"\x82SNAPPY\x00"
LZF_MAGIC = b"ZV"

_LARGEST = 1 << 25
"""Limit of a block, stored and decoded, which is in memory as a whole: the largest that `LZ4BlockOutputStream` writes.
Spark writes blocks of 32 KiB (`spark.io.compression.lz4.blockSize`, `spark.io.compression.snappy.blockSize`)."""

Exactly = Callable[[int], bytes]


@cache
def _arrow_codec(name: str) -> Any:
    """Return Arrow's decoder of raw blocks; imported on first use."""
    return importlib.import_module("pyarrow").Codec(name)


def _decompressed(codec: str, block: bytes, size: int) -> bytes:
    try:
        decoded: bytes = _arrow_codec(codec).decompress(block, size, asbytes=True)
    except (OSError, ValueError) as error:  # ArrowInvalid is a ValueError
        raise CorruptInput(f"damaged {codec.removesuffix('_raw')} block ({error})") from error
    return decoded


def _whole(piece: bytes, size: int, what: str) -> bytes:
    if len(piece) < size:
        raise TruncatedInput(f"the {what} is truncated")
    return piece


def _is_possible(method: int, stored: int, size: int) -> bool:
    """Return whether the header of a block of lz4 can be right."""
    return method in (0x10, 0x20) and stored <= _LARGEST + 4096 and size <= _LARGEST and (not size or stored > 0)


def lz4_blocks(exactly: Exactly) -> Iterator[bytes]:
    """Decode `net.jpountz.lz4.LZ4BlockOutputStream`, which Spark's LZ4CompressionCodec writes.

    Each block: `LZ4Block`, a token (0x10 stored or 0x20 compressed, plus log2 of the block size - 10), compressed and
    original length and a check-sum (little endian, 4 bytes each). A block of length 0 ends a stream, another may
    follow. The check-sum (xxHash32) is not verified: a bad block nearly always fails to decode.

    Raises:
        CorruptInput: The stream is damaged.
    """
    while header := exactly(21):
        if not header.startswith(LZ4_MAGIC[: len(header)]):
            raise CorruptInput("damaged lz4 stream (no block header)")
        _whole(header, 21, "lz4 stream")
        is_stored = header[8] & 0xF0 == 0x10
        stored, size = int.from_bytes(header[9:13], "little"), int.from_bytes(header[13:17], "little")
        if not _is_possible(header[8] & 0xF0, stored, size):
            raise CorruptInput("damaged lz4 stream (impossible block header)")
        if size:
            block = _whole(exactly(stored), stored, "lz4 stream")
            if is_stored and stored != size:
                raise CorruptInput("damaged lz4 stream (impossible block header)")
            yield block if is_stored else _decompressed("lz4_raw", block, size)


def snappy_blocks(exactly: Exactly) -> Iterator[bytes]:
    """Decode `org.xerial.snappy.SnappyOutputStream`, which Spark's SnappyCompressionCodec writes.

    A header of 16 bytes (magic, version, least compatible version), then blocks: length (big endian, 4 bytes) and a
    raw snappy block. A header may follow between blocks, if streams are concatenated.

    Raises:
        CorruptInput: The stream is damaged.
    """
    _whole(exactly(16), 16, "snappy stream")
    while prefix := exactly(4):
        _whole(prefix, 4, "snappy stream")
        if SNAPPY_MAGIC.startswith(prefix):
            _whole(exactly(12), 12, "snappy stream")
            continue
        stored = int.from_bytes(prefix, "big")
        if stored > _LARGEST:
            raise CorruptInput(f"a snappy block of {stored} bytes; the limit is {_LARGEST}")
        block = _whole(exactly(stored), stored, "snappy stream")
        yield _decompressed("snappy", block, _snappy_size(block))


def _snappy_size(block: bytes) -> int:
    """Return the decoded length, a varint at the start of a raw snappy block."""
    size = 0
    for index, byte in enumerate(block[:5]):
        size |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if size > max(64 * len(block), 1 << 16):  # snappy cannot compress by more: a copy of 64 bytes takes 2
                raise CorruptInput("damaged snappy stream (impossible block length)")
            if size > _LARGEST:
                raise CorruptInput(f"a snappy block of {size} bytes; the limit is {_LARGEST}")
            return size
    raise CorruptInput("damaged snappy stream (impossible block length)")


def lzf_blocks(exactly: Exactly) -> Iterator[bytes]:
    """Decode `com.ning.compress.lzf.LZFOutputStream`, which Spark's LZFCompressionCodec writes.

    Each chunk: `ZV`, 0 (stored) or 1 (compressed), the length as stored and, if compressed, as decoded (big endian,
    2 bytes each).

    Raises:
        CorruptInput: The stream is damaged.
    """
    while header := exactly(5):
        if not header.startswith(LZF_MAGIC[: len(header)]):
            raise CorruptInput("damaged lzf stream (no chunk header)")
        _whole(header, 5, "lzf stream")
        stored = int.from_bytes(header[3:5], "big")
        if header[2] == 0:
            yield _whole(exactly(stored), stored, "lzf stream")
        elif header[2] == 1:
            size = int.from_bytes(_whole(exactly(2), 2, "lzf stream"), "big")
            yield _lzf_chunk(_whole(exactly(stored), stored, "lzf stream"), size)
        else:
            raise CorruptInput("damaged lzf stream (no chunk header)")


def _lzf_chunk(chunk: bytes, size: int) -> bytes:
    """Decode one LZF chunk.

    A control byte below 32 is the number of literals that follow, less 1. Otherwise its upper 3 bits (7: plus the next
    byte) are the length of a copy, less 2, and its lower 5 bits with the next byte are the distance, less 1.
    """
    out = bytearray()
    index, end = 0, len(chunk)
    try:
        while index < end:
            control = chunk[index]
            index += 1
            if control < 32:
                out += chunk[index : index + control + 1]
                index += control + 1
                continue
            length = control >> 5
            if length == 7:
                length += chunk[index]
                index += 1
            start = len(out) - ((control & 0x1F) << 8) - chunk[index] - 1
            index += 1
            _copy(out, start, length + 2)
    except IndexError as error:
        raise CorruptInput("damaged lzf chunk") from error
    if len(out) != size:
        raise CorruptInput("damaged lzf chunk (wrong length)")
    return bytes(out)


def _copy(out: bytearray, start: int, length: int) -> None:
    """Append `length` bytes from `start` on; they may overlap with the appended bytes."""
    if start < 0:
        raise CorruptInput("damaged lzf chunk")
    piece = out[start : start + length]
    if len(piece) < length:
        piece = (piece * (length // len(piece) + 1))[:length]
    out += piece


CHUNK = 512 * 1024
"""Bytes of text per chunk; a chunk fits into a core's cache."""


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
            if not begun and not (block := block.lstrip(b"\0")):
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
    (LZ4_MAGIC, Codec.LZ4),
    (SNAPPY_MAGIC, Codec.SNAPPY),
    (LZF_MAGIC, Codec.LZF),
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
    Codec.LZ4: _gathered(lz4_blocks),
    Codec.SNAPPY: _gathered(snappy_blocks),
    Codec.LZF: _gathered(lzf_blocks),
}
