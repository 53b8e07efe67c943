"""The signals between decoders and `Decoding`; they never leave this package."""

from __future__ import annotations


class Damage(Exception):  # noqa: N818 - no error of the program: the bytes are as they are
    """The bytes cannot be decoded from here on; prints as what is wrong with them."""


class BreaksOff(Damage):
    """The bytes end where more must follow."""
