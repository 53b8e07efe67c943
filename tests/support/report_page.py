"""Reading the data of a written page, as the page's own script does."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

_BLOCK = re.compile(rb'<script type="application/octet-stream" id="data-(\w+)">([^<]*)</script>')


def blocks(page: Path) -> dict[str, Any]:
    """The page's blocks of data by name."""
    found = _BLOCK.findall(page.read_bytes())
    return {name.decode(): json.loads(zlib.decompress(base64.b64decode(text))) for name, text in found}


def names(graph: dict[str, Any]) -> list[str]:
    """The whole name of each node."""
    datasets, columns = graph["datasets"]["name"], graph["columns"]
    return [
        *datasets,
        *(f"{datasets[d]}.{graph['strings'][n]}" for d, n in zip(columns["dataset"], columns["name"], strict=True)),
    ]


def edges(page: Path) -> set[tuple[str, ...]]:
    """The page's edges: source, target, dependency, transformation, job, expression."""
    found = blocks(page)
    graph, expressions = found["graph"], found["expressions"]
    node, edge = names(graph), graph["edges"]
    rows = zip(edge["source"], edge["target"], edge["kind"], edge["job"], expressions["edge"], strict=True)
    return {
        (
            node[source] if source >= 0 else "",
            node[target],
            *edge["kinds"][kind][:2],
            edge["jobs"][job],
            expressions["texts"][text],
        )
        for source, target, kind, job, text in rows
    }
