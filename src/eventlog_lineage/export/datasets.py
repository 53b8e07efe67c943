"""What the exports call datasets: OpenLineage's names, and the columns that are known of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from eventlog_lineage.datasets.openlineage import (
    catalog_name,
    is_folder_namespace,
    location_name,
    openlineage_name,
    unknown_catalog,
)
from eventlog_lineage.model import Dataset
from eventlog_lineage.store.queries.open_store import OpenStore
from eventlog_lineage.store.queries.user_functions import user_functions

from .derived_types import Column, Made, derived_types

_DATASETS = "SELECT dataset, kind, coalesce(format, ''), coalesce(location, '') FROM datasets"

_CATALOGS = """
    SELECT catalog, namespace FROM catalogs
    QUALIFY row_number() OVER (PARTITION BY catalog ORDER BY shown_at DESC NULLS LAST, namespace) = 1
"""

_IN_CATALOGS = "SELECT dataset, alias FROM dataset_aliases WHERE kind = 'catalog' ORDER BY ALL"

_COLUMNS = """
    SELECT dataset, version, valid_from, column_name, coalesce(data_type, '') FROM schema_versions
    WHERE dataset IN (SELECT unnest(?))
    ORDER BY dataset, version, ordinal
"""


_MADE = """
    SELECT target_dataset, made, way, list_sort(list(DISTINCT source))
    FROM (
        SELECT target_dataset, lower(target_column) AS made, if(transformation = 'IDENTITY', '', expression) AS way,
               [source_dataset, lower(source_column)] AS source, job_name
        FROM column_lineage
        WHERE target_dataset IN (SELECT unnest($datasets)) AND target_column IS NOT NULL AND source_column IS NOT NULL
        UNION ALL
        SELECT source_dataset, lower(source_column), '', [target_dataset, lower(target_column)], job_name
        FROM column_lineage
        WHERE source_dataset IN (SELECT unnest($datasets)) AND transformation = 'IDENTITY'
          AND target_dataset IS NOT NULL AND target_column IS NOT NULL)
    WHERE way <> '' OR source <> [target_dataset, made]
    GROUP BY target_dataset, made, way, if(way = '', source, [job_name])
"""
"""How the columns of datasets are made, nested fields included; a copy has no expression, and its original's type."""

_MOST_STEPS = 20
"""Columns made of columns that are followed for a type."""


@dataclass(frozen=True, slots=True)
class Name:
    """A dataset in OpenLineage's words."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """The columns of a dataset from a time on: (name, type), nested ones dotted; an unknown type is empty."""

    valid_from: datetime | None
    columns: tuple[tuple[str, str], ...]


class Datasets:
    """The store's datasets, by their canonical names."""

    def __init__(self, store: OpenStore, catalogs: Mapping[str, str] | None = None) -> None:
        """Read the store's datasets.

        Args:
            store: The store.
            catalogs: Catalog to namespace, from the user; these take precedence over the logs' settings.
        """
        self._store = store
        self._given = dict(catalogs or {})
        self._shown = _catalogs(store)
        self._catalogs = self._shown | self._given
        self._names: dict[str, Name] = {}
        self._known = {
            str(name): Dataset(str(name), str(kind), str(form), str(location))
            for name, kind, form, location in store.ask(_DATASETS).rows
        }
        self._schemas: dict[str, list[SchemaVersion]] = {}
        self._functions: set[str] | None = None
        self._derived: dict[Column, str] = {}
        self._in_catalogs: dict[str, list[str]] = {}
        for name, alias in store.ask(_IN_CATALOGS).rows:
            self._in_catalogs.setdefault(str(name), []).append(str(alias))

    def name(self, dataset: str) -> Name:
        """Return OpenLineage's name: of the location where it is known, else within the catalog."""
        if dataset not in self._names:
            self._names[dataset] = Name(*openlineage_name(self.dataset(dataset), self._catalogs))
        return self._names[dataset]

    def dataset(self, dataset: str) -> Dataset:
        """Return what is known of a dataset."""
        return self._known.get(dataset) or Dataset(dataset, "path" if ":/" in dataset else "table")

    def symlinks(self, dataset: str) -> list[Name]:
        """Return the names in catalogs of a table that is named by its files, or by its database."""
        names = (catalog_name(alias) for alias in self._in_catalogs.get(dataset, ()))
        found = [Name(self._given.get(catalog, catalog), name) for catalog, name in names]
        return found or [name for name in [self._symlink(dataset)] if name]

    def _symlink(self, dataset: str) -> Name | None:
        """Return the name in the catalog of a table that is named by its files; None for other datasets.

        A table outside of a file system catalog has none (`PathUtils.fromTableIdentifier` of the agent).
        """
        known = self.dataset(dataset)
        if known.kind not in {"table", "view"} or not known.location or ":/" in dataset:
            return None
        catalog, name = catalog_name(dataset)
        if catalog in self._given:
            return Name(self._given[catalog], name)
        namespace = self._shown.get(catalog) or unknown_catalog(catalog)
        outside = not _uri(known.location).startswith(f"{namespace}/")
        return None if is_folder_namespace(namespace) and outside else Name(namespace, name)

    def schema(self, dataset: str, at: datetime | None) -> tuple[tuple[str, str], ...]:
        """Return a dataset's columns at a time; the first known ones before that, nothing if none are known.

        Args:
            dataset: The dataset.
            at: The time; None for today.
        """
        if dataset not in self._schemas:
            self.read_schemas([dataset])
        versions = self._schemas[dataset]
        known = [each for each in versions if at is None or each.valid_from is None or each.valid_from <= at]
        return (known or versions[:1] or [SchemaVersion(None, ())])[-1].columns

    def derived_type(self, dataset: str, column: str) -> str:
        """Return the type of a column that no schema lists; empty if it is unknown. `schema` has been called."""
        return self._derived.get((dataset, column.lower()), "")

    def read_schemas(self, datasets: Sequence[str]) -> None:
        """Read the schemas of datasets at once."""
        missing = [name for name in dict.fromkeys(datasets) if name not in self._schemas]
        if not missing:
            return
        self._schemas |= self._read(missing)
        self._complete_types(missing)

    def _read(self, datasets: Sequence[str]) -> dict[str, list[SchemaVersion]]:
        """Return the schema versions of datasets, each with the types of the versions before and after it."""
        versions: dict[str, dict[object, tuple[object, list[tuple[str, str]]]]] = {name: {} for name in datasets}
        for name, version, valid_from, column, kind in self._store.ask(_COLUMNS, [list(datasets)]).rows:
            versions[str(name)].setdefault(version, (valid_from, []))[1].append((str(column), str(kind)))
        return {
            name: _with_known_types(
                [
                    SchemaVersion(start if isinstance(start, datetime) else None, tuple(columns))
                    for start, columns in found.values()
                ]
            )
            for name, found in versions.items()
        }

    def _complete_types(self, datasets: Sequence[str]) -> None:
        """Complete a column's missing type by that of the expressions that make it, where they have one type."""
        made: dict[Column, set[Made]] = {}
        known = dict(self._types(self._schemas, datasets))
        missing = _incomplete(self._schemas, datasets)
        read = set(datasets)
        for _ in range(_MOST_STEPS):
            if not missing:
                break
            for target, column, expression, listed in self._store.ask(_MADE, {"datasets": missing}).rows:
                sources = tuple((str(source), str(name)) for source, name in cast("list[list[object]]", listed))
                made.setdefault((str(target), str(column)), set()).add(Made(str(expression or ""), sources))
            new = sorted({source for ways in made.values() for way in ways for source, _ in way.sources} - read)
            read.update(new)
            found = self._read(new) if new else {}
            known |= dict(self._types(found, new))
            missing = _incomplete(found, new)
        types = derived_types(known, made, self._is_users) if made else {}
        self._derived |= types
        for name in datasets:
            self._schemas[name] = [
                SchemaVersion(
                    each.valid_from,
                    tuple((column, kind or types.get((name, column.lower()), "")) for column, kind in each.columns),
                )
                for each in self._schemas[name]
            ]

    def _is_users(self, function: str) -> bool:
        if self._functions is None:
            self._functions = {str(row["function"]).lower() for row in user_functions(self._store).records()}
        return function.lower() in self._functions

    @staticmethod
    def _types(
        schemas: Mapping[str, Sequence[SchemaVersion]], datasets: Sequence[str]
    ) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the last known type of each column."""
        for name in datasets:
            for version in schemas[name]:
                yield from (((name, column.lower()), kind) for column, kind in version.columns)


def _incomplete(schemas: Mapping[str, Sequence[SchemaVersion]], datasets: Sequence[str]) -> list[str]:
    """Return the datasets of which a type, or every column, is unknown."""
    return [
        name
        for name in datasets
        if not schemas[name] or not all(kind for version in schemas[name] for _, kind in version.columns)
    ]


def _with_known_types(versions: Sequence[SchemaVersion]) -> list[SchemaVersion]:
    """Return versions with the type that another version of a column shows, the one before rather than the next."""
    completed = list(versions)
    for order in (1, -1):
        types: dict[str, str] = {}
        for place in range(len(completed))[::order]:
            columns = tuple((name, kind or types.get(name.lower(), "")) for name, kind in completed[place].columns)
            types |= {name.lower(): kind for name, kind in columns if kind}
            completed[place] = SchemaVersion(completed[place].valid_from, columns)
    return completed


def _catalogs(store: OpenStore) -> dict[str, str]:
    """Return the namespaces by catalog."""
    return {str(catalog): str(namespace) for catalog, namespace in store.ask(_CATALOGS).rows}


def _uri(location: str) -> str:
    """Return a location as namespaces of folders are written: `file:/data/x`, `s3://bucket/key`."""
    namespace, name = location_name(location)
    return f"{namespace}:{name}" if ":" not in namespace else f"{namespace}/{name.lstrip('/')}"
