"""A log part's bytes as stored."""

from __future__ import annotations

from typing import BinaryIO

from eventlog_lineage.errors import LogError

_INPUT = 128 * 1024
_HEAD = 16


class Source:
    """The compressed bytes: read piecewise, counted, and read again from the start where the stream can do that."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._head = b""
        self.bytes_read = 0

    @property
    def damage(self) -> str:
        """What the storage found wrong with the bytes, such as a damaged zip around them; empty where nothing is."""
        return str(getattr(self._stream, "damage", ""))

    def read(self, size: int = _INPUT) -> bytes:
        """Give up to `size` bytes; nothing at the end.

        Raises:
            LogError: If the storage fails.
        """
        if self._head:
            taken, self._head = self._head[:size], self._head[size:]
            return taken
        try:
            piece = self._stream.read(size)
        except Exception as error:  # the backends of fsspec have errors of their own
            raise LogError(
                "the log cannot be read on", f"after {self.bytes_read} bytes: {error}", "harvest again"
            ) from error
        self.bytes_read += len(piece)
        return piece

    def exactly(self, size: int) -> bytes:
        """Give `size` bytes, fewer only at the end."""
        piece = self.read(size)
        if len(piece) == size or not piece:
            return piece
        pieces, missing = [piece], size - len(piece)
        while missing and (piece := self.read(missing)):
            pieces.append(piece)
            missing -= len(piece)
        return b"".join(pieces)

    def head(self) -> bytes:
        """Give the first bytes and leave them to be read."""
        self._head = self.exactly(_HEAD)
        return self._head

    def rewound(self) -> bool:
        """Go back to the start; False where the stream cannot."""
        if not self._stream.seekable():
            return False
        self._stream.seek(0)
        self._head = b""
        self.bytes_read = 0
        return True
