"""Hand-overs of made-up nights, written as the Parquet files that a harvest leaves in its staging folder."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from eventlog_lineage.store.schema.relations import arrow_schema
from eventlog_lineage.store.schema.tables import HARVEST_TABLES
from eventlog_lineage.store.writer import HarvestFacts, Summary, open_for_harvest
from support.stores.memory import MemoryStore

START = datetime(2026, 11, 18, 1, 0)
"""When the first night begins."""

KINDS = {"IDENTITY": "DIRECT", "TRANSFORMATION": "DIRECT", "AGGREGATION": "DIRECT"}


@dataclass
class Night:
    """One harvest's hand-over in the making."""

    day: int = 0
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rows = {table.name: [] for table in HARVEST_TABLES}

    @property
    def start(self) -> datetime:
        """When it begins."""
        return START + timedelta(days=self.day)

    def app(self, app_id: str = "", name: str = "", **facts: Any) -> str:
        """Add an application; gives its id."""
        app_id = app_id or f"app-{self.day}"
        known = {
            "app_id": app_id,
            "attempt_id": "",
            "app_name": name or f"nightly sales {self.start:%Y-%m-%d}",
            "user_name": "etl",
            "spark_version": "3.5.9",
            "platform": "oss",
            "engine": "spark",
            "agents": "",
            "code_version": None,
            "started_at": self.start,
            "ended_at": self.start + timedelta(hours=1),
            "complete": True,
            "log_path": f"/logs/{app_id}",
        }
        self.rows["applications"].append(known | facts)
        return app_id

    def statement(  # noqa: PLR0913 - what a statement can say
        self,
        edges: Sequence[Sequence[str]] = (),
        *,
        target: str | None = None,
        reads: Sequence[str] = (),
        app: str = "",
        execution: int = 1,
        mode: str = "overwrite",
        literal: str = "",
        minute: int | None = None,
        status: str = "succeeded",
        command: str = "InsertInto",
        new: bool = True,
        **facts: Any,
    ) -> str:
        """Add a statement and, with `new`, its lineage; gives the lineage's fingerprint.

        Edges are (`dataset!column`, target column, transformation): an empty source makes a column without one,
        `dataset!` one of all columns of it (rows of an RDD), an empty target column an influence on the whole, a fourth
        word is the expression. Statements that differ in `literal` or in expressions only have one fingerprint.
        """
        names = [edge[0].rpartition("!")[0] for edge in edges if edge[0]]
        sources = sorted({*reads, *names})
        shape = hashlib.md5(
            repr((sorted(tuple(edge[:3]) for edge in edges), target, mode, sources)).encode()
        ).hexdigest()
        lineage_id = f"id-{shape[:8]}-{literal}"
        started = self.start + timedelta(minutes=execution if minute is None else minute)
        ended = started + timedelta(seconds=30) if status != "running" else None
        row = {
            "app_id": app or f"app-{self.day}",
            "attempt_id": "",
            "execution_id": execution,
            "root_execution_id": execution,
            "description": "save at NativeMethodAccessorImpl.java:0",
            "started_at": started,
            "ended_at": ended,
            "duration_ms": 30_000 if ended else None,
            "status": status,
            "plan_fingerprint": f"plan-{lineage_id}",
            "lineage_id": lineage_id,
        }
        self.rows["executions"].append(row | facts)
        if new:
            told = {
                "lineage_id": lineage_id,
                "lineage_fingerprint": shape,
                "command": command if target else "query",
                "target_dataset": target,
                "mode": mode if target else "",
                "traced_at": started,
            }
            self.add("lineages", **told)
            self.add("plan_nodes", plan_fingerprint=f"plan-{lineage_id}", node_id=0, position=0, operator=command)
            self._edges(shape, edges, target, literal, started)
            self._uses(shape, edges, sources, told)
        return shape

    def show(  # noqa: PLR0913 - what a statement can show
        self,
        shape: str,
        dataset: str,
        *columns: str,
        evidence: str = "overwrite",
        extent: str = "all",
        literal: str = "",
        words: Sequence[str] = (),
    ) -> None:
        """Say what a statement shows of a schema; columns are `name`, `name:type` or `name:type@derivation`."""
        shown = []
        for column in columns:
            named, _, derivation = column.partition("@")
            name, _, kind = named.partition(":")
            shown.append({"name": name, "data_type": kind, "derivation": derivation})
        lineage_id = f"id-{shape[:8]}-{literal}"
        self.add(
            "lineage_schemas",
            lineage_id=lineage_id,
            position=sum(row["lineage_id"] == lineage_id for row in self.rows["lineage_schemas"]),
            dataset=dataset,
            evidence=evidence,
            extent=extent,
            columns=shown,
            ordered=extent == "all",
            words=list(words),
            detail="",
        )

    def _edges(
        self, shape: str, edges: Sequence[Sequence[str]], target: str | None, literal: str, traced_at: datetime
    ) -> None:
        columns = list(dict.fromkeys(edge[1] for edge in edges if edge[1]))
        for place, (source, column, kind, *expression) in enumerate(edges):
            dataset, _, source_column = source.rpartition("!")
            self.add(
                "lineage_edges",
                lineage_fingerprint=shape,
                position=place,
                source_dataset=dataset or None,
                source_column=source_column or None,
                target_dataset=target,
                target_column=column or None,
                target_ordinal=columns.index(column) + 1 if column else None,
                dependency=KINDS.get(kind, "INDIRECT") if source else None,
                transformation=kind if source else None,
                masking=False,
                expression=expression[0] if expression else f"{source_column}{literal}",
                confidence="exact" if source_column or not dataset else "opaque",
                pattern=expression[0] if expression and not literal else source_column,
                traced_at=traced_at,
            )

    def _uses(
        self, shape: str, edges: Sequence[Sequence[str]], sources: Sequence[str], told: dict[str, str | None]
    ) -> None:
        uses = [(dataset, "read", "", {edge[0] for edge in edges}) for dataset in sources]
        if told["target_dataset"]:
            uses.append((told["target_dataset"], "write", str(told["mode"]), set()))
        for dataset, direction, mode, read in uses:
            columns = sorted({name.rpartition("!")[2] for name in read if name.rpartition("!")[0] == dataset} - {""})
            if direction == "write":
                columns = list(dict.fromkeys(edge[1] for edge in edges if edge[1]))
            facts = {"dataset": dataset, "direction": direction, "mode": mode, "columns": columns}
            self.add("lineage_io", lineage_fingerprint=shape, **facts)
            self.dataset(dataset)

    def dataset(self, name: str, location: str = "", file_format: str = "parquet") -> None:
        """Say what the last statement that was added shows of a dataset, by its name in the logs."""
        kind = "path" if ":/" in name else "table"
        self.add(
            "shown_datasets",
            lineage_id=self.rows["executions"][-1]["lineage_id"],
            dataset=name,
            kind=kind,
            format=file_format,
            location=location or (name if kind == "path" else ""),
        )

    def place(self, table: str, location: str) -> None:
        """Say that the warehouse of the night's application has a table's files at a place."""
        self.add("seen_places", dataset=table, location=location, shown_at=self.start)

    def show_place(self, table: str, location: str) -> None:
        """Say that the last statement that was added shows a table's files at a place."""
        lineage_id = self.rows["executions"][-1]["lineage_id"]
        self.add("shown_datasets", lineage_id=lineage_id, dataset=table, kind="", format="", location=location)

    def show_symlink(self, table: str, name: str) -> None:
        """Say that the last statement that was added shows a table's rows in a table of another system."""
        self.show_place(table, name)
        self.rows["shown_datasets"][-1]["kind"] = "symlink"

    def traced(self, known: Mapping[str, datetime]) -> Night:
        """The night as a harvest brings it: of a lineage's runs the first is traced, if the store has no earlier one.

        Args:
            known: The ids of the store's lineages, each with the start of the run that was traced.
        """
        first: dict[str, datetime] = {}
        for row in self.rows["lineages"]:
            name, start = row["lineage_id"], row["traced_at"]
            if start < min(known.get(name, datetime.max), first.get(name, datetime.max)):
                first[name] = start
        kept = Night(self.day)
        kept.rows = dict(self.rows)
        kept.rows["lineages"] = [
            row for row in self.rows["lineages"] if first.get(row["lineage_id"]) == row["traced_at"]
        ]
        runs = set(first.values())
        kept.rows["lineage_edges"] = [row for row in self.rows["lineage_edges"] if row["traced_at"] in runs]
        shapes = {row["lineage_fingerprint"] for row in kept.rows["lineages"]}
        kept.rows["lineage_io"] = [row for row in self.rows["lineage_io"] if row["lineage_fingerprint"] in shapes]
        for table in ("lineage_schemas", "shown_datasets"):
            kept.rows[table] = [row for row in self.rows[table] if row["lineage_id"] in first]
        return kept

    def log(self, path: str, **facts: Any) -> None:
        """Add a log's state."""
        row = {"log_path": path, "app_id": "", "attempt_id": "", "size": 10, "modified_at": self.start}
        self.rows["harvested_logs"].append(row | {"state": "complete"} | facts)

    def add(self, table: str, **row: Any) -> None:
        """Add a row to a table, once."""
        if row not in self.rows[table]:
            self.rows[table].append(row)

    def write(self, staging: Path) -> None:
        """Write the Parquet files."""
        for table in HARVEST_TABLES:
            if self.rows[table.name]:
                folder = staging / table.name
                folder.mkdir(parents=True, exist_ok=True)
                rows = pa.Table.from_pylist(self.rows[table.name], schema=arrow_schema(table))
                pq.write_table(rows, folder / "part-0.parquet")

    def begin(self, store: Path | MemoryStore) -> None:
        """Make a store of this night alone: equal nights are harvested once in a process, and copied from then on."""
        if isinstance(store, MemoryStore):
            store.begin(self)
            return
        shutil.copytree(_harvested(self), store, symlinks=True, dirs_exist_ok=True)

    def harvest(self, store: Path | MemoryStore, **options: Any) -> Summary:
        """Write the hand-over and publish it."""
        if isinstance(store, MemoryStore):
            return store.harvest(self, **options)
        with open_for_harvest(store) as writer:
            self.write(writer.staging_dir)
            return writer.publish(HarvestFacts(started_at=self.start + timedelta(hours=12)), **options)


def together(*nights: Night, day: int = 0) -> Night:
    """Join the hand-overs of several nights, as one harvest of their logs on a day."""
    joined = Night(day)
    for night in nights:
        for table, found in night.rows.items():
            for row in found:
                joined.add(table, **row)
    return joined


_BEGUN: dict[tuple[int, str], Path] = {}


def _harvested(night: Night) -> Path:
    """The store of a night, for copies."""
    key = night.day, repr(night.rows)
    if key not in _BEGUN:
        folder = Path(tempfile.mkdtemp(prefix="night-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        night.harvest(folder)
        _BEGUN[key] = folder
    return _BEGUN[key]
