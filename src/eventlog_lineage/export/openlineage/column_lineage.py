"""Edges as OpenLineage has them: the columnLineage facet, and the explicit lineage facet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eventlog_lineage.export.runs import Edge

from .facets import Json, facet
from .run_names import RunNames

_STRENGTH = {"AGGREGATION": 0, "TRANSFORMATION": 1, "IDENTITY": 2}
"""The DIRECT kinds, strongest first; the kind of a column is its strongest one."""


@dataclass(frozen=True, slots=True)
class TargetEdges:
    """A run's edges that have a source, by what they make.

    Attributes:
        fields: Target column to its edges.
        dataset: Edges that influence all columns.
    """

    fields: dict[str, list[Edge]]
    dataset: list[Edge]

    def source_columns(self, names: RunNames) -> dict[str, dict[str, None]]:
        """Return source dataset to the columns that edges name, in their order."""
        found: dict[str, dict[str, None]] = {}
        for edge in [edge for edges in self.fields.values() for edge in edges] + self.dataset:
            dataset = str(edge.source_dataset)
            found.setdefault(dataset, {})[names.column(dataset, str(edge.source_column))] = None
        return found


def edges_of(names: RunNames, indirect: str) -> TargetEdges:
    """Return a run's edges.

    Args:
        names: What the run calls columns.
        indirect: `dataset`, `fields` or `none`: what becomes of edges that influence all columns.
    """
    fields: dict[str, list[Edge]] = {}
    whole: list[Edge] = []
    for edge in names.run.edges:
        column = edge.target_column and names.column(names.run.target, edge.target_column)
        made = fields.setdefault(column, []) if column else whole
        if edge.source_column is not None and (edge.dependency == "DIRECT" or indirect != "none"):
            made.append(edge)
    if indirect == "fields":
        fields, whole = {column: [*edges, *whole] for column, edges in fields.items()}, []
    return TargetEdges({column: edges for column, edges in fields.items() if edges}, whole)


def column_lineage_facet(edges: TargetEdges, names: RunNames) -> Json | None:
    """Return the columnLineage facet of a run's output; None if no edge has a source.

    Args:
        edges: The edges onto the output.
        names: The names of the run's datasets and columns.
    """
    fields = {column: _field(found, names) for column, found in edges.fields.items()}
    whole = _input_fields(edges.dataset, names)
    return facet("columnLineage", fields=fields, dataset=whole or None) if fields or whole else None


def lineage_facet(edges: TargetEdges, names: RunNames) -> Json:
    """Return the explicit lineage facet of a run's job: one entry, its target.

    A dataset that is read without any of its columns (`count(*)`) is an input without a field.

    Args:
        edges: The edges onto the target.
        names: The names of the run's datasets and columns.
    """
    named = edges.source_columns(names)
    inputs = [_typed(each) for each in _input_fields(edges.dataset, names)]
    inputs += [_typed(names.reference(dataset)) for dataset in names.run.reads if dataset not in named]
    fields = {
        column: {"inputs": [_typed(each) for each in _input_fields(found, names)]}
        for column, found in edges.fields.items()
    }
    return facet("lineage", entries=[{**_typed(names.reference(names.run.target)), "inputs": inputs, "fields": fields}])


def _typed(reference: Json) -> Json:
    return {**reference, "type": "DATASET"}


def _field(edges: Sequence[Edge], names: RunNames) -> Json:
    """Return a target column's entry.

    The deprecated description and type of the field are filled: Marquez and OpenMetadata show nothing else.

    Args:
        edges: The edges of the column.
        names: Dataset to namespace and name.
    """
    own = [edge for edge in edges if edge.target_column is not None] or list(edges)
    values = [edge for edge in own if edge.dependency == "DIRECT"]
    described = next((edge.expression for edge in (*values, *own) if edge.expression), "")
    kinds = [edge.transformation for edge in (values or own) if edge.transformation]
    kind = min(kinds, key=lambda each: _STRENGTH.get(each, len(_STRENGTH)), default="")
    if values and all(edge.masking for edge in values):
        kind = "MASKED"
    known = {"transformationDescription": described, "transformationType": kind}
    return {"inputFields": _input_fields(edges, names), **{key: text for key, text in known.items() if text}}


def _input_fields(edges: Iterable[Edge], names: RunNames) -> list[Json]:
    """Return input fields: each source once, with all the ways in which it takes part.

    Args:
        edges: The edges of the column.
        names: Dataset to namespace and name.
    """
    found: dict[tuple[str, str], list[Json]] = {}
    for edge in edges:
        dataset = str(edge.source_dataset)
        ways = found.setdefault((dataset, names.column(dataset, str(edge.source_column))), [])
        if (way := _transformation(edge)) not in ways:
            ways.append(way)
    return [
        {**names.reference(dataset), "field": column, "transformations": ways}
        for (dataset, column), ways in found.items()
    ]


def _transformation(edge: Edge) -> Json:
    known = {"type": edge.dependency, "subtype": edge.transformation, "description": edge.expression}
    return {**{key: text for key, text in known.items() if text}, "masking": edge.masking}
