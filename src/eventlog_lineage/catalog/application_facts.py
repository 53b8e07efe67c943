"""What the catalog is replayed from: summaries of executions, and settings that plans do not print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from eventlog_lineage.connectors.connector import CATALOG, declared_catalogs, source_settings
from eventlog_lineage.datasets.naming import SESSION_CATALOG, path_name
from eventlog_lineage.events.records import NO_FACTS, JobFacts
from eventlog_lineage.extensions import formats
from eventlog_lineage.plan.printed.sections import ViewRead
from eventlog_lineage.plan.summary.plan_summary import PlanSummary
from eventlog_lineage.plan.unresolved.sql_expressions import WrittenLists

_DATABASE = "{database}"
"""In the pattern of a catalog whose namespaces have one level; in `{namespace}` each level is a folder."""


@dataclass(frozen=True, slots=True)
class CatalogSettings:
    """The settings that plans are read with.

    Attributes:
        catalogs: (catalog class, catalog name) of the classes with one catalog: V2 commands print
            `DeltaCatalog@db6c021`, never the catalog's name.
        warehouse: `spark.sql.warehouse.dir`, normalized; empty if it is not set.
        folders: (catalog, pattern of its tables' locations) of the file system catalogs: Iceberg's of type
            `hadoop`, Paimon's without a metastore.
        shared: (catalog class, catalog names) of the classes with several catalogs. Not part of a statement's key: what
            follows from it for a statement is in `StatementContext.catalogs`.
        sources: The settings that name tables of connectors, sorted.
        application: The application's id; in a statement's key only as `StatementContext.application`.
    """

    catalogs: tuple[tuple[str, str], ...] = ()
    warehouse: str = ""
    folders: tuple[tuple[str, str], ...] = ()
    shared: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    application: str = ""

    def managed_location(self, table: str) -> str:
        """Return the default location of a table of the session catalog or of a file system catalog.

        Source: `SessionCatalog.defaultTablePath`.

        Args:
            table: `spark_catalog.database.table`, or `catalog.namespace….table`.

        Returns:
            The location; empty if the catalog decides it, or if the warehouse is unknown.
        """
        parts = table.split(".")
        folder = dict(self.folders).get(parts[0])
        if folder is not None and len(parts) >= 3 and (len(parts) == 3 or _DATABASE not in folder):
            return folder.format(database=parts[1], namespace="/".join(parts[1:-1]), table=parts[-1])
        if not self.warehouse or len(parts) != 3 or parts[0] != SESSION_CATALOG:
            return ""
        folder = "" if parts[1] == "default" else f"/{parts[1]}.db"
        return f"{self.warehouse}{folder}/{parts[2]}"


NO_SETTINGS = CatalogSettings()
"""The settings of a plan without an application."""


def catalog_settings_of(settings: Mapping[str, str]) -> CatalogSettings:
    """Return the catalog settings of an application."""
    names: dict[str, list[str]] = {}
    for name, value in declared_catalogs(settings).items():
        names.setdefault(value, []).append(name)
    catalogs = tuple(sorted((value, found[0]) for value, found in names.items() if len(found) == 1))
    shared = tuple(sorted((value, tuple(sorted(found))) for value, found in names.items() if len(found) > 1))
    warehouse = settings.get("spark.sql.warehouse.dir", "")
    sources = tuple(sorted(source_settings(settings).items()))
    return CatalogSettings(
        catalogs, path_name(warehouse) if warehouse else "", tuple(_folders(settings)), shared, sources
    )


def warehouses(settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the catalogs with a warehouse, and the beginning of the pattern of their tables' locations."""
    for name in sorted(declared_catalogs(settings)):
        if root := settings.get(f"{CATALOG}{name}.warehouse", ""):
            yield name, path_name(root).replace("{", "{{").replace("}", "}}")


def _folders(settings: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the file system catalogs, with the pattern of their tables' locations."""
    for name, location in warehouses(settings):
        found = (each.catalogs.folder(settings, f"{CATALOG}{name}") for each in formats())
        if pattern := next(filter(None, found), ""):
            yield name, f"{location}/{pattern}"


def session_table_at(location: str, default_location: Callable[[str], str]) -> str:
    """Return the name of the session catalog's table with this default location; empty if there is none.

    Args:
        default_location: Returns the default location of a table of the session catalog.
    """
    folder, _, table = location.rstrip("/").rpartition("/")
    database = folder.rpartition("/")[2]
    name = f"{SESSION_CATALOG}.{database.removesuffix('.db')}.{table}"
    is_default = database.endswith(".db") and default_location(name) == path_name(location).rstrip("/")
    return name if is_default else ""


class ExecutionSummary(NamedTuple):
    """An execution, reduced to what grouping needs; attributes that are not listed are those of `records.Execution`.

    Attributes:
        root: The root execution's id; None if the log does not have it (before 3.4).
        summary: The summary of its plan.
        commit_location: Location of the table that its jobs commit to; empty if they do not name it.
        views: The views in the Thrift server's own plan of the statement.
        is_served: A server (Thrift, Connect) ran it: the application may have several sessions.
        has_failed: It failed.
        location: The location in its SQL, if that creates a table; empty otherwise.
        settings: The settings of its session that name tables of connectors and differ from the application's.
        written: The lists in its SQL, if its plan has truncated ones.
    """

    execution_id: int
    root: int | None
    description: str
    started_at: int | None
    ended_at: int | None
    summary: PlanSummary
    stream_run_id: str = ""
    stream_batch_id: int | None = None
    commit_location: str = ""
    job_facts: JobFacts = NO_FACTS
    views: tuple[ViewRead, ...] = ()
    changed: tuple[str, ...] = ()
    is_served: bool = False
    call: str = ""
    has_failed: bool = False
    is_complete: bool = False
    operation: str = ""
    location: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    written: WrittenLists = ()

    def contains(self, inner: ExecutionSummary) -> bool:
        """Return whether another execution ran while this one did."""
        if self.started_at is None or self.ended_at is None or inner.started_at is None:
            return False
        ended = inner.ended_at if inner.ended_at is not None else inner.started_at
        return self.started_at <= inner.started_at and ended <= self.ended_at


@dataclass(frozen=True, slots=True)
class ScannedTable:
    """A table that the jobs of a statement scan.

    Attributes:
        columns: The columns that the application's plans list; empty if they list none.
        column_lists: Its complete lists of columns, in the table's order: one for each of its schemas.
    """

    name: str
    format: str
    columns: tuple[str, ...] = ()
    column_lists: tuple[tuple[str, ...], ...] = ()
