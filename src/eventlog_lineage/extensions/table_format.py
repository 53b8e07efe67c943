"""The contract of a table format: the contributions of its package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .command import Command


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
    """

    words: tuple[str, ...]
    scan: Callable[[Sequence[Any]], list[Any]]
    is_exclusive: bool = False


class TextPattern(NamedTuple):
    """A pattern that is applied only to texts with a word: searching for the word is much faster.

    Attributes:
        word: Each text in which the pattern matches contains it.
        pattern: A regular expression.
    """

    word: str
    pattern: str


class FormatPass(NamedTuple):
    """A pass of the tracer (`lineage.passes`).

    Attributes:
        phase: `plans`, before the statement's plans are resolved; `write`, after its attributes are bound.
        run: (StatementTrace) -> StatementTrace; returns statements of other formats unchanged.
    """

    phase: str
    run: Callable[[Any], Any]


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
class TableFormat:
    """The contributions of a table format; every field except the name has an empty default.

    Types of upper packages are not available here: `at` is an `operators.operation.Operation`. A function returns None,
    or an empty result, for other formats. Its rules need no field: they register themselves
    (`operators.registry.operator`, `refines`).

    Attributes:
        name: The value of `datasets.format`: `delta`.
        commands: Its commands, for the catalogue.
        row_columns: Columns by which its row-level commands identify rows, in addition to the table's columns.
        hidden_columns: Columns that its plans add for themselves: no edge has them.
        added_columns: Patterns of the columns that it adds to those of a table when it is read.
        file_metadata: (names of a scan's attributes) -> those that are metadata, to the field: `_metadata.row_id`.
        keeps_columns: An overwrite by path keeps columns of the table that are not in the written rows.
        prints_objects: Writes may print the object of their table in place of its name.
        data_files: Format of the files of all its tables, with OpenLineage's name; empty if there are several.
        file_indexes: Beginnings of the `Location` of scans that read its tables' files.
        same_rows: Pattern of the end of names for the same table: a branch, a view of its log.
        metadata_setting: The setting that disables answering aggregates from its metadata.
        name_source: (op) -> Dataset of a scan or source that only the format can read.
        owns_write: (op) -> whether a write uses the format's connector, by its arguments.
        name_table: (op, name as printed) -> Dataset of a table that a plan prints without its catalog.
        name_scan: (operator's name in an RDD's scope, catalog class to name) -> (full name, format) of the table.
        full_name: (name as printed, catalog class to name) -> full name of a table that is printed without its catalog.
        snapshot_metric: The metric of a scan with the snapshot that it reads.
        planning_description: Part of the description of the internal queries that plan a scan: they load the snapshots
            that the statement reads.
        compaction_description: Part of the description of executions that compact a table, also after another write.
        change_metrics: Metrics of its commands: one that has some of them, and none above zero, changes nothing.
        scan_conditions: (op, Dataset) -> Conditions that a scan applies and no operator repeats.
        plan_facts: Scanners of plan texts: snapshots, names and columns of its tables.
        internal_query: (plan text) -> whether the plan is an internal query.
        varying: Text that differs between runs of the same plan: versions, snapshots.
        not_ids: Numbers after `#` that are not attribute ids.
        long_names: Names of operators that contain a table's complete state: only the word is kept.
        is_call_result: (physical plan) -> whether its rows are the result of one of its procedures.
        merge_operator: The logical operator with the clauses of a MERGE over its table and its source.
        passes: Passes over statements.
        description_prefix: Prefix of the descriptions of jobs within a command, before the command's description.
        maintained_table: (description of an execution) -> name of the table that it maintains.
        catalog_folder: (settings, key of a catalog) -> `{database}/{table}`, or `{namespace}/{table}` for namespaces of
            several levels: the tables' location below the warehouse of a file system catalog.
        catalog_namespace: (settings, key of a catalog, URI of the Hive metastore) -> OpenLineage's namespace of tables.
        stream_classes: Sources and sinks of streams: `DeltaSource[file:/x]`.
        hides_stream_table: Its plans do not name the table that a stream writes, of which the sink prints the location.
        offset_version: (offset of a source, as JSON) -> snapshot that was read up to it; empty if there is none.
        table_commit: (TableCommit or None, description of a job) -> the execution's commit after the job.
        read_commits: (events.sources.table_folder.TableFolder) -> Commits and TableSchemas of the table; None for other
            folders.
        is_published_too: Other formats also write its metadata next to their own: its commits are read last.
        session_catalog: Class of its extension of the session catalog, which stores names in lower case; its commands
            print them as the user wrote them.
        replacing_option: Option of a save, in lower case, that makes the written columns those of the table.
        save_options: (option in lower case to value) -> SaveOptions.
        stored_types: Types that its tables do not have, to those that they store instead: `smallint` to `int`.
    """

    name: str
    commands: tuple[Command, ...] = ()
    row_columns: tuple[str, ...] = ()
    hidden_columns: tuple[str, ...] = ()
    added_columns: tuple[str, ...] = ()
    file_metadata: Callable[[Iterable[str]], Mapping[str, str]] = _no_names
    keeps_columns: bool = False
    prints_objects: bool = False
    data_files: str = ""
    file_indexes: tuple[str, ...] = ()
    same_rows: str = ""
    metadata_setting: str = ""
    name_source: Callable[[Any], Any] = _nothing
    owns_write: Callable[[Any], bool | None] = _nothing
    name_table: Callable[[Any, str], Any] = _nothing
    name_scan: Callable[[str, Mapping[str, str]], tuple[str, str] | None] = _nothing
    full_name: Callable[[str, Mapping[str, str]], str | None] = _nothing
    snapshot_metric: str = ""
    planning_description: str = ""
    compaction_description: str = ""
    change_metrics: tuple[str, ...] = ()
    scan_conditions: Callable[[Any, Any], Iterable[Any]] = _no_items
    plan_facts: tuple[FactScanner, ...] = ()
    internal_query: Callable[[str], bool | None] = _nothing
    varying: tuple[TextPattern, ...] = ()
    not_ids: tuple[TextPattern, ...] = ()
    long_names: tuple[TextPattern, ...] = ()
    is_call_result: Callable[[str], bool | None] = _nothing
    merge_operator: str = ""
    passes: tuple[FormatPass, ...] = ()
    description_prefix: str = ""
    maintained_table: Callable[[str], str | None] = _nothing
    catalog_folder: Callable[[Mapping[str, str], str], str | None] = _nothing
    catalog_namespace: Callable[[Mapping[str, str], str, str], str | None] = _nothing
    stream_classes: tuple[str, ...] = ()
    hides_stream_table: bool = False
    offset_version: Callable[[Mapping[str, Any]], str | None] = _nothing
    table_commit: Callable[[Any, str], Any] = _nothing
    read_commits: Callable[[Any], Any] = _nothing
    is_published_too: bool = False
    session_catalog: str = ""
    replacing_option: str = ""
    save_options: Callable[[Mapping[str, str]], SaveOptions | None] = _nothing
    stored_types: Mapping[str, str] = field(default_factory=dict)
