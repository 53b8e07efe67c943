"""The page and the store agree: on what lies upstream and downstream, and on what held at a time."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from eventlog_lineage.report.write import write_report
from eventlog_lineage.store.queries.open_store import OpenStore, open_store
from support.pages.report import blocks, names
from support.pages.web_tools import npx
from support.stores import shop
from support.stores.nights import Night
from support.stores.rows import rows

COLUMNS = ("a", "b", "s", "s.x", "s.x.y", "s.z")
KINDS = ("IDENTITY", "TRANSFORMATION", "FILTER", "WINDOW")


def tangle(store: Path, seed: int) -> None:
    """A store of six datasets that read each other and themselves, with structs and influences on whole datasets."""
    choose = random.Random(seed)
    night = Night()
    night.app()
    for number in range(6):
        edges = []
        for _ in range(choose.randrange(3, 8)):
            kind = choose.choice(KINDS)
            source = f"t{choose.randrange(6)}!{choose.choice(COLUMNS)}"
            edges.append((source, "" if kind == "FILTER" else choose.choice(COLUMNS), kind))
        night.statement(edges, target=f"t{number}", execution=number + 1, description=f"make {number}")
    night.harvest(store)


@pytest.mark.node
def test_the_page_follows_lineage_as_the_macros_do(tmp_path: Path) -> None:
    """Of each store, some columns in all directions."""
    for seed in range(2):
        folder = tmp_path / str(seed)
        tangle(folder / "store", seed)
        write_report(folder / "store", folder / "page.html")
        graph = blocks(folder / "page.html")["graph"]
        columns = [column for column in names(graph) if "." in column]
        with open_store(folder / "store") as store:
            cases = [
                {
                    "focus": column,
                    "up": up,
                    "direct_only": direct,
                    "hops": hops,
                    "edges": traced(store, column, up, direct, hops),
                }
                for column in random.Random(seed).sample(columns, 12)
                for up in (True, False)
                for direct, hops in ((True, 2), (False, 9))
            ]
        assert max(len(case["edges"]) for case in cases) > 10
        (folder / "cases.json").write_text(json.dumps({"graph": graph, "cases": cases}))
        npx("vitest", "run", TRACES=str(folder / "cases.json"))


def traced(store: OpenStore, column: str, up: bool, direct_only: bool, hops: int) -> list[tuple[object, ...]]:
    """The edges of a trace by the store's macro: source, target, dependency."""
    query = f"""
        SELECT DISTINCT concat_ws('.', source_dataset, source_column), concat_ws('.', target_dataset, target_column),
               dependency
        FROM {"upstream" if up else "downstream"}(?, max_depth := {hops}, direct_only := {direct_only})
    """
    return store.ask(query, [column]).rows


def test_the_page_has_the_lineage_of_each_time_as_the_store_has_it(tmp_path: Path) -> None:
    shop.open_shop(tmp_path / "store")
    write_report(tmp_path / "store", tmp_path / "page.html")
    graph = blocks(tmp_path / "page.html")["graph"]
    first = rows(tmp_path / "store", "SELECT min(first_seen) FROM column_lineage")[0][0]
    for hours in range(-1, 75, 9):
        at = first + timedelta(hours=hours, seconds=1)
        query = """
            SELECT DISTINCT concat_ws('.', source_dataset, source_column),
                   concat_ws('.', target_dataset, target_column), transformation
            FROM lineage_at(CAST(? AS TIMESTAMP)) WHERE source_column IS NOT NULL
        """
        assert held(graph, at) == set(rows(tmp_path / "store", query, at)), at


def held(graph: dict[str, dict[str, list[int]]], at: datetime) -> set[tuple[str, ...]]:
    """The page's edges at a time, as its script chooses them."""
    moment = at.replace(tzinfo=timezone.utc).timestamp() * 1000
    node, edge = names(graph), graph["edges"]
    found = set()
    lists = (edge[name] for name in ("source", "target", "kind", "first", "ended"))
    for source, target, kind, first, ended in zip(*lists, strict=True):
        began, end = edge["times"][first], edge["times"][ended]
        if source >= 0 and began <= moment and (end is None or end > moment):
            found.add((node[source], node[target], edge["kinds"][kind][1]))
    return found
