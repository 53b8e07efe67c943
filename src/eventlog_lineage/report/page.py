"""The page as a file: the built template with the store's data in it.

The template, `page.html`, is built from `web/` and holds all scripts and styles; the data goes in front of the scripts,
as blocks of compressed JSON in base64. No character of base64 means anything to an HTML parser, so that no name in a
log can end the element that it is in.
"""

from __future__ import annotations

import base64
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

TEMPLATE = Path(__file__).parent / "page.html"
PLACEHOLDER = "<!-- eventlog-lineage: data -->"

_LEVEL = 7


def packed(value: Any) -> bytes:
    """Return a value as zlib-compressed JSON in base64."""
    return _packed(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))


def packed_numbers(lists: Iterable[list[int]]) -> bytes:
    """Return lists of numbers, one after the other, as zlib-compressed 32-bit integers in base64.

    A browser reads them as they are; as JSON, half a million edges take it a fifth of a second.
    """
    numbers = array("i")
    for each in lists:
        numbers.extend(each)
    if sys.byteorder == "big":
        numbers.byteswap()
    return _packed(numbers.tobytes())


def _packed(content: bytes) -> bytes:
    return base64.b64encode(zlib.compress(content, _LEVEL))


def page(blocks: Mapping[str, bytes]) -> bytes:
    """Return the page with its data.

    Args:
        blocks: Name to packed value; a name is the element's id after `data-`.
    """
    before, after = TEMPLATE.read_bytes().split(PLACEHOLDER.encode())
    elements = (
        b'<script type="application/octet-stream" id="data-%s">%s</script>\n' % (name.encode(), block)
        for name, block in blocks.items()
    )
    return before + b"".join(elements) + after
