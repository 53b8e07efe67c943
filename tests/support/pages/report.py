"""Reading the data of a written page, as the page's own script does."""

from __future__ import annotations

import base64
import json
import re
import zlib
from array import array
from pathlib import Path
from typing import Any

from eventlog_lineage.report.queries import COLUMN_NUMBERS, EDGE_NUMBERS

_BLOCK = re.compile(rb'<script type="application/octet-stream" id="data-(\w+)">([^<]*)</script>')


def blocks(page: Path) -> dict[str, Any]:
    """The page's blocks of data by name; the numbers of columns and edges are in the graph."""
    packed = {
        name.decode(): zlib.decompress(base64.b64decode(text)) for name, text in _BLOCK.findall(page.read_bytes())
    }
    numbers = array("i", packed.pop("numbers"))
    found = {name: json.loads(text) for name, text in packed.items()}
    graph = found["graph"]
    _, columns, edges = graph["counts"]
    for part, count, names_of_lists in (("columns", columns, COLUMN_NUMBERS), ("edges", edges, EDGE_NUMBERS)):
        for name in names_of_lists:
            graph[part][name], numbers = numbers[:count].tolist(), numbers[count:]
    assert not numbers
    return found


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
    graph, texts = found["graph"], found["expressions"]
    node, edge = names(graph), graph["edges"]
    rows = zip(*(edge[name] for name in ("source", "target", "kind", "job", "expression")), strict=True)
    return {
        (
            node[source] if source >= 0 else "",
            node[target],
            *edge["kinds"][kind][:2],
            edge["jobs"][job],
            texts[text],
        )
        for source, target, kind, job, text in rows
    }
