"""The page as a file: the built template with the store's data in it.

The template, `page.html`, is built from `web/` and holds all scripts and styles; the data goes in front of the scripts,
as blocks of compressed JSON in base64. No character of base64 means anything to an HTML parser, so that no name in a
log can end the element that it is in.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

TEMPLATE = Path(__file__).parent / "page.html"
PLACEHOLDER = "<!-- eventlog-lineage: data -->"

_LEVEL = 7


def packed(value: Any) -> bytes:
    """Return a value as zlib-compressed JSON in base64."""
    text = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
    return base64.b64encode(zlib.compress(text, _LEVEL))


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
