"""The spellings of tests/redaction/spellings.txt with made-up secrets, and how one that leaks is found.

Every secret repeats a few characters that nothing else has, so that seven of its characters in a row are enough to
find it, and a part that leaks is found like the whole.
"""

from __future__ import annotations

import re
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).resolve().parents[2] / "redaction" / "spellings.txt"

MARKS = ("x7qz", "7e57ed", "90817263", "7837517a")
"""What is in every secret, in lower case; the last one is the first as a plan prints it where it is binary."""

_LEAK = re.compile("|".join(MARKS), re.IGNORECASE)
_PLACE = re.compile(r"«(\w+)(?::(\d+))?»")
_ALPHABETS = {"S": "x7Qz", "b64": "x7Qz", "up": "X7QZ", "hex": "7e57ed", "HEX": "7E57ED", "pin": "90817263"}
_LENGTHS = {"S": 12, "pin": 8}


class Spelling(NamedTuple):
    """A way to write a secret.

    Attributes:
        name: From the file.
        text: As it stands in a statement, an option or a comment.
    """

    name: str
    text: str


def spellings(file: Path = FILE) -> list[Spelling]:
    """Read a file of spellings."""
    lines = file.read_text(encoding="utf-8").splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line.strip("#") and not line.startswith("# ")]
    return [Spelling(name, filled(text)) for name, text in pairs]


def filled(text: str) -> str:
    """Put made-up secrets into a text, and its tabs and line feeds."""
    return _PLACE.sub(_secret, text).replace("⇥", "\t").replace("⏎", "\n")


def _secret(place: re.Match[str]) -> str:
    kind = place[1]
    return "".join(islice(cycle(_ALPHABETS[kind]), int(place[2] or _LENGTHS[kind])))


def leaks(text: str) -> bool:
    """Return whether a text has a part of a secret."""
    return _LEAK.search(text) is not None
