"""Bytes as stored become the text that was written, whatever stored them and wherever they break off."""

from __future__ import annotations

import io
import os
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.errors import LogError
from eventlog_lineage.events.compression import CHUNK, Codec, Decoding, codec_of
from support.event_logs import ENCODERS, LOGS, lzf_packed

CODECS = tuple(Codec)
TEXT = b"".join(b'{"Event":"SparkListenerTaskEnd","Stage ID":%d,"Value":%d}\n' % (i % 7, i * i) for i in range(400))
pieces = st.lists(st.binary(min_size=1, max_size=300) | st.sampled_from([TEXT, TEXT[:5000], b"a" * 3000]), max_size=6)


def decoded(stored: bytes) -> tuple[bytes, Decoding]:
    decoding = Decoding(io.BytesIO(stored))
    return b"".join(decoding), decoding


@given(st.sampled_from(CODECS[1:]), pieces)
def test_what_was_packed_is_given_back(codec: Codec, parts: list[bytes]) -> None:
    text, decoding = decoded(ENCODERS[codec](parts))
    assert text == b"".join(parts)
    assert decoding.damage is None
    assert not decoding.is_truncated


@pytest.mark.parametrize("codec", CODECS)
def test_the_codec_is_told_by_the_first_bytes(codec: Codec) -> None:
    assert codec_of(ENCODERS[codec]([TEXT])[:8]) is codec


@given(st.sampled_from(CODECS), pieces, st.integers(0, 10**6))
def test_what_stands_before_a_cut_is_given_and_nothing_else(codec: Codec, parts: list[bytes], at: int) -> None:
    stored = ENCODERS[codec]([b'{"Event":"', *parts])
    text, decoding = decoded(stored[: at % (len(stored) + 1)])
    assert (b'{"Event":"' + b"".join(parts)).startswith(text)
    assert decoding.damage is None


@pytest.mark.parametrize("codec", CODECS)
def test_each_whole_piece_before_a_cut_is_given(codec: Codec) -> None:
    parts = [TEXT[start : start + 1000] for start in range(0, 8000, 1000)]
    lengths = [len(ENCODERS[codec](parts[:count])) for count in range(9)]
    end_mark = len(ENCODERS[codec]([])) if codec is Codec.LZ4 else 0
    for count, length in enumerate(lengths[1:], 1):
        text, _ = decoded(ENCODERS[codec](parts)[: length - end_mark])
        assert text == b"".join(parts[:count])


@pytest.mark.parametrize("codec", [Codec.GZIP, Codec.LZ4, Codec.SNAPPY, Codec.LZF])
def test_a_cut_within_a_block_is_told(codec: Codec) -> None:
    stored = ENCODERS[codec]([TEXT[:1000], TEXT[1000:3000]])
    _, decoding = decoded(stored[:-30])
    assert decoding.is_truncated
    assert decoding.damage is None


@given(st.binary(max_size=2000), st.sampled_from([b"", *(ENCODERS[codec]([TEXT])[:20] for codec in CODECS)]))
def test_random_bytes_never_raise(noise: bytes, head: bytes) -> None:
    decoded(head + noise)


@given(st.sampled_from(CODECS[1:]), st.integers(0, 2**32), st.integers(1, 4))
def test_flipped_bytes_never_raise(codec: Codec, seed: int, flips: int) -> None:
    rnd = random.Random(seed)
    stored = bytearray(ENCODERS[codec]([TEXT[:4000], TEXT[4000:9000], TEXT[9000:]]))
    for _ in range(flips):
        stored[rnd.randrange(len(stored))] = rnd.randrange(256)
    decoded(bytes(stored))


@pytest.mark.parametrize("codec", CODECS[1:])
def test_everything_before_damage_is_given_and_the_damage_told(codec: Codec) -> None:
    parts = [TEXT[start : start + 2000] for start in range(0, 20000, 2000)]
    whole = ENCODERS[codec](parts[:5])[: -len(ENCODERS[codec]([])) if codec is Codec.LZ4 else None]
    text, decoding = decoded(whole + b"\xff" * 50)
    assert text == b"".join(parts[:5])
    assert codec.value in str(decoding.damage) or codec is Codec.SNAPPY
    assert decoding.damage


def test_damage_after_many_chunks_loses_nothing_before_it() -> None:
    frame = ENCODERS[Codec.ZSTD]([TEXT * 40])
    text, decoding = decoded(frame * 3 + b"\x00garbage")
    assert len(text) > CHUNK
    assert text == TEXT * 120
    assert "zstd" in str(decoding.damage)


def test_damage_in_a_stream_that_cannot_go_back_is_told_all_the_same() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    decoding = Decoding(Pipe(ENCODERS[Codec.ZSTD]([TEXT]) + b"\x00garbage"))
    assert TEXT.startswith(b"".join(decoding))
    assert decoding.damage


def test_zeros_after_a_gzip_stream_are_padding() -> None:
    text, decoding = decoded(ENCODERS[Codec.GZIP]([TEXT]) + bytes(1000))
    assert text == TEXT
    assert decoding.damage is None
    assert not decoding.is_truncated


def test_streams_of_lz4_and_snappy_may_follow_each_other() -> None:
    for codec in (Codec.LZ4, Codec.SNAPPY):
        text, decoding = decoded(ENCODERS[codec]([TEXT]) * 2)
        assert text == TEXT * 2
        assert decoding.damage is None


def test_chunks_are_bounded() -> None:
    for codec in CODECS:
        stored = ENCODERS[codec]([b"a" * 60_000] * 50)
        assert max(map(len, Decoding(io.BytesIO(stored)))) <= CHUNK + 60_000


def test_a_gzip_bomb_is_given_in_chunks() -> None:
    stored = ENCODERS[Codec.GZIP]([bytes([123]) * 20_000_000])
    sizes = [len(chunk) for chunk in Decoding(io.BytesIO(stored))]
    assert sum(sizes) == 20_000_000
    assert max(sizes) <= CHUNK


def test_a_block_that_claims_an_impossible_size_is_damage() -> None:
    snappy = ENCODERS[Codec.SNAPPY]([])
    huge = (5).to_bytes(4, "big") + b"\xff\xff\xff\xff\x0f"
    assert decoded(snappy + huge)[1].damage
    lz4 = b"LZ4Block\x25" + (10).to_bytes(4, "little") + (1 << 30).to_bytes(4, "little") + bytes(14)
    assert decoded(lz4)[1].damage


def test_a_zstd_window_that_needs_much_memory_is_damage() -> None:
    header = b"\x28\xb5\x2f\xfd\x00" + bytes([(30 - 10) << 3])  # a window of 1 GiB; Spark's have at most 128 MiB
    decoding = Decoding(io.BytesIO(header + bytes(100)))
    assert list(decoding) == []
    assert "requires too much memory" in str(decoding.damage)


def test_lzf_copies_overlap() -> None:
    text = b"ab" * 5000 + bytes(range(256)) * 3
    assert len(lzf_packed(text)) < len(text) / 5
    assert decoded(ENCODERS[Codec.LZF]([text]))[0] == text


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("lz4-3.5.9", Codec.LZ4),
        ("lz4-2.4.8", Codec.LZ4),
        ("snappy-3.5.9", Codec.SNAPPY),
        ("lzf-3.5.9", Codec.LZF),
        ("zstd-3.5.9", Codec.ZSTD),
    ],
)
def test_logs_that_spark_wrote_are_decoded_whole(name: str, codec: Codec) -> None:
    (path,) = (LOGS / name).iterdir()
    text, decoding = decoded(path.read_bytes())
    assert decoding.codec is codec
    assert decoding.bytes_read == path.stat().st_size
    assert text.startswith(b'{"Event":"SparkListenerLogStart"')
    assert text.splitlines()[-1].startswith(b'{"Event":"SparkListenerApplicationEnd"')


def test_the_log_of_a_killed_driver_gives_all_but_its_tail() -> None:
    (path,) = (LOGS / "killed-lz4-3.5.9").iterdir()
    text, decoding = decoded(path.read_bytes())
    assert not text.endswith(b"\n")
    assert len(text.splitlines()) == 50
    assert decoding.damage is None


def test_a_storage_that_fails_is_an_error_that_says_where() -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() > 50:
                raise OSError("connection reset")
            return super().read(min(size or -1, 60))

    with pytest.raises(LogError, match="connection reset"):
        list(Decoding(Failing(ENCODERS[Codec.SNAPPY]([TEXT]))))


def test_a_file_that_would_block_is_an_error() -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with os.fdopen(reader, "rb", buffering=0) as stream, pytest.raises(LogError, match="the file has no bytes now"):
        list(Decoding(stream))
    os.close(writer)
