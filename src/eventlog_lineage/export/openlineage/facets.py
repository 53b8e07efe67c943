"""Facets with the versions of their schemas, and their keys in an event."""

from __future__ import annotations

from typing import Any

from eventlog_lineage import __version__

Json = dict[str, Any]

PRODUCER = f"https://pypi.org/project/eventlog-lineage/{__version__}"

_SPEC = "https://openlineage.io/spec"
EVENT_SCHEMA = f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent"

_SCHEMAS = {
    "columnLineage": ("1-2-0", "ColumnLineageDatasetFacet", "ColumnLineageDatasetFacet"),
    "errorMessage": ("1-0-1", "ErrorMessageRunFacet", "ErrorMessageRunFacet"),
    "inputStatistics": ("1-0-0", "InputStatisticsInputDatasetFacet", "InputStatisticsInputDatasetFacet"),
    "jobType": ("2-0-4", "JobTypeJobFacet", "JobTypeJobFacet"),
    "lifecycleStateChange": ("1-0-1", "LifecycleStateChangeDatasetFacet", "LifecycleStateChangeDatasetFacet"),
    "lineage": ("1-0-0", "LineageFacet", "LineageJobFacet"),
    "outputStatistics": ("1-0-2", "OutputStatisticsOutputDatasetFacet", "OutputStatisticsOutputDatasetFacet"),
    "parent": ("1-2-0", "ParentRunFacet", "ParentRunFacet"),
    "processing_engine": ("1-1-1", "ProcessingEngineRunFacet", "ProcessingEngineRunFacet"),
    "schema": ("1-2-0", "SchemaDatasetFacet", "SchemaDatasetFacet"),
    "sql": ("1-1-0", "SQLJobFacet", "SQLJobFacet"),
    "storage": ("1-0-1", "StorageDatasetFacet", "StorageDatasetFacet"),
    "symlinks": ("1-0-1", "SymlinksDatasetFacet", "SymlinksDatasetFacet"),
    "version": ("1-0-1", "DatasetVersionDatasetFacet", "DatasetVersionDatasetFacet"),
}
"""Key of the facet to the version of its schema, the schema's file and the definition in it."""


def facet(key: str, **fields: object) -> Json:
    """Return a facet with its producer and schema; fields that are None are left out.

    Args:
        key: The facet's key in the event.
        fields: Its content.
    """
    version, file, definition = _SCHEMAS[key]
    known = {name: value for name, value in fields.items() if value is not None}
    schema = f"{_SPEC}/facets/{version}/{file}.json#/$defs/{definition}"
    return {"_producer": PRODUCER, "_schemaURL": schema, **known}


def filled(**parts: object) -> Json:
    """Return the parts that hold something: neither None nor empty."""
    return {name: part for name, part in parts.items() if part is not None and part not in ({}, "")}
