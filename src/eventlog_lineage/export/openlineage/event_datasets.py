"""The inputs and outputs of events, with their facets."""

from __future__ import annotations

from eventlog_lineage.extensions import formats

from .column_lineage import TargetEdges, column_lineage_facet
from .facets import Json, facet, filled
from .run_names import RunNames
from .schema import schema_facet

_LIFECYCLE = {
    "alter": "ALTER",
    "create": "CREATE",
    "drop": "DROP",
    "overwrite": "OVERWRITE",
    "replace": "OVERWRITE",
    "truncate": "TRUNCATE",
}


def bare_dataset(dataset: str, names: RunNames) -> Json:
    """Return a dataset with its names alone.

    Args:
        dataset: The canonical name.
        names: The names of the run's datasets and columns.
    """
    return {**names.reference(dataset), **filled(facets=_symlinks(dataset, names))}


def _symlinks(dataset: str, names: RunNames) -> Json:
    symlink = names.symlink(dataset)
    return {"symlinks": facet("symlinks", identifiers=[symlink])} if symlink else {}


def inputs(edges: TargetEdges, names: RunNames) -> list[Json]:
    """Return the inputs; the schema of one that an edge names has all columns that edges name.

    Args:
        edges: The edges onto the output.
        names: The names of the run's datasets and columns.
    """
    named = edges.source_columns(names)
    read = dict.fromkeys([*names.run.reads, *named])
    return [_input(dataset, list(named.get(dataset, ())), names) for dataset in read]


def _input(dataset: str, named: list[str], names: RunNames) -> Json:
    moved = names.run.moved.get((dataset, "read"))
    schema = schema_facet(names.columns(dataset), named) if named else None
    facets = {**_symlinks(dataset, names), **filled(schema=schema), **_version(moved.snapshot if moved else None)}
    counts = filled(rowCount=moved.rows, size=moved.bytes, fileCount=moved.files) if moved else {}
    statistics = {"inputStatistics": facet("inputStatistics", **counts)} if counts else {}
    return {**names.reference(dataset), **filled(facets=facets, inputFacets=statistics)}


def output(edges: TargetEdges, names: RunNames) -> Json:
    """Return the output of a run that succeeded; its schema has all columns that the run wrote.

    Args:
        edges: The edges onto the output.
        names: The names of the run's datasets and columns.
    """
    run = names.run
    moved = run.moved.get((run.target, "write"))
    written = [names.column(run.target, edge.target_column) for edge in run.edges if edge.target_column]
    facets = {
        **_symlinks(run.target, names),
        **_storage(names.format(run.target)),
        **_version(moved.snapshot if moved else None),
        **filled(
            schema=schema_facet(names.columns(run.target), dict.fromkeys(written)),
            columnLineage=column_lineage_facet(edges, names),
        ),
    }
    if run.renamed_from is not None:
        before = names.reference(run.renamed_from)
        change = facet("lifecycleStateChange", lifecycleStateChange="RENAME", previousIdentifier=before)
        facets["lifecycleStateChange"] = change
    elif kind := _LIFECYCLE.get(run.mode):
        facets["lifecycleStateChange"] = facet("lifecycleStateChange", lifecycleStateChange=kind)
    counts = filled(rowCount=moved.rows, size=moved.bytes, fileCount=moved.files) if moved else {}
    statistics = {"outputStatistics": facet("outputStatistics", **counts)} if counts else {}
    return {**names.reference(run.target), **filled(facets=facets, outputFacets=statistics)}


def _storage(file_format: str) -> Json:
    layer = next((each for each in formats() if each.name == file_format), None)
    if layer is None:
        return {}
    return {"storage": facet("storage", storageLayer=file_format, fileFormat=layer.data_files or None)}


def _version(snapshot: str | None) -> Json:
    """Return the version facet; of several snapshots that were read none is the dataset's version."""
    return {"version": facet("version", datasetVersion=snapshot)} if snapshot and "," not in snapshot else {}
