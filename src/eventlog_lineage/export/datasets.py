"""Datasets as exports name them, by OpenLineage's rules, and the columns and types that are known of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import cast

from eventlog_lineage.datasets.naming import short_name
from eventlog_lineage.datasets.openlineage import (
    catalog_name,
    is_folder_namespace,
    location_name,
    openlineage_name,
    unknown_catalog,
)
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.derivations.functions import base_name
from eventlog_lineage.operators.derivations.result_types import result_type
from eventlog_lineage.plan.grammar.expression import AttributeReference, Call, Expression, SubqueryExpression, all_parts
from eventlog_lineage.plan.grammar.parser import parse_expression
from eventlog_lineage.store.queries.inventory import user_functions
from eventlog_lineage.store.queries.open_store import OpenStore
from eventlog_lineage.store.schema.relations import sql_text

_DATASETS = "SELECT dataset, kind, coalesce(format, ''), coalesce(location, '') FROM datasets"

_IN_CATALOGS = "SELECT dataset, alias FROM dataset_aliases WHERE kind = 'catalog' ORDER BY ALL"

_COLUMNS = """
    SELECT dataset, version, valid_from, column_name, coalesce(data_type, '') FROM schema_versions
    WHERE dataset IN (SELECT unnest(?))
    ORDER BY dataset, version, ordinal
"""


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
            catalogs: Catalog to namespace, from the user; these take precedence over the logs' settings.
        """
        self._store = store
        self._given = dict(catalogs or {})
        catalogs_of_logs = store.ask(sql_text("queries/catalog_namespaces")).rows
        self._shown = {str(catalog): str(namespace) for catalog, namespace in catalogs_of_logs}
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
        """Return a dataset's columns at a time or today; the first known ones before, nothing if none are known."""
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
            for column, way in self._made(missing):
                made.setdefault(column, set()).add(way)
            new = sorted({source for ways in made.values() for way in ways for source, _ in way.sources} - read)
            read.update(new)
            found = self._read(new) if new else {}
            known |= dict(self._types(found, new))
            missing = _incomplete(found, new)
        types = derived_types(known, made, self._is_users) if made else {}
        self._derived |= types
        for name in datasets:
            self._schemas[name] = [_completed(name, each, types) for each in self._schemas[name]]

    def _made(self, datasets: Sequence[str]) -> Iterator[tuple[Column, Made]]:
        """Yield how the columns of datasets are made."""
        rows = self._store.ask(sql_text("queries/made_columns"), {"datasets": datasets}).rows
        for target, column, expression, listed in rows:
            sources = tuple((str(source), str(name)) for source, name in cast("list[list[object]]", listed))
            yield (str(target), str(column)), Made(str(expression or ""), sources)

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


def _completed(dataset: str, schema: SchemaVersion, types: Mapping[Column, str]) -> SchemaVersion:
    columns = ((column, kind or types.get((dataset, column.lower()), "")) for column, kind in schema.columns)
    return SchemaVersion(schema.valid_from, tuple(columns))


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


def _uri(location: str) -> str:
    """Return a location as namespaces of folders are written: `file:/data/x`, `s3://bucket/key`."""
    namespace, name = location_name(location)
    return f"{namespace}:{name}" if ":" not in namespace else f"{namespace}/{name.lstrip('/')}"


Column = tuple[str, str]
"""A dataset and one of its columns."""

_CUT = "…"


@dataclass(frozen=True, slots=True)
class Made:
    """How a column is made by a job.

    Attributes:
        expression: The expression over the words of its sources; empty for a copy.
        sources: The columns that it reads, in lower case.
    """

    expression: str
    sources: tuple[Column, ...]


def derived_types(
    known: Mapping[Column, str], made: Mapping[Column, Collection[Made]], is_users: Callable[[str], bool]
) -> dict[Column, str]:
    """Return the types of columns with those that follow, step by step, where all ways to make a column agree.

    Args:
        known: Column to type; empty if it is unknown.
        made: Column to the ways in which jobs make it.
        is_users: Returns whether a function of this name is a user's, whose type no plan prints.
    """
    types = {column: kind for column, kind in known.items() if kind}
    while True:
        found = {
            column: kinds.pop()
            for column, ways in made.items()
            if column not in types and len(kinds := {_derived(each, types, is_users) for each in ways} - {""}) == 1
        }
        if not found:
            return types
        types |= found


def _derived(made: Made, types: Mapping[Column, str], is_users: Callable[[str], bool]) -> str:
    """Return the type that a column has; empty if it does not follow."""
    if not made.expression:
        return types.get(made.sources[0], "")
    parsed = _parsed(made)
    if parsed is None or any(
        isinstance(each, Call) and is_users(base_name(each.function)) for each in all_parts(parsed)
    ):
        return ""

    def type_of(part: AttributeReference | SubqueryExpression) -> str:
        return types.get(made.sources[part.expr_id - 1], "") if isinstance(part, AttributeReference) else ""

    return result_type(parsed, type_of)


@lru_cache(maxsize=1024)
def _parsed(made: Made) -> Expression | None:
    """Return the expression with its sources as attributes; None if not every word of a source is one of them."""
    words = {f"{short_name(dataset)}.{column}".lower(): at for at, (dataset, column) in enumerate(made.sources, 1)}
    if _CUT in made.expression or len(words) < len(made.sources):
        return None
    longest = sorted(map(re.escape, words), key=len, reverse=True)
    found = re.compile(rf"(?<![\w.])(?:{'|'.join(longest)})(?![\w.])", re.IGNORECASE)
    text = found.sub(lambda match: f"c#{words[match[0].lower()]}", made.expression)
    tables = {re.escape(word.rpartition(".")[0]) for word in words}
    if re.search(rf"(?<![\w.])(?:{'|'.join(tables)})\.\w", text, re.IGNORECASE):
        return None
    return parse_expression(text, dict.fromkeys(words.values(), ("c",)))
