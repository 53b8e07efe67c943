"""The datasets of a statement: what it reads and writes, and where their files lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.model import Dataset, DatasetAccess, Edge
from eventlog_lineage.operators.flow import Flow, Output, Read, Write


def reads_of(own: Sequence[Read], others: Sequence[Read], edges: Sequence[Edge]) -> tuple[Read, ...]:
    """The reads of a statement, by dataset: the plan's own, and of those behind its stitches what has come through."""
    reads: dict[str, Read] = {}
    for read in own:
        known = reads.get(read.dataset.name)
        reads[read.dataset.name] = replace(read, columns=(*known.columns, *read.columns)) if known else read
    for read in others:
        name = read.dataset.name
        columns = tuple(edge.source_column for edge in edges if edge.source_dataset == name and edge.source_column)
        if name not in reads and columns:
            reads[name] = replace(read, columns=columns)
    return tuple(replace(read, columns=tuple(dict.fromkeys(read.columns))) for read in reads.values())


def accesses_of(reads: Sequence[Read], write: Write | None, columns: Sequence[Output]) -> tuple[DatasetAccess, ...]:
    """What a statement reads and writes, reads first."""
    uses = [DatasetAccess(read.dataset, "read", "", read.columns) for read in reads]
    if write is not None:
        uses.append(DatasetAccess(write.target, "write", write.mode, tuple(column.name for column in columns)))
    return tuple(uses)


def aliases_of(
    flows: Sequence[Flow], reads: Sequence[Read], write: Write | None, catalog_settings: CatalogSettings
) -> tuple[tuple[str, str], ...]:
    """Tables and the places of their files, as scans and writes show them."""
    pairs = [(read.dataset.name, read.dataset.location) for read in reads if _is_placed(read.dataset)]
    if write is not None and write.target.kind in {"table", "view"}:
        places = [flow.write.location for flow in flows if flow.write is not None and flow.write.location]
        places += [write.target.location] if write.target.location else []
        if not places and (find_command(flows[0].command).hides_location or write.managed):
            places = [catalog_settings.managed_location(write.target.name)]
        pairs += [(write.target.name, place) for place in places if place]
    folders = dict(catalog_settings.folders)
    tables = [read.dataset.name for read in reads] + ([write.target.name] if write is not None else [])
    pairs += [
        (table, place)
        for table in tables
        if table.partition(".")[0] in folders and (place := catalog_settings.managed_location(table))
    ]
    return tuple(dict.fromkeys(pairs))


def _is_placed(dataset: Dataset) -> bool:
    return dataset.kind == "table" and bool(dataset.location)


def datasets_of(reads: Sequence[Read], told: Flow, write: Write | None) -> list[Dataset]:
    """Every dataset that a statement shows, the written one with what its inner plan knows of it."""
    found = [read.dataset for read in reads]
    if write is not None:
        inner = told.write
        location = write.target.location or write.location or (inner.location if inner is not None else "")
        file_format = write.target.format or (inner.target.format if inner is not None else "")
        found.append(replace(write.target, location=location, format=file_format))
    return found
