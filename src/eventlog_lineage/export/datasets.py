"""What the exports call datasets: OpenLineage's names, and the columns that are known of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from eventlog_lineage.datasets.openlineage import (
    catalog_name,
    is_folder_namespace,
    location_name,
    openlineage_name,
    unknown_catalog,
)
from eventlog_lineage.model import Dataset
from eventlog_lineage.store.queries.open_store import OpenStore

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


_COPIES = """
    SELECT DISTINCT target_dataset, lower(target_column), source_dataset, lower(source_column) FROM column_lineage
    WHERE target_dataset IN (SELECT unnest(?)) AND transformation = 'IDENTITY' AND source_dataset <> target_dataset
"""
"""The columns that copy others, nested fields included."""

_MOST_COPIES = 20
"""Copies of copies that are followed for a type."""


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
        """Complete a column's missing type by that of the columns that it copies, where they have one type."""
        copies: dict[tuple[str, str], set[tuple[str, str]]] = {}
        known = dict(self._types(self._schemas, datasets))
        missing = sorted({dataset for (dataset, _), kind in known.items() if not kind})
        read = set(datasets)
        for _ in range(_MOST_COPIES):
            if not missing:
                break
            for target, column, source, copied in self._store.ask(_COPIES, [missing]).rows:
                copies.setdefault((str(target), str(column)), set()).add((str(source), str(copied)))
            sources = sorted({source for found in copies.values() for source, _ in found} - read)
            read.update(sources)
            found = dict(self._types(self._read(sources), sources)) if sources else {}
            known |= found
            missing = sorted({dataset for (dataset, _), kind in found.items() if not kind})
        types = _copied_types(known, copies)
        for name in datasets:
            self._schemas[name] = [
                SchemaVersion(
                    each.valid_from,
                    tuple((column, kind or types.get((name, column.lower()), "")) for column, kind in each.columns),
                )
                for each in self._schemas[name]
            ]

    @staticmethod
    def _types(
        schemas: Mapping[str, Sequence[SchemaVersion]], datasets: Sequence[str]
    ) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the last known type of each column."""
        for name in datasets:
            for version in schemas[name]:
                yield from (((name, column.lower()), kind) for column, kind in version.columns)


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


def _copied_types(
    known: Mapping[tuple[str, str], str], copies: Mapping[tuple[str, str], set[tuple[str, str]]]
) -> dict[tuple[str, str], str]:
    """Return the types of columns, with those that follow from copies: step by step, until no more follow."""
    types = {column: kind for column, kind in known.items() if kind}
    for _ in range(_MOST_COPIES):
        found = {
            column: kinds.pop()
            for column, sources in copies.items()
            if column not in types and len(kinds := {types.get(each, "") for each in sources} - {""}) == 1
        }
        if not found:
            break
        types |= found
    return types


def _catalogs(store: OpenStore) -> dict[str, str]:
    """Return the namespaces by catalog."""
    return {str(catalog): str(namespace) for catalog, namespace in store.ask(_CATALOGS).rows}


def _uri(location: str) -> str:
    """Return a location as namespaces of folders are written: `file:/data/x`, `s3://bucket/key`."""
    namespace, name = location_name(location)
    return f"{namespace}:{name}" if ":" not in namespace else f"{namespace}/{name.lstrip('/')}"
