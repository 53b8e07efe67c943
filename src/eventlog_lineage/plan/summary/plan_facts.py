"""Facts about tables and sessions in plan texts.

They are kept per run, as they differ between runs of one plan (snapshots), or as other plans of the application need
them: some statements print names of attributes and no relation; plans that list the columns of a table show which of
the names are columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.model import Word


@dataclass(frozen=True, slots=True)
class PlanFact:
    """A fact about tables or the session in a plan text."""


@dataclass(frozen=True, slots=True)
class TableRef:
    """A table as a plan text prints it.

    Attributes:
        location: Its location as a URI; empty if the text prints a name, or if Spark truncated the location.
        name: Its name; complete unless `catalog` or `format` is set.
        catalog: Class of its catalog, if the text prints the class instead of the catalog's name.
        format: The format whose catalog contains it, if the text prints neither name nor class of the catalog.
        by_location: The table is identified by its location, which is found by the name.
    """

    location: str = ""
    name: str = ""
    catalog: str = ""
    format: str = ""
    by_location: bool = False


class SnapshotRole(Word):
    """How a plan uses a snapshot that it names, or a table whose snapshot it does not name."""

    LOADED = "loaded"
    """A state of the table that a command loads."""
    READ = "read"
    """A snapshot that a scan reads."""
    STREAMED = "streamed"
    """A scan of a micro-batch; the progress events have the snapshot."""
    BASE = "base"
    """The snapshot that a command changes."""
    NAMED = "named"
    """A table that a command names."""
    WRITTEN = "written"
    """A table that is written; the snapshot is its first one if the statement creates it."""
    REPEATED = "repeated"
    """A table that one command writes several times, `version` times: a multi-insert."""
    CREATED = "created"
    """A table that is created; the snapshot is its first one."""
    DROPPED = "dropped"
    """A table that is dropped."""
    BRANCHED = "branched"
    """A table whose later writes may be those of a branch, which main never has."""


@dataclass(frozen=True, slots=True)
class SnapshotRef(PlanFact):
    """A table whose snapshots a plan reads or creates.

    Attributes:
        version: The snapshot; empty if the text does not name it.
    """

    role: SnapshotRole
    table: TableRef
    version: str = ""


@dataclass(frozen=True, slots=True)
class TableName(PlanFact):
    """The name of the table at a location."""

    location: str
    name: str


@dataclass(frozen=True, slots=True)
class QualifiedTable(PlanFact):
    """A table's name with its database.

    Attributes:
        object_hash: Hash code of the table's object, if that is printed; empty otherwise.
    """

    name: str
    object_hash: str = ""


@dataclass(frozen=True, slots=True)
class UnqualifiedTable(PlanFact):
    """A table that is printed without its database.

    Attributes:
        name: The name; empty if only the table's object is printed.
        object_hash: Hash code of that object.
    """

    name: str
    object_hash: str = ""


@dataclass(frozen=True, slots=True)
class SessionTable(PlanFact):
    """A table's name as the user wrote it, without its database, in a command of the session catalog."""

    name: str


@dataclass(frozen=True, slots=True)
class FilledTable(PlanFact):
    """A table's name, with its database, in a command that moves files into it."""

    name: str


@dataclass(frozen=True, slots=True)
class TemporaryView(PlanFact):
    """A temporary view that a command creates or drops."""

    name: str
    is_dropped: bool = False


@dataclass(frozen=True, slots=True)
class NamesTemporaryView(PlanFact):
    """The plan may create or name a temporary view."""


@dataclass(frozen=True, slots=True)
class TruncatedQuery(PlanFact):
    """The analyzed plan has lists of expressions that Spark truncated."""


@dataclass(frozen=True, slots=True)
class ParsedRelation(PlanFact):
    """A relation's name without a database, in the parsed query of a command: a table, or a temporary view."""

    name: str


@dataclass(frozen=True, slots=True)
class TableColumns(PlanFact):
    """Columns of a table.

    Attributes:
        table: Its name as printed.
        columns: The names of the columns, in the table's order; none where they change and the plan prints none.
        is_complete: Whether these are all columns.
    """

    table: str
    columns: tuple[str, ...]
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class WideRelation(PlanFact):
    """A table of whose columns a relation lists the first ones only, or a view whose query may be such a relation.

    Attributes:
        table: Its full name.
        columns: The name of each column in the table's order; empty for one that the text does not show.
    """

    table: str
    columns: tuple[str, ...]


STAR = "*"
"""In place of the columns of a `WideRelation`: a view whose query is `SELECT *` of one relation."""
OTHER = "?"
"""In place of the columns of a `WideRelation`: a view with another query."""

ROWS = "rows "
"""Start of the `object_hash` of rows that a connector writes into a table of which the plan prints nothing else."""


@dataclass(frozen=True, slots=True)
class TableLayout(PlanFact):
    """The columns of a table whose writes print an object instead of its name.

    Attributes:
        name: The table's name with its database; empty if only the object is printed.
        object_hash: Hash code of the object; empty if only the name is printed.
        columns: All columns in the table's order, or the first ones if Spark truncated them; empty if not printed.
        hidden: The number of further columns.
        kind: What the format distinguishes tables by, `keyed` or `append`; empty if it is not printed.
        changes: What the plan does to the table, after which its objects differ: `AddColumn`, `DropTable`.
        old_name: The table's name until the plan renames it; empty if it does not.
    """

    name: str
    object_hash: str
    columns: tuple[str, ...] = ()
    hidden: int = 0
    kind: str = ""
    changes: tuple[str, ...] = ()
    old_name: str = ""


@dataclass(frozen=True, slots=True)
class SampledFile(PlanFact):
    """Files of which a plan reads the first line, before a relation of them is created.

    Attributes:
        location: The location of the first file; the relation may be that of its folder.
        attribute: Id of the attribute that holds the line.
        has_others: There are more files.
    """

    location: str
    attribute: int
    has_others: bool = False


@dataclass(frozen=True, slots=True)
class DatabaseSwitch(PlanFact):
    """The session changes its catalog or its database.

    Attributes:
        catalog: The new catalog; empty if it does not change.
        database: The new database; empty if it does not change.
    """

    catalog: str
    database: str


@dataclass(frozen=True, slots=True)
class CatalogObject(PlanFact):
    """A table of a catalog that a command prints as an object: `org.example.Catalog@759564b7, ns.t`.

    Attributes:
        object_hash: The object's hash code, which identifies it within the application.
        creates: The command creates the table and fails if it exists.
        catalog: The catalog's name, where the table's own name is printed next to the object.
    """

    class_name: str
    object_hash: str
    table: str
    creates: bool = False
    drops: bool = False
    catalog: str = ""


@dataclass(frozen=True, slots=True)
class CatalogTable(PlanFact):
    """A table that a scan prints with its catalog, and without a snapshot.

    Attributes:
        name: The name, `ice.shop.orders`.
    """

    name: str


@dataclass(frozen=True, slots=True)
class ImportingTable(PlanFact):
    """A table of which a plan looks up whether it has the files that a procedure is about to import."""

    name: str
    format: str


@dataclass(frozen=True, slots=True)
class ScannedPath(PlanFact):
    """A path that a scan reads as a table, without a name.

    Attributes:
        path: The path, normalized.
    """

    path: str


@dataclass(frozen=True, slots=True)
class SourceTable(PlanFact):
    """A table of a database that a plan prints without its catalog.

    Attributes:
        name: `sales.daily`.
    """

    name: str


@dataclass(frozen=True, slots=True)
class UnplacedTable(PlanFact):
    """A table of another system that a plan prints without its server.

    Attributes:
        table: The table as printed, or with its catalog: `sales.orders`, `pg.sales.orders`.
        query: The SQL that reads it; empty if the plan prints the table itself.
    """

    connector: str
    table: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class UnprintedFilters(PlanFact):
    """A table of another system whose filters a plan may omit: the scan applies them and does not print them.

    Attributes:
        table: The table as named with the settings that the plan shows.
    """

    connector: str
    table: str


@dataclass(frozen=True, slots=True)
class JoinedTables(PlanFact):
    """A join that a database makes, of which a scan reads all columns.

    Attributes:
        relation: `sales.orders o join sales.order_lines l on …`.
    """

    relation: str


@dataclass(frozen=True, slots=True)
class TruncatedLists(PlanFact):
    """The plan has truncated lists, of which one hides this number of items and no other one more."""

    missing: int


@dataclass(frozen=True, slots=True)
class UnnamedRelation(PlanFact):
    """The plan may read a relation that its text does not name."""


Packed = str | bool | int | Sequence["Packed"]

_CLASSES: dict[str, Callable[..., PlanFact]] = {fact.__name__: fact for fact in PlanFact.__subclasses__()}


def pack_fact(fact: PlanFact) -> list[Packed]:
    """Return a fact as a list for JSON, the name of its class first; `unpack_fact` reads it."""
    values = (getattr(fact, each.name) for each in fields(fact))
    return [type(fact).__name__, *(astuple(each) if isinstance(each, TableRef) else each for each in values)]


def unpack_fact(packed: Sequence[Packed]) -> PlanFact:
    """Return the fact of a list that `pack_fact` returned; JSON makes lists of its tuples."""
    name, *values = packed
    known: list[Any] = [each if isinstance(each, str | int) else tuple(each) for each in values]
    if name == SnapshotRef.__name__:
        role, table, version = known
        known = [SnapshotRole(role), TableRef(*table), version]
    return _CLASSES[str(name)](*known)


def cleaned_fact(fact: PlanFact, clean: Callable[[str], str]) -> PlanFact:
    """Return a fact with its texts redacted."""

    def cleaned(value: Packed) -> Packed:
        if isinstance(value, str):
            return clean(value)
        return value if isinstance(value, int) else [cleaned(each) for each in value]

    name, *values = pack_fact(fact)
    return unpack_fact([name, *map(cleaned, values)])


TRUNCATED = " more fields"
"""Text in a list that Spark truncated."""

_NAME = re.compile(rf"(?:^|,\s?)([A-Za-z_]\w*){ID}(?=,|$)")


def attribute_names(text: str) -> list[str]:
    """Return the names in a list of attributes, with or without spaces after its commas.

    >>> attribute_names("id#1L,name#2"), attribute_names("id#1L, name#2")
    (['id', 'name'], ['id', 'name'])
    """
    return _NAME.findall(text)


def table_columns(table: str, names: Iterable[str], *, is_complete: bool = False) -> list[PlanFact]:
    """Return the fact that a table has certain columns; empty without a table or without columns.

    Args:
        is_complete: Whether these are all columns, in the table's order.
    """
    columns = tuple(names)
    return [TableColumns(table, columns, is_complete)] if table and columns else []
