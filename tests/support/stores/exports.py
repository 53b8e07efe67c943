"""Stores that the tests of the exports read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from eventlog_lineage import __version__
from eventlog_lineage.cli.main import run
from eventlog_lineage.export.event_datasets import EventOptions
from eventlog_lineage.export.openlineage_events import run_events
from eventlog_lineage.export.runs import Selection
from support.stores.memory import MemoryStore, opened
from support.stores.nights import Night

LOGS = Path(__file__).resolve().parents[2] / "export" / "logs"
GOLDEN = Path(__file__).resolve().parents[2] / "export" / "golden"

RAW, SOLD = "spark_catalog.raw.orders", "spark_catalog.sales.daily"
PATH = "s3://lake/landing/orders"
WAREHOUSE = "s3://lake/warehouse"

Event = dict[str, Any]


def events(store: Path | MemoryStore, selection: Selection | None = None, **options: Any) -> list[Event]:
    """All events of a store."""
    with opened(store) as found:
        return list(run_events(found, EventOptions(selection or Selection(), **options)))


def statement_events(store: Path | MemoryStore, selection: Selection | None = None, **options: Any) -> list[Event]:
    """The events of statements, without those of applications."""
    return [event for event in events(store, selection, **options) if "parent" in event["run"]["facets"]]


def completed(store: Path | MemoryStore, selection: Selection | None = None, **options: Any) -> Event:
    """The COMPLETE event of a store's only statement."""
    (event,) = all_completed(store, selection, **options)
    return event


def all_completed(store: Path | MemoryStore, selection: Selection | None = None, **options: Any) -> list[Event]:
    """The COMPLETE events of a store's statements."""
    return [each for each in statement_events(store, selection, **options) if each["eventType"] == "COMPLETE"]


def output(event: Event) -> Event:
    """The only output of an event."""
    (dataset,) = event["outputs"]
    return dict(dataset)


def catalog(night: Night, name: str = "spark_catalog", namespace: str = "hive://metastore:9083") -> None:
    """Say which namespace a log shows of a catalog."""
    night.add("seen_catalogs", catalog=name, namespace=namespace, shown_at=night.start)


def night_of(*edges: tuple[str, ...], target: str = SOLD, **facts: Any) -> Night:
    """A night with one statement."""
    night = Night()
    night.app()
    night.statement(edges, target=target, **facts)
    return night


def golden_exports(store: Path) -> dict[str, str]:
    """File's name to what it holds: an export of a store as a person can read it, without the program's version."""
    versions = {f"eventlog-lineage/{__version__}": "eventlog-lineage/VERSION"}
    versions[f'"openlineageAdapterVersion":"{__version__}"'] = '"openlineageAdapterVersion":"VERSION"'
    found: dict[str, str] = {}
    for name, *words in (
        ("openlineage.json", "openlineage"),
        ("openlineage_all_options.json", "openlineage", "--all-runs", "--explicit", *_ALL_OPTIONS),
        ("hive.json", "hive"),
        ("column_lineage.csv", "csv"),
    ):
        out = store.parent / name
        assert run(["export", *words, "--store", str(store), "--out", str(out)]) == 0
        text = out.read_bytes().decode()
        for version, stable in versions.items():
            text = text.replace(version, stable)
        found[name] = _pretty(text) if name.endswith(".json") else text
    return found


_ALL_OPTIONS = ("--indirect", "fields", "--nested", "top", "--catalog", "spark_catalog=hive://metastore:9083")


def _pretty(lines: str) -> str:
    return "".join(f"{json.dumps(json.loads(line), indent=1, ensure_ascii=False)}\n" for line in lines.splitlines())
