"""Facts about tables and sessions that a plan text states besides its lineage.

They differ from run to run of the same plan (snapshots), or other plans of the application need them (columns, names).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eventlog_lineage.model import Word


@dataclass(frozen=True, slots=True)
class TableRef:
    """A table as a plan text prints it.

    Attributes:
        location: Its location as a URI; empty if the text prints a name, or if Spark truncated the location.
        name: Its name; complete unless `catalog` or `format` is set.
        catalog: Class of its catalog, if the text prints that instead of the catalog's name.
        format: The format whose catalog it is in, if the text prints nothing of the catalog.
        by_location: The table is identified by its location, which has to be looked up by the name.
    """

    location: str = ""
    name: str = ""
    catalog: str = ""
    format: str = ""
    by_location: bool = False


class SnapshotRole(Word):
    """What a plan does with a snapshot that it names, or with a table whose snapshot it does not name."""

    LOADED = "loaded"
    """A state of the table that was loaded."""
    READ = "read"
    """What a scan reads."""
    STREAMED = "streamed"
    """A scan of a micro-batch; the progress events have the snapshot."""
    BASE = "base"
    """What a command changes."""
    NAMED = "named"
    """A table that a command names."""
    WRITTEN = "written"
    """A table that is written."""
    CREATED = "created"
    """A table that is created; the snapshot is its first one."""
    DROPPED = "dropped"
    """A table that is dropped."""


@dataclass(frozen=True, slots=True)
class SnapshotRef:
    """A table whose snapshots a plan reads or makes.

    Attributes:
        role: What the plan does with it.
        table: The table.
        version: The snapshot; empty if the text does not name it.
    """

    role: SnapshotRole
    table: TableRef
    version: str = ""


@dataclass(frozen=True, slots=True)
class TableName:
    """The name of the table at a location."""

    location: str
    name: str


@dataclass(frozen=True, slots=True)
class QualifiedTable:
    """A table's name with its database.

    Attributes:
        name: The name.
        object_hash: Hash code of the object that printed it; empty if none did.
    """

    name: str
    object_hash: str = ""


@dataclass(frozen=True, slots=True)
class BareTable:
    """A table that is printed without its database.

    Attributes:
        name: The name; empty if only the table's object is printed.
        object_hash: Hash code of that object.
    """

    name: str
    object_hash: str = ""


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table's name as the user wrote it, without its database, in a command of the session catalog."""

    name: str


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Columns of a table.

    Attributes:
        table: Its name as printed.
        columns: Names, in the table's order.
        is_complete: These are all of its columns.
    """

    table: str
    columns: tuple[str, ...]
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class DatabaseSwitch:
    """The session changes its catalog or its database.

    Attributes:
        catalog: The new catalog; empty if it stays the same.
        database: The new database; empty if it stays the same.
    """

    catalog: str
    database: str


@dataclass(frozen=True, slots=True)
class CatalogObject:
    """A table of a catalog that a command prints as an object: `org.example.Catalog@759564b7, ns.t`.

    Attributes:
        class_name: The catalog's class.
        object_hash: The object's hash code, which identifies it within the application.
        table: The table within the catalog.
        creates: The command creates the table, which must not exist before.
        drops: The command drops the table.
    """

    class_name: str
    object_hash: str
    table: str
    creates: bool = False
    drops: bool = False


PlanFact = (
    SnapshotRef | TableName | QualifiedTable | BareTable | TypedTable | TableColumns | DatabaseSwitch | CatalogObject
)

Packed = str | bool | Sequence["Packed"]


def pack_fact(fact: PlanFact) -> list[Packed]:
    """Return a fact as a list of texts, which JSON can hold; `unpack_fact` reads it."""
    if isinstance(fact, SnapshotRef):
        table = fact.table
        printed: list[Packed] = [table.location, table.name, table.catalog, table.format, table.by_location]
        return ["snapshot", str(fact.role), fact.version, printed]
    if isinstance(fact, TableName):
        return ["name", fact.location, fact.name]
    if isinstance(fact, QualifiedTable):
        return ["qualified", fact.name, fact.object_hash]
    if isinstance(fact, BareTable):
        return ["bare", fact.name, fact.object_hash]
    if isinstance(fact, TypedTable):
        return ["typed", fact.name]
    if isinstance(fact, TableColumns):
        return ["columns", fact.table, list(fact.columns), fact.is_complete]
    if isinstance(fact, CatalogObject):
        return ["catalog", fact.class_name, fact.object_hash, fact.table, fact.creates, fact.drops]
    return ["database", fact.catalog, fact.database]


def unpack_fact(packed: Sequence[Packed]) -> PlanFact:
    """Return the fact that `pack_fact` packed."""
    kind, *values = packed
    return _UNPACK[str(kind)](*values)


def cleaned_fact(fact: PlanFact, clean: Callable[[str], str]) -> PlanFact:
    """Return a fact whose texts went through a function, as secrets may be in them.

    Args:
        fact: The fact.
        clean: Takes the secrets out of a text.
    """

    def cleaned(value: Packed) -> Packed:
        if isinstance(value, str):
            return clean(value)
        return value if isinstance(value, bool) else [cleaned(each) for each in value]

    kind, *values = pack_fact(fact)
    return unpack_fact([kind, *map(cleaned, values)])


_UNPACK: dict[str, Callable[..., PlanFact]] = {
    "snapshot": lambda role, version, table: SnapshotRef(SnapshotRole(role), TableRef(*table), version),
    "name": TableName,
    "qualified": QualifiedTable,
    "bare": BareTable,
    "typed": TypedTable,
    "columns": lambda table, columns, is_complete: TableColumns(table, tuple(columns), is_complete),
    "catalog": CatalogObject,
    "database": DatabaseSwitch,
}
