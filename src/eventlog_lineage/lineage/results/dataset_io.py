"""The datasets that a statement reads and writes, and their locations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.catalog.settings import CatalogSettings
from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Target, find_command
from eventlog_lineage.model import Dataset, DatasetAccess, Edge
from eventlog_lineage.operators.flow import Flow, Output, Read, Write


def reads_of(own: Sequence[Read], others: Sequence[Read], edges: Sequence[Edge]) -> tuple[Read, ...]:
    """Return the reads of a statement, one per dataset.

    Args:
        others: The reads of linked plans; only columns that edges start at are included.
    """
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
    """Return the accesses of a statement to its datasets, reads first.

    Args:
        reads: The result of `reads_of`.
    """
    accesses = [DatasetAccess(read.dataset, "read", "", read.columns) for read in reads]
    if write is not None:
        accesses.append(DatasetAccess(write.target, "write", write.mode, tuple(column.name for column in columns)))
    return tuple(accesses)


def _locations_of(
    flows: Sequence[Flow], write: Write, catalog_settings: CatalogSettings, commit_location: str
) -> list[str]:
    """Return the locations of a written table: as printed, else that of its catalog or of its commit."""
    printed = (*(flow.write.location for flow in flows if flow.write is not None), write.target.location)
    if locations := list(filter(None, printed)):
        return locations
    if find_command(flows[0].command).target is Target.WITHOUT_LOCATION or write.managed:
        return [catalog_settings.managed_location(write.target.name)]
    is_committed = bool(commit_location) and write.target.kind == "table"
    return [naming.path_name(commit_location)] if is_committed else []


def aliases_of(
    flows: Sequence[Flow],
    reads: Sequence[Read],
    write: Write | None,
    catalog_settings: CatalogSettings,
    commit_location: str = "",
) -> tuple[tuple[str, str], ...]:
    """Return (table, location of its files) from scans, writes, commits and catalog settings.

    Args:
        reads: The result of `reads_of`.
        commit_location: Location of the table that the statement's jobs commit to; empty if they do not name it.
    """
    pairs = [(read.dataset.name, read.dataset.location) for read in reads if _has_location(read.dataset)]
    if write is not None and write.target.kind in {"table", "view"}:
        locations = _locations_of(flows, write, catalog_settings, commit_location)
        pairs += [(write.target.name, location) for location in locations if location]
    folders = dict(catalog_settings.folders)
    tables = [read.dataset.name for read in reads] + ([write.target.name] if write is not None else [])
    pairs += [
        (table, location)
        for table in tables
        if table.partition(".")[0] in folders and (location := catalog_settings.managed_location(table))
    ]
    return tuple(dict.fromkeys(pairs))


def _has_location(dataset: Dataset) -> bool:
    return dataset.kind == "table" and bool(dataset.location)


def datasets_of(reads: Sequence[Read], source: Flow, write: Write | None) -> list[Dataset]:
    """Return the datasets of a statement; the target with location and format from the inner plan's write.

    Args:
        reads: The result of `reads_of`.
    """
    found = [read.dataset for read in reads]
    if write is not None:
        inner = source.write
        location = write.target.location or write.location or (inner.location if inner is not None else "")
        file_format = write.target.format or (inner.target.format if inner is not None else "")
        found.append(replace(write.target, location=location, format=file_format))
    return found
