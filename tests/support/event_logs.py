"""Writes event logs for tests: lines, and the codecs' framings as Spark's Java libraries make them."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import orjson
import pyarrow
import zstandard

from eventlog_lineage.events.compression import Codec

LOGS = Path(__file__).parents[1] / "events" / "logs"
UI = "org.apache.spark.sql.execution.ui.SparkListener"


def line(event: str, **fields: object) -> bytes:
    """Write an event as Spark does, without line feed; in names that begin upper, underscores stand for spaces."""
    named = {key.replace("_", " ") if key[0].isupper() else key: value for key, value in fields.items()}
    return orjson.dumps({"Event": event, **named})


def log_text(*lines: bytes) -> bytes:
    """Put lines together to a log's text."""
    return b"".join(one + b"\n" for one in lines)


def zstd_frames(pieces: Sequence[bytes]) -> bytes:
    """One frame per piece, as Spark's zstd stream makes one per flush."""
    return b"".join(zstandard.ZstdCompressor(level=1).compress(piece) for piece in pieces)


def gzip_members(pieces: Sequence[bytes]) -> bytes:
    """One gzip member per piece."""
    return b"".join(gzip.compress(piece, mtime=0) for piece in pieces)


def lz4_blocks(pieces: Sequence[bytes]) -> bytes:
    """One block per piece and the end mark, as LZ4BlockOutputStream writes them; check-sums are left zero."""
    codec, framed = pyarrow.Codec("lz4_raw"), b""
    for piece in filter(None, pieces):
        packed = codec.compress(piece, asbytes=True)
        method, stored = (0x25, packed) if len(packed) < len(piece) else (0x15, piece)
        framed += b"LZ4Block" + bytes([method]) + len(stored).to_bytes(4, "little") + len(piece).to_bytes(4, "little")
        framed += bytes(4) + stored
    return framed + b"LZ4Block\x15" + bytes(12)


def snappy_blocks(pieces: Sequence[bytes]) -> bytes:
    """A header and one block per piece, as SnappyOutputStream writes them."""
    framed = b"\x82SNAPPY\x00" + (1).to_bytes(4, "big") * 2
    for piece in pieces:
        block = pyarrow.Codec("snappy").compress(piece, asbytes=True)
        framed += len(block).to_bytes(4, "big") + block
    return framed


def lzf_chunks(pieces: Sequence[bytes]) -> bytes:
    """One chunk per piece, as LZFOutputStream writes them."""
    framed = b""
    for whole in pieces:
        for first in range(0, len(whole), 0xFFFF):
            piece = whole[first : first + 0xFFFF]
            packed = lzf_packed(piece)
            if len(packed) < len(piece):
                framed += b"ZV\x01" + len(packed).to_bytes(2, "big") + len(piece).to_bytes(2, "big") + packed
            else:
                framed += b"ZV\x00" + len(piece).to_bytes(2, "big") + piece
    return framed


def lzf_packed(piece: bytes) -> bytes:
    """A simple LZF compressor: literal runs, and copies of what came at most 8 kB before, overlaps included."""
    packed, literals, seen, place = bytearray(), bytearray(), {}, 0

    def flush() -> None:
        for first in range(0, len(literals), 32):
            run = literals[first : first + 32]
            packed.append(len(run) - 1)
            packed.extend(run)
        literals.clear()

    while place < len(piece):
        start = seen.get(piece[place : place + 3], -1)
        seen[piece[place : place + 3]] = place
        length = 0
        if start >= 0 and place - start <= 0x2000:
            while length < 264 and place + length < len(piece) and piece[start + length] == piece[place + length]:
                length += 1
        if length < 3:
            literals.append(piece[place])
            place += 1
            continue
        flush()
        distance = place - start - 1
        head = [(length - 2) << 5 | distance >> 8] if length - 2 < 7 else [7 << 5 | distance >> 8, length - 2 - 7]
        packed.extend((*head, distance & 0xFF))
        place += length
    flush()
    return bytes(packed)


ENCODERS: Mapping[Codec, Callable[[Sequence[bytes]], bytes]] = {
    Codec.NONE: b"".join,
    Codec.GZIP: gzip_members,
    Codec.ZSTD: zstd_frames,
    Codec.LZ4: lz4_blocks,
    Codec.SNAPPY: snappy_blocks,
    Codec.LZF: lzf_chunks,
}
"""Each packs pieces of text, which are its frames, members, blocks or chunks."""
