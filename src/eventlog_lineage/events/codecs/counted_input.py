"""Read a log part's bytes as stored, and count them."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from eventlog_lineage.errors import LogError

if TYPE_CHECKING:
    from collections.abc import Callable


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
            raise LogError(
                "cannot read the rest of the log", f"after {self.bytes_read} bytes: {error}", "harvest again"
            ) from error
        self.bytes_read += len(piece)
        return piece

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
