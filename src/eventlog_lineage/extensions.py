"""Extension points: values and functions that upper packages contribute to lower ones.

Lower packages need properties of operators and table formats: whether a command's plan contains its written rows, which
text names a table's snapshot. They query this package, and import nothing from upper packages. Contributors are found
once per process, as `operators.registry.rules` finds rules.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, Flag, auto
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple


class Rows(Flag):
    """Where the log shows the rows that a command writes.

    Attributes:
        NONE: It writes none.
        BELOW: The physical plan of the written rows is below it, in every version.
        OWN: It changes rows in place, and its own plan contains the written rows.
        CHILDREN: The executions that it runs have its subqueries, and the attributes of a MERGE.
        ELSEWHERE: A V2 write that the connector delegates to its V1 API; the query is a separate execution.
        JOBS: It may read its rows from an RDD: then the log only shows the tables that its jobs scan.
    """

    NONE = 0
    BELOW = auto()
    OWN = auto()
    CHILDREN = auto()
    ELSEWHERE = auto()
    JOBS = auto()


class Query(Flag):
    """How a command prints its query.

    Attributes:
        PLAN: As any plan.
        LOGICAL: A logical plan, whose relations of paths are named only in other plans.
        ONE_LINE: One line of a logical plan, which binds no attributes.
        SQL: The text of the statement.
        ATTRIBUTES: A MERGE that prints names of attributes and no relation: its jobs name its target, and the order of
            its target's attribute ids is that of the columns.
        FILES: Not at all: it moves files, whose columns are those of its target by position.
    """

    PLAN = 0
    LOGICAL = auto()
    ONE_LINE = auto()
    SQL = auto()
    ATTRIBUTES = auto()
    FILES = auto()


class Target(Enum):
    """How a command prints the table that it changes.

    Attributes:
        NAME: In its arguments, or a scan or write of the plan names it.
        NODE_NAME: In the node's name, from Spark 4.2 on.
        CHILD: As the relation below it, which is not a subquery of its arguments.
        OBJECT: As the connector's object; no scan or write of the plan names it.
        OBJECT_IF_CHANGED: As OBJECT, and the log does not show whether the command changes the table.
        OPTIONS: As options of a data source; the format decides what an overwrite keeps.
        WITHOUT_LOCATION: Up to Spark 3.3 without its location: it is in the warehouse unless the statement has one.
        IN_JOBS: Without its location, which its jobs describe, and without its partition columns, which are its last
            ones: the order of its columns is unknown.
    """

    NAME = auto()
    NODE_NAME = auto()
    CHILD = auto()
    OBJECT = auto()
    OBJECT_IF_CHANGED = auto()
    OPTIONS = auto()
    WITHOUT_LOCATION = auto()
    IN_JOBS = auto()


class Role(Enum):
    """What a command is, in addition to a statement of its own.

    Attributes:
        STATEMENT: Nothing else.
        RESULT: The result of another command.
        CALL: A procedure; the log may contain only its result.
        MICRO_BATCH: The write of a micro-batch, in the execution that reads the stream.
        NAMESPACE: It changes the session's catalog and namespace.
        DATABASE: It changes the session catalog's database.
    """

    STATEMENT = auto()
    RESULT = auto()
    CALL = auto()
    MICRO_BATCH = auto()
    NAMESPACE = auto()
    DATABASE = auto()


@dataclass(frozen=True, slots=True)
class Command:
    """A command, with the attributes that other modules need.

    A command that is not in the catalogue has the defaults.

    Attributes:
        name: Its class, without `Exec`.
        mode: Its effect on the target, as `DatasetAccess.mode`; empty if its arguments have it, or if there is no
            target.
        schema_effect: Its effect on the target's schema: `created`, `filled` (with the columns of its query), `copied`
            (LIKE), `cloned` (from a table that it does not print: the one whose state the statement loads),
            `replaced`, `dropped`, `renamed`, `added` (columns), `retyped` (a column), `changed` (V2 table changes);
            empty for nothing.
        at_root: The root's line of a physical plan begins with its name, without `Execute`.
        rows: Where the rows are that it writes.
        query: How it prints its query.
        target: How it prints its target.
        role: What else it is.
        lists_all_columns: It names all columns of its target, also those that none of its executions reads.
    """

    name: str
    mode: str = ""
    schema_effect: str = ""
    at_root: bool = False
    rows: Rows = Rows.NONE
    query: Query = Query.PLAN
    target: Target = Target.NAME
    role: Role = Role.STATEMENT
    lists_all_columns: bool = False

    @property
    def row_level(self) -> bool:
        """Whether it changes rows in place, and its own plan contains the written rows."""
        return Rows.OWN in self.rows

    @property
    def has_rows(self) -> bool:
        """Whether its own plan contains the written rows."""
        return bool(self.rows & (Rows.BELOW | Rows.OWN))

    @property
    def moves_rows(self) -> bool:
        """Whether rows pass through it to a table."""
        return bool(self.rows)

    @property
    def attributes_from_children(self) -> bool:
        """Whether it is a MERGE whose attributes are those of the executions that it runs."""
        return self.mode == "merge" and Rows.CHILDREN in self.rows

    @property
    def attributes_only(self) -> bool:
        """Whether it is a MERGE that prints names of attributes and no relation."""
        return Query.ATTRIBUTES in self.query

    @property
    def printed_again(self) -> bool:
        """Whether its result is printed with the parsed plan, which contains more than the analyzed one."""
        return self.row_level or self.role in {Role.RESULT, Role.CALL}

    @property
    def fills_new_table(self) -> bool:
        """Whether it creates the table that it fills, or replaces it."""
        return self.schema_effect == "filled"


def commands_of(names: str, mode: str, schema_effect: str = "") -> tuple[Command, ...]:
    """Return commands that define, change or maintain a table and differ only in their names."""
    return tuple(Command(name, mode, schema_effect) for name in names.split())


class SaveOptions(NamedTuple):
    """Mode and table in the options of a save through a data source.

    Attributes:
        mode: The effect of the save, if it differs from the save mode; empty otherwise.
        table: The table's name; empty if the options contain a path.
        partition_columns: The columns in the names of the table's folders; they are its last ones.
    """

    mode: str = ""
    table: str = ""
    partition_columns: tuple[str, ...] = ()


class FactScanner(NamedTuple):
    """A scanner for facts of one kind in plan texts (`plan.summary.plan_facts`).

    Attributes:
        words: Each text with such facts contains one of these.
        scan: (operators as the text prints them) -> their facts.
        is_exclusive: A text with such facts has no others: it is an internal query.
        absent: A text with this has no such facts; empty for none.
        takes_text: `scan` takes the whole text in place of the operators of the physical plan.
    """

    words: tuple[str, ...]
    scan: Callable[[Any], list[Any]]
    is_exclusive: bool = False
    absent: str = ""
    takes_text: bool = False

    def may_find(self, text: str) -> bool:
        """Return whether a text has one of the words, and not what such texts never have."""
        found = any([word in text for word in self.words])  # noqa: C419 - faster
        return found and not (self.absent and self.absent in text)


def offset_of(*keys: str) -> Callable[[Mapping[str, Any]], str | None]:
    """Return an `offset_version` for sources whose offsets have the snapshot in one of the given keys."""

    def version(offset: Mapping[str, Any]) -> str | None:
        found = [offset[key] for key in keys if key in offset]
        if not found:
            return None
        return "" if found[0] in {None, -1, "000"} else str(found[0])

    return version


def _nothing(*_: object) -> None:
    """Contribute nothing."""


def _no_items(*_: object) -> tuple[()]:
    """Contribute no items."""
    return ()


def _no_names(*_: object) -> Mapping[str, str]:
    """Contribute no names."""
    return {}


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """Columns that are not those of a table.

    Attributes:
        of_rows: Those by which row-level commands identify rows, in addition to the table's columns.
        hidden: Those that plans add for themselves: no edge has them.
        added: Patterns of the columns that reading a table adds.
        metadata: (names of a scan's attributes) -> those that are metadata, to the field: `_metadata.row_id`.
    """

    of_rows: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    metadata: Callable[[Iterable[str]], Mapping[str, str]] = _no_names


@dataclass(frozen=True, slots=True)
class TableResolver:
    """Functions that name tables; each returns None for those of other formats.

    `at` is an `operators.operation.Operation`.

    Attributes:
        source: (at) -> Dataset of a scan or source that only the format can read.
        owns_write: (at) -> whether a write uses the format's connector, by its arguments.
        written: (at, name as printed) -> Dataset of a table that a plan prints without its catalog.
        scanned: (operator's name in an RDD's scope, catalog class to name) -> (full name, format) of the table.
        full_name: (name as printed, catalog class to name) -> full name of a table that is printed without its catalog.
        objects: (ExecutionSummaries of an application, the store's tables of the format, CatalogSettings) -> names of
            tables by the hash codes of the objects that writes print in place of them; None if writes print names.
    """

    source: Callable[[Any], Any] = _nothing
    owns_write: Callable[[Any], bool | None] = _nothing
    written: Callable[[Any, str], Any] = _nothing
    scanned: Callable[[str, Mapping[str, str]], tuple[str, str] | None] = _nothing
    full_name: Callable[[str, Mapping[str, str]], str | None] = _nothing
    objects: Callable[[Sequence[Any], Iterable[Any], Any], Mapping[str, str]] | None = None


@dataclass(frozen=True, slots=True)
class FormatText:
    """What plans print of a format.

    Attributes:
        scans: Pattern of the text of scans whose tables the format names.
        file_indexes: Beginnings of the `Location` of scans that read its tables' files.
        same_rows: Pattern of the end of names for the same table: a branch, a view of its log.
        merge_operator: The logical operator with the clauses of a MERGE over its table and its source.
        varying: Text that differs between runs of the same plan, as versions. Like the next two, patterns by a word of
            each text in which they match: searching for the word is much faster.
        not_ids: Numbers after `#` that are not attribute ids.
        long_names: Names of operators that contain a table's complete state: the word and the group `kept` remain.
        is_repeated: (filter of a scan) -> whether the format derived it from another one.
        is_internal: (plan text) -> whether the plan is an internal query.
        is_call_result: (physical plan) -> whether its rows are the result of one of its procedures.
    """

    scans: str = ""
    file_indexes: tuple[str, ...] = ()
    same_rows: str = ""
    merge_operator: str = ""
    varying: Mapping[str, str] = field(default_factory=dict)
    not_ids: Mapping[str, str] = field(default_factory=dict)
    long_names: Mapping[str, str] = field(default_factory=dict)
    is_repeated: Callable[[str], bool | None] = _nothing
    is_internal: Callable[[str], bool | None] = _nothing
    is_call_result: Callable[[str], bool | None] = _nothing


@dataclass(frozen=True, slots=True)
class Descriptions:
    """What descriptions of executions and jobs contain.

    Attributes:
        prefix: Prefix of the descriptions of jobs within a command, before the command's description.
        planning: Part of the description of the internal queries that plan a scan: they load the snapshots that the
            statement reads.
        compaction: Part of the description of executions that compact a table, also after another write.
        maintained: (description of an execution) -> name of the table that it maintains.
        commit: (TableCommit or None, description of a job) -> the execution's commit after the job.
    """

    prefix: str = ""
    planning: str = ""
    compaction: str = ""
    maintained: Callable[[str], str | None] = _nothing
    commit: Callable[[Any, str], Any] = _nothing


@dataclass(frozen=True, slots=True)
class Metrics:
    """What metrics show.

    Attributes:
        snapshot: The metric of a scan with the snapshot that it reads.
        changes: Metrics of its commands: one that has some of them, and none above zero, changes nothing.
    """

    snapshot: str = ""
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Storage:
    """What tables keep of what is written.

    Attributes:
        data_files: Format of the files of all its tables, with OpenLineage's name; empty if there are several.
        types: Types that its tables do not have, to those that they store instead: `smallint` to `int`.
        keeps_columns: An overwrite by path keeps columns of the table that are not in the written rows.
        replacing_option: Option of a save, in lower case, that makes the written columns those of the table.
        save_options: (option in lower case to value) -> SaveOptions.
    """

    data_files: str = ""
    types: Mapping[str, str] = field(default_factory=dict)
    keeps_columns: bool = False
    replacing_option: str = ""
    save_options: Callable[[Mapping[str, str]], SaveOptions | None] = _nothing


@dataclass(frozen=True, slots=True)
class Streams:
    """What progress events contain.

    Attributes:
        classes: Sources and sinks: `DeltaSource[file:/x]`.
        hides_table: No plan names the table that a stream writes, of which the sink prints the location.
        offset_version: (offset of a source, as JSON) -> snapshot that was read up to it; empty if there is none.
    """

    classes: tuple[str, ...] = ()
    hides_table: bool = False
    offset_version: Callable[[Mapping[str, Any]], str | None] = _nothing


@dataclass(frozen=True, slots=True)
class Catalogs:
    """What settings and classes of catalogs show.

    Attributes:
        session: Class of its extension of the session catalog, which stores names in lower case; its commands print
            them as the user wrote them.
        folder: (settings, key of a catalog) -> `{database}/{table}`, or `{namespace}/{table}` for namespaces of several
            levels: the tables' location below the warehouse of a file system catalog.
        namespace: (settings, key of a catalog, URI of the Hive metastore) -> OpenLineage's namespace of tables.
    """

    session: str = ""
    folder: Callable[[Mapping[str, str], str], str | None] = _nothing
    namespace: Callable[[Mapping[str, str], str, str], str | None] = _nothing


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the metadata of tables contains.

    Attributes:
        read_commits: (events.sources.table_folder.TableFolder) -> Commits and TableSchemas of the table; None for other
            folders.
        is_published_too: Other formats also write its metadata next to their own: its commits are read last.
        setting: The setting that disables answering aggregates from the metadata.
    """

    read_commits: Callable[[Any], Any] = _nothing
    is_published_too: bool = False
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Passes:
    """Passes of the tracer, `lineage.trace_statement.Pass`; they return statements of other formats unchanged.

    Attributes:
        plans: Before the statement's plans are resolved.
        write: After its attributes are bound.
    """

    plans: tuple[Callable[[Any], Any], ...] = ()
    write: tuple[Callable[[Any], Any], ...] = ()


@dataclass(frozen=True, slots=True)
class TableFormat:
    """The contributions of a table format; every field except the name has an empty default.

    Types of upper packages are not available here. A function returns None, or an empty result, for other formats. Its
    rules need no field: they register themselves (`operators.registry.operator`, `refines`).

    Attributes:
        name: The value of `datasets.format`: `delta`.
        commands: Its commands, for the catalogue.
        columns: Columns that are not those of a table.
        tables: Functions that name tables.
        text: What plans print.
        plan_facts: Scanners of plan texts: snapshots, names and columns of its tables.
        passes: Passes over statements.
        scan_conditions: (op, Dataset) -> Conditions that a scan applies and no operator repeats.
        descriptions: What descriptions of executions and jobs contain.
        metrics: What metrics show.
        storage: What tables keep of what is written.
        streams: What progress events contain.
        catalogs: What settings and classes of catalogs show.
        metadata: What the metadata of tables contains.
    """

    name: str
    commands: tuple[Command, ...] = ()
    columns: OwnColumns = OwnColumns()
    tables: TableResolver = TableResolver()
    text: FormatText = FormatText()
    plan_facts: tuple[FactScanner, ...] = ()
    passes: Passes = Passes()
    scan_conditions: Callable[[Any, Any], Iterable[Any]] = _no_items
    descriptions: Descriptions = Descriptions()
    metrics: Metrics = Metrics()
    storage: Storage = Storage()
    streams: Streams = Streams()
    catalogs: Catalogs = Catalogs()
    metadata: Metadata = Metadata()


# -- find the contributions of upper packages, once per process

_CATALOGUE = "eventlog_lineage.operators.commands"
_FORMATS = "eventlog_lineage.formats"


@cache
def formats() -> tuple[TableFormat, ...]:
    """Return the table formats, each the `FORMAT` of a package in `formats`, in the order of their names."""
    package = importlib.import_module(_FORMATS)
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__) if info.ispkg)
    return tuple(importlib.import_module(f"{_FORMATS}.{name}").FORMAT for name in names)


def find_format(name: str) -> TableFormat:
    """Return a table format; one without contributions for an unknown name."""
    return next((each for each in formats() if each.name == name), _NO_FORMAT)


@cache
def contributions(field: str) -> tuple[Any, ...]:
    """Return the formats' contributions to a field, in the order of their names, without empty defaults.

    Args:
        field: An attribute of `TableFormat`, or of one of its groups: `columns.hidden`.
    """
    read = attrgetter(field)
    empty = read(_NO_FORMAT)
    return tuple(value for each in formats() if (value := read(each)) is not empty)


@cache
def text_patterns(field: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the words and compiled patterns that the formats contribute to a field of `FormatText`."""
    listed = (each for patterns in contributions(field) for each in patterns.items())
    return tuple((word, re.compile(pattern, re.DOTALL)) for word, pattern in listed)


@cache
def any_pattern(field: str) -> re.Pattern[str]:
    """Return a pattern of all that the formats contribute to a field of patterns; it matches nothing without any."""
    return re.compile("|".join(contributions(field)) or r"(?!)")


@cache
def commands() -> Mapping[str, Command]:
    """Return the catalogue of commands, by class.

    Raises:
        ValueError: A command is listed twice.
    """
    found: dict[str, Command] = {}
    listed = (importlib.import_module(_CATALOGUE).COMMANDS, *(each.commands for each in formats()))
    for each in chain.from_iterable(listed):
        if each.name in found:
            raise ValueError(f"{each.name} is listed twice")
        found[each.name] = each
    return found


def find_command(name: str) -> Command:
    """Return a command's entry in the catalogue; the defaults for an unknown command, and for a query.

    >>> find_command("CallStatement").name, find_command("CallExec").name
    ('Call', 'Call')
    """
    known = commands()
    return known.get(name) or known.get(name.removesuffix("Exec").removesuffix("Statement"), _UNKNOWN)


@cache
def commands_where(**attributes: Any) -> frozenset[str]:
    """Return the names of the commands with these attributes, each an attribute of `Command` with its value."""
    wanted = attributes.items()
    found = (each for each in commands().values() if all(getattr(each, name) == value for name, value in wanted))
    return frozenset(each.name for each in found)


_UNKNOWN = Command("")
_NO_FORMAT = TableFormat("")
