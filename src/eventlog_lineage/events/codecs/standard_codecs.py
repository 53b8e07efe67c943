"""Decode plain text, zstd and gzip in chunks, completely up to the first damage."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import zstandard

from .corruption import CorruptInput, TruncatedInput

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        source: The compressed stream.
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
