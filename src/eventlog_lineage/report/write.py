"""Writing a store as one HTML page.

The template, `page.html`, is built from `web/` and holds all scripts and styles; the data goes in front of the scripts,
as blocks of compressed JSON in base64. No character of base64 means anything to an HTML parser, so that no name in a
log can end the element that it is in.
"""

from __future__ import annotations

import base64
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from eventlog_lineage.errors import UsageError, os_errors_as
from eventlog_lineage.report import queries
from eventlog_lineage.safe_text import replaced
from eventlog_lineage.store.fold.stored_names import name_edges
from eventlog_lineage.store.panels import Due
from eventlog_lineage.store.queries.open_store import OpenStore, check_name, open_store, with_error_lines

from .queries import COLUMN_NUMBERS, EDGE_NUMBERS, graph_block, history_block, panels_block


@dataclass(frozen=True, slots=True)
class Cut:
    """Something that a page can do without.

    Attributes:
        what: As the page and the command name it; `{}` is the number of rows.
        statements: What takes it out of the temporary tables; the rows that they change are counted.
        others: Statements for what goes with it and is not counted.
    """

    what: str
    statements: tuple[str, ...]
    others: tuple[str, ...] = ()


CUTS = (
    Cut(
        "the expressions of {} INDIRECT edges",
        ("UPDATE report_edges SET expression = '' WHERE dependency = 'INDIRECT' AND expression <> ''",),
    ),
    Cut("{} edges that no longer hold", ("DELETE FROM report_edges WHERE NOT is_current",)),
    Cut(
        "{} changes of schemas and lineage",
        ("DELETE FROM report_schema_changes", "DELETE FROM report_lineage_changes"),
        ("DELETE FROM report_schema WHERE valid_to IS NOT NULL",),
    ),
    Cut("{} INDIRECT edges", ("DELETE FROM report_edges WHERE dependency = 'INDIRECT'",)),
    Cut("the expressions of {} DIRECT edges", ("UPDATE report_edges SET expression = '' WHERE expression <> ''",)),
)
"""From what is missed least to what is missed most."""


def make_cut(store: OpenStore, cut: Cut) -> str:
    """Remove one kind of content, and return what was removed; empty if there was none."""
    count = sum(int(row[0]) for each in cut.statements for row in store.connection.execute(each).fetchall())
    for statement in cut.others:
        store.connection.execute(statement)
    return cut.what.format(f"{count:,}") if count else ""


TEMPLATE = Path(__file__).parent / "page.html"
PLACEHOLDER = "<!-- eventlog-lineage: data -->"

_LEVEL = 7


def packed(value: Any) -> bytes:
    """Return a value as zlib-compressed JSON in base64."""
    return _packed(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS))


def packed_numbers(lists: Iterable[Sequence[int]]) -> bytes:
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
    """Return the page with its data."""
    before, after = TEMPLATE.read_bytes().split(PLACEHOLDER.encode())
    elements = (
        b'<script type="application/octet-stream" id="data-%s">%s</script>\n' % (name.encode(), block)
        for name, block in blocks.items()
    )
    return before + b"".join(elements) + after


DEFAULT_DEPTH = 3
"""Hops to both sides of `--focus` where `--depth` is not given."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What the page covers.

    Attributes:
        dataset: The dataset in focus; empty for the whole store.
        column: The column in focus, if one was asked for.
    """

    dataset: str
    column: str
    depth: int
    datasets: int
    all_datasets: int


def choose_scope(store: OpenStore, focus: str | None, depth: int | None) -> Scope:
    """Make the temporary tables that the other queries read, for the whole store or around a dataset."""
    dataset, column = check_name(store, focus) if focus else ("", "")
    hops = DEFAULT_DEPTH if depth is None else depth
    name_edges(store.connection)
    queries.run(store, "graph")
    if dataset:
        queries.run(store, "scope", {"focus": dataset, "depth": hops})
    else:
        store.connection.execute("CREATE OR REPLACE TEMP TABLE report_scope AS FROM all_report_datasets")
    queries.run(store, "numbers")
    queries.run(store, "history")
    return Scope(dataset, column, hops, _count(store, "report_datasets"), _count(store, "all_report_datasets"))


def _count(store: OpenStore, table: str) -> int:
    return int(str(store.ask(f"SELECT count(*) FROM {table}").rows[0][0]))


def facts_block(store: OpenStore) -> dict[str, Any]:
    """Return uses of datasets, jobs with their last runs, last writes, gaps and declarations, as rows with names."""
    return {
        "uses": _table(store, "uses"),
        "jobs": _table(store, "jobs", "error"),
        "gaps": _table(store, "gaps"),
        "runs": _table(store, "runs"),
        "tries": _table(store, "tries"),
        "writes": _table(store, "writes", "error"),
        "flows": _table(store, "flows"),
        "declared": _table(store, "declared"),
        "tags": _table(store, "tags"),
    }


def _table(store: OpenStore, name: str, *errors: str) -> dict[str, Any]:
    found = with_error_lines(store.ask(queries.query(name)), *errors)
    return {"names": found.names, "rows": found.rows}


MB = 1_000_000
"""Bytes of a megabyte."""


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """What was written.

    Attributes:
        left_out: What the page does without, a phrase each.
    """

    path: Path
    size: int
    datasets: int
    columns: int
    edges: int
    left_out: tuple[str, ...]


def write_report(  # noqa: PLR0913 - options of one page
    store_dir: str | Path,
    out: str | Path,
    *,
    focus: str | None = None,
    depth: int | None = None,
    max_bytes: int = 20 * MB,
    due: Sequence[Due] = (),
) -> WrittenReport:
    """Write a store, or what is near a dataset, as one HTML page.

    Args:
        focus: A dataset or a column that the page begins with and stays near to; None for the whole store.

    Raises:
        StoreError: There is no store, or it cannot be read.
        UsageError: The focus means nothing in the store, the page cannot be made small enough or cannot be written.
    """
    path = Path(out)
    with open_store(store_dir) as store:
        scope = choose_scope(store, focus, depth)
        left_out = [_scope_text(scope)] if scope.dataset and scope.datasets < scope.all_datasets else []
        panels = packed(panels_block(store, due))
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
    with (
        os_errors_as(UsageError, "the page cannot be written", path, "choose another --out"),
        replaced(path) as written,
    ):
        written.write_bytes(html)
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
    about = next(store.ask(queries.query("about")).records())
    at = about.pop("harvested_at")
    return {
        **about,
        "night": next(store.ask(queries.query("night")).records()),
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
