"""Writing a store as one HTML page."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.open_store import OpenStore, open_store

from . import queries
from .budget import CUTS, make_cut
from .facts import facts_block
from .graph import COLUMN_NUMBERS, EDGE_NUMBERS, graph_block
from .history import history_block
from .page import packed, packed_numbers, page
from .page_scope import Scope, choose_scope
from .panels import panels_block

MB = 1_000_000
"""Bytes of a megabyte."""


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """What was written.

    Attributes:
        path: The file.
        size: Its bytes.
        datasets: Datasets of the page.
        columns: Columns of the page.
        edges: Edges of the page.
        left_out: What the page does without, a phrase each.
    """

    path: Path
    size: int
    datasets: int
    columns: int
    edges: int
    left_out: tuple[str, ...]


def write_report(
    store_dir: str | Path,
    out: str | Path,
    *,
    focus: str | None = None,
    depth: int | None = None,
    max_bytes: int = 20 * MB,
) -> WrittenReport:
    """Write a store, or what is near a dataset, as one HTML page.

    Args:
        store_dir: The store's folder.
        out: The file; replaced at once if it is there.
        focus: A dataset or a column that the page begins with and stays near to; None for the whole store.
        depth: Hops around the focus.
        max_bytes: The biggest page.

    Raises:
        StoreError: There is no store, or it cannot be read.
        UsageError: The focus means nothing in the store, the page cannot be made small enough or cannot be written.
    """
    path = Path(out)
    with open_store(store_dir) as store:
        scope = choose_scope(store, focus, depth)
        left_out = [_scope_text(scope)] if scope.dataset and scope.datasets < scope.all_datasets else []
        panels = packed(panels_block(store))
        cuts = list(CUTS)
        while True:
            blocks, numbers = _blocks(store, scope, left_out)
            html = page({**blocks, "panels": panels})
            if len(html) <= max_bytes:
                break
            if not cuts:
                raise UsageError(
                    f"the smallest page of this store has {len(html) / MB:.1f} MB, more than {max_bytes / MB:g} MB",
                    str(path),
                    "write a part of the store with --focus NAME --depth N, or allow more with --max-mb",
                )
            what = make_cut(store, cuts.pop(0))
            left_out += [what] if what else []
    _write(path, html)
    return WrittenReport(path, len(html), *numbers, tuple(left_out))


def _blocks(store: OpenStore, scope: Scope, left_out: list[str]) -> tuple[dict[str, bytes], tuple[int, int, int]]:
    graph = graph_block(store, outside=bool(scope.dataset))
    columns, edges = graph["columns"], graph["edges"]
    numbers = (len(graph["datasets"]["name"]), len(columns["name"]), len(edges["source"]))
    lists = [columns.pop(name) for name in COLUMN_NUMBERS] + [edges.pop(name) for name in EDGE_NUMBERS]
    texts = edges.pop("expressions")
    blocks = {
        "about": packed(_about(store, scope, left_out)),
        "graph": packed(graph | {"counts": numbers}),
        "numbers": packed_numbers(lists),
        "expressions": packed(texts),
        "history": packed(history_block(store)),
        "facts": packed(facts_block(store)),
    }
    return blocks, numbers


def _about(store: OpenStore, scope: Scope, left_out: list[str]) -> dict[str, Any]:
    answer = store.ask(queries.query("about"))
    about = dict(zip(answer.names, answer.rows[0], strict=True))
    at = about.pop("harvested_at")
    return {
        **about,
        "harvested_at": f"{at:%Y-%m-%d %H:%M} UTC" if isinstance(at, datetime) else "",
        "focus": ".".join(filter(None, (scope.dataset, scope.column))),
        "depth": scope.depth if scope.dataset else None,
        "left_out": left_out,
    }


def _scope_text(scope: Scope) -> str:
    hops = f"{scope.depth} hop{'' if scope.depth == 1 else 's'}"
    count = scope.all_datasets - scope.datasets
    what = "1 dataset that is" if count == 1 else f"{count:,} datasets that are"
    return f"{what} more than {hops} from {scope.dataset}"


def _write(path: Path, html: bytes) -> None:
    """Write the file under another name and rename it: nobody sees half a page.

    Args:
        path: The file.
        html: The page.
    """
    following = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        following.write_bytes(html)
        following.replace(path)
    except OSError as error:
        following.unlink(missing_ok=True)
        raise UsageError(f"the page cannot be written: {error.strerror}", str(path), "choose another --out") from None
