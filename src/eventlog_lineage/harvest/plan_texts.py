"""The texts of a log's plans, until it is known which of them are traced."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import IO

import zstandard

_MOST_HELD = 16 * 1024 * 1024
"""Characters that are held in memory; further texts go to a file."""


_COMPRESSOR = zstandard.ZstdCompressor(level=1)
"""One for all texts of a worker: to make one costs as much as to compress a text."""


class PlanTexts:
    """The first text of each plan of a log, by fingerprint; to be closed.

    Args:
        clean: Takes the secrets out of a text before it is written or returned.
    """

    def __init__(self, clean: Callable[[str], str] = str) -> None:
        self._clean = clean
        self._texts: dict[str, str] = {}
        self._positions: dict[str, tuple[int, int]] = {}
        self._held = 0
        self._file: IO[bytes] | None = None

    def __contains__(self, fingerprint: str) -> bool:
        return fingerprint in self._texts or fingerprint in self._positions

    def add(self, fingerprint: str, text: str) -> None:
        """Add a plan's text, unless there is one of this fingerprint.

        Args:
            fingerprint: The plan's fingerprint.
            text: The plan text, as it was logged.
        """
        if fingerprint in self:
            return
        if self._held + len(text) <= _MOST_HELD:
            self._held += len(text)
            self._texts[fingerprint] = text
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the rest
        packed = pack_text(self._clean(text))
        self._positions[fingerprint] = (self._file.seek(0, 2), len(packed))
        self._file.write(packed)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def packed(self, fingerprint: str) -> bytes | None:
        """Return a plan's text without secrets, as `pack_text` packs it; None if there is none."""
        if fingerprint in self._texts:
            return pack_text(self._clean(self._texts[fingerprint]))
        if fingerprint not in self._positions or self._file is None:
            return None
        offset, size = self._positions[fingerprint]
        self._file.seek(offset)
        return self._file.read(size)


def pack_text(text: str) -> bytes:
    """Return a text, compressed."""
    return _COMPRESSOR.compress(text.encode("utf-8", "surrogatepass"))


def unpack_text(packed: bytes) -> str:
    """Return the text that `pack_text` packed."""
    return zstandard.decompress(packed).decode("utf-8", "surrogatepass")
