"""`--table-metadata`: snapshots and schemas from the tables' own metadata, and the tables that warehouses hold.

A warehouse that alone holds a table names its catalog, where several catalogs share a class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import asdict, replace

from eventlog_lineage.datasets.commits import Commit
from eventlog_lineage.datasets.naming import split_name, table_name
from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.events.sources.discovery import storage_of
from eventlog_lineage.events.sources.table_folder import TableFolder
from eventlog_lineage.extensions import formats
from eventlog_lineage.lineage.catalog_settings import CatalogSettings, catalog_settings_of, warehouses
from eventlog_lineage.observed_schemas import TableSchema
from eventlog_lineage.plan.plan_text import summary_of
from eventlog_lineage.plan.summary.plan_facts import CatalogObject, SnapshotRef
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.history_tables import SEEN_SCHEMAS
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.tables import TABLE_COMMITS


def metadata_rows(locations: Iterable[str]) -> Iterator[tuple[Table, Row]]:
    """Yield the rows of `table_commits` and `seen_schemas`, each with its table.

    A table whose metadata has one schema only has no row of it: no change leads to it.

    Args:
        locations: URIs of tables' files; those that are not a table's, or cannot be read, have no rows.
    """
    for location in sorted(set(locations)):
        try:
            found = list(read_commits(location))
        except (LogError, OSError, RecursionError):  # types that are nested too deeply
            continue
        for commit in found:
            if isinstance(commit, Commit):
                yield TABLE_COMMITS, _commit_row(location, commit)
        schemas = [each for each in found if isinstance(each, TableSchema)]
        for schema in schemas if len(schemas) > 1 else ():
            yield SEEN_SCHEMAS, _schema_row(location, schema)


def _commit_row(location: str, commit: Commit) -> Row:
    return TABLE_COMMITS.row(
        location=location,
        snapshot_id=commit.snapshot_id,
        committed_at=commit.committed_at,
        app_id=commit.app_id or None,
        stream_query_id=commit.query_id or None,
        stream_batch_id=commit.batch_id,
        is_commit=commit.is_commit,
        is_current=commit.is_current,
        files=commit.files,
        bytes=commit.size,
    )


def _schema_row(location: str, schema: TableSchema) -> Row:
    return SEEN_SCHEMAS.row(
        location=location,
        schema_id=schema.schema_id,
        changed_at=schema.changed_at,
        columns=[asdict(column) for column in schema.columns],
        comments=list(schema.comments),
    )


def read_commits(location: str) -> Iterator[Commit | TableSchema]:
    """Yield the snapshots and schemas of a table of any format.

    Args:
        location: The URI of its files.

    Raises:
        LogError: The storage cannot be read.
    """
    files = storage_of(location)
    table = TableFolder(files, files.canonical(location).rstrip("/"))
    for each in sorted(formats(), key=lambda each: each.is_published_too):
        commits: Iterator[Commit | TableSchema] | None = each.read_commits(table)
        if commits is not None:
            yield from commits
            return


def with_stored_tables(log: AssembledLog) -> AssembledLog:
    """Return a log with the tables that the warehouses of its catalogs hold.

    Only tables that commands name through the object of a catalog whose class several catalogs have are looked up. A
    catalog without a `warehouse` setting, or whose warehouse cannot be read, holds none.

    Args:
        log: The log's content.
    """
    settings = log.application.settings
    known = catalog_settings_of(settings)
    shared = dict(known.shared)
    if not shared:
        return log
    facts = (fact for each in log.executions for fact in summary_of(each.plan).facts)
    named = {
        (name, fact.table)
        for fact in facts
        if isinstance(fact, CatalogObject)
        for name in shared.get(fact.class_name, ())
    }
    held = ((name, table) for name, table in sorted(named) if _is_held(_locations(name, table, known, settings)))
    return replace(log, stored_tables=tuple(held))


def stored_places(log: AssembledLog, held: MutableMapping[str, bool]) -> Iterator[tuple[str, str]]:
    """Yield (table, location) of the tables of a log that are below the warehouses of their catalogs by their names.

    JDBC catalogs of Iceberg, and others that are not folders, decide the locations of their tables, which plans do not
    print. `JdbcCatalog.defaultWarehouseLocation` (Iceberg 1.12) is `<warehouse>/<namespace>/<table>`. A warehouse that
    several catalogs have yields none.

    Args:
        log: The log's content.
        held: Location to whether it is a table, of the locations that were looked up; receives the others.
    """
    settings = log.application.settings
    known = catalog_settings_of(settings)
    folders = dict(known.folders)
    roots = {name: pattern.format() for name, pattern in warehouses(settings)}
    shared = Counter(roots.values())
    for table in sorted(_named_tables(log, known)):
        catalog, *words = split_name(table)
        root = roots.get(catalog, "")
        if len(words) < 2 or ":/" not in root or shared[root] > 1 or catalog in folders:
            continue
        location = "/".join((root, *words))
        if location not in held:
            held[location] = _is_held([location])
        if held[location]:
            yield table_name(table), location


def _named_tables(log: AssembledLog, known: CatalogSettings) -> set[str]:
    """Return the tables that plans name, with each catalog that a catalog's object may be.

    Args:
        log: The log.
        known: The application's catalog settings.
    """
    names = {class_name: (name,) for class_name, name in known.catalogs} | dict(known.shared)
    found: set[str] = set()
    for execution in log.executions:
        for fact in summary_of(execution.plan).facts:
            if isinstance(fact, SnapshotRef) and fact.table.name:
                found.add(fact.table.name)
            elif isinstance(fact, CatalogObject):
                found.update(f"{name}.{fact.table}" for name in names.get(fact.class_name, ()))
    return found


def _locations(catalog: str, table: str, known: CatalogSettings, settings: Mapping[str, str]) -> Iterator[str]:
    """Yield the folders that a catalog may keep a table in: by its layout, else below its warehouse by its name.

    Args:
        catalog: The catalog's name.
        table: The table within the catalog.
        known: The application's catalog settings.
        settings: Its Spark properties.
    """
    location = known.managed_location(f"{catalog}.{table}")
    warehouse = settings.get(f"spark.sql.catalog.{catalog}.warehouse", "").rstrip("/")
    if location:
        yield location
    elif warehouse:
        yield "/".join((warehouse, *split_name(table)))


def _is_held(locations: Iterable[str]) -> bool:
    """Return whether one of these folders is a table of any format."""
    for location in locations:
        with suppress(LogError, UsageError, OSError):
            files = storage_of(location)
            folder = TableFolder(files, files.canonical(location).rstrip("/"))
            if any(each.read_commits(folder) is not None for each in formats()):
                return True
    return False
