"""A digest of the program's own code: another version may read stored state differently.

The version number is not enough: between two releases, installations from the repository have the same one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.abc import Traversable

_PACKAGE = __name__.partition(".")[0]


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return 32 hexadecimal digits that are equal for equal source files, wherever they are installed or packed.

    Empty if there are no sources, as in an installation of compiled modules.
    """
    try:
        sources = sorted(_sources(files(_PACKAGE), ""))
    except (OSError, NotImplementedError):
        return ""
    digest = hashlib.blake2b(digest_size=16)
    for name, source in sources:
        digest.update(f"{name}\n{len(source)}\n".encode())
        digest.update(source)
    return digest.hexdigest() if sources else ""


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name.endswith(".py"):
            yield f"{path}/{entry.name}", entry.read_bytes()
        elif entry.is_dir() and entry.name.isidentifier():
            yield from _sources(entry, f"{path}/{entry.name}")
