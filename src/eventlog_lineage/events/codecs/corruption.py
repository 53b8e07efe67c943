"""Exceptions between decoders and `Decoding`; they do not leave this package."""

from __future__ import annotations


class CorruptInput(Exception):  # noqa: N818 - a property of the input, not an error of the program
    """The following bytes cannot be decoded; the message is the reason."""


class TruncatedInput(CorruptInput):
    """The bytes end within a block."""
