"""Decode the framings that only Java libraries write: Spark's lz4, snappy and lzf logs.

No command line tool and no other Python package reads them. Each function gets a reader that returns exactly the
requested bytes (fewer at the end), and yields decoded blocks.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from .counted_input import CorruptInput, TruncatedInput

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
        method = header[8] & 0xF0
        stored, size = int.from_bytes(header[9:13], "little"), int.from_bytes(header[13:17], "little")
        if method not in (0x10, 0x20) or stored > _LARGEST + 4096 or size > _LARGEST or (size and not stored):
            raise CorruptInput("damaged lz4 stream (impossible block header)")
        if size == 0:
            continue
        block = _whole(exactly(stored), stored, "lz4 stream")
        if method == 0x10 and stored != size:
            raise CorruptInput("damaged lz4 stream (impossible block header)")
        yield block if method == 0x10 else _decompressed("lz4_raw", block, size)


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

    Args:
        chunk: The compressed bytes.
        size: The number of decoded bytes.
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
    """Append `length` bytes from `start` on; they may overlap with the appended bytes.

    Args:
        out: The decoded bytes so far; extended.
        start: The offset of the repeated bytes.
    """
    if start < 0:
        raise CorruptInput("damaged lzf chunk")
    piece = out[start : start + length]
    if len(piece) < length:
        piece = (piece * (length // len(piece) + 1))[:length]
    out += piece
