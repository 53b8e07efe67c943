"""What the exports call datasets: OpenLineage's names, and the columns that are known of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from eventlog_lineage.datasets.openlineage import catalog_name, location_name, openlineage_name
from eventlog_lineage.model import Dataset
from eventlog_lineage.store.queries.open_store import OpenStore

_DATASETS = "SELECT dataset, kind, coalesce(format, ''), coalesce(location, '') FROM datasets"

_CATALOGS = """
    SELECT catalog, namespace FROM catalogs
    QUALIFY row_number() OVER (PARTITION BY catalog ORDER BY shown_at DESC NULLS LAST, namespace) = 1
"""

_COLUMNS = """
    SELECT dataset, version, valid_from, column_name, coalesce(data_type, '') FROM schema_versions
    WHERE dataset IN (SELECT unnest(?))
    ORDER BY dataset, version, ordinal
"""


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

    def name(self, dataset: str) -> Name:
        """Return OpenLineage's name: of the location where it is known, else within the catalog."""
        if dataset not in self._names:
            self._names[dataset] = Name(*openlineage_name(self.dataset(dataset), self._catalogs))
        return self._names[dataset]

    def dataset(self, dataset: str) -> Dataset:
        """Return what is known of a dataset."""
        return self._known.get(dataset) or Dataset(dataset, "path" if ":/" in dataset else "table")

    def symlink(self, dataset: str) -> Name | None:
        """Return the name in the catalog of a table that is named by its files; None for other datasets.

        A table outside of a file system catalog has none (`PathUtils.fromTableIdentifier` of the agent).
        """
        known = self.dataset(dataset)
        if known.kind not in {"table", "view"} or not known.location or ":/" in dataset:
            return None
        catalog, name = catalog_name(dataset)
        if catalog in self._given:
            return Name(self._given[catalog], name)
        namespace = self._shown.get(catalog, catalog)
        outside = not _uri(known.location).startswith(f"{namespace}/")
        return None if catalog in self._shown and _is_folder(namespace) and outside else Name(namespace, name)

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
        versions: dict[str, dict[object, tuple[object, list[tuple[str, str]]]]] = {name: {} for name in missing}
        for name, version, valid_from, column, kind in self._store.ask(_COLUMNS, [missing]).rows:
            versions[str(name)].setdefault(version, (valid_from, []))[1].append((str(column), str(kind)))
        for name, found in versions.items():
            self._schemas[name] = [
                SchemaVersion(start if isinstance(start, datetime) else None, tuple(columns))
                for start, columns in found.values()
            ]


def _catalogs(store: OpenStore) -> dict[str, str]:
    """Return the namespaces by catalog; a store of 0.1.0 that was not harvested into since has no such table."""
    known = store.ask("SELECT 1 FROM duckdb_tables() WHERE table_name = 'catalogs' AND NOT internal").rows
    return {str(catalog): str(namespace) for catalog, namespace in (store.ask(_CATALOGS).rows if known else ())}


def _is_folder(namespace: str) -> bool:
    return not namespace.startswith(("hive://", "http://", "https://"))


def _uri(location: str) -> str:
    """Return a location as namespaces of folders are written: `file:/data/x`, `s3://bucket/key`."""
    namespace, name = location_name(location)
    return f"{namespace}:{name}" if ":" not in namespace else f"{namespace}/{name.lstrip('/')}"
