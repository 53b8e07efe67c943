"""Counts the columns of unknown type in the output schemas of OpenLineage events.

    PYTHONPATH=src python benchmarks/output_types.py STORE...

Each dataset's columns are counted once, as the last event has them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from eventlog_lineage.export.event_datasets import UNKNOWN, EventOptions, Json
from eventlog_lineage.export.openlineage_events import run_events
from eventlog_lineage.export.runs import Selection
from eventlog_lineage.store.queries.open_store import open_store


def columns_of(store: str) -> dict[tuple[str, str, str], str]:
    """Return (namespace, name, column) of the outputs' columns to their types."""
    found = {}
    with open_store(store) as opened:
        for event in run_events(opened, EventOptions(Selection(all_runs=True))):
            for dataset in event["outputs"]:
                for column, kind in _fields(dataset.get("facets", {}).get("schema", {})):
                    found[dataset["namespace"], dataset["name"], column] = kind
    return found


def _fields(schema: Json) -> Iterator[tuple[str, str]]:
    for field in schema.get("fields", []):
        yield field["name"], field["type"]
        yield from ((f"{field['name']}.{name}", kind) for name, kind in _fields(field))


if __name__ == "__main__":
    for each in sys.argv[1:]:
        types = columns_of(each)
        unknown = sorted(key for key, kind in types.items() if kind == UNKNOWN)
        share = len(unknown) / max(len(types), 1)
        print(f"{each}: {len(unknown)} of {len(types)} columns of unknown type, {share:.1%}")
        for namespace, name, column in unknown:
            print(f"  {namespace} {name} {column}")
