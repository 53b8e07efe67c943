"""Extension points: what the packages above contribute to the ones below, which ask for it by name.

A lower package must know things that belong to an operator or a table format: whether a command holds the plan of what
it writes, which words name a table's snapshot. It asks here, and imports nothing from above. The contributors are found
once per process, as `operators.registry.rules` finds the rules.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

_CATALOGUE = "eventlog_lineage.operators.commands"
_FORMATS = "eventlog_lineage.formats"


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and the answers to the questions that are asked about it.

    A command that is not in the catalogue has the default answers.

    Attributes:
        name: Its class, without `Exec`.
        mode: What it does to its target, as `DatasetAccess.mode`; empty where its arguments say it, or it has none.
        schema: What it says of its target's schema: `created`, `copied` (LIKE), `replaced`, `dropped`, `renamed`,
            `added` (columns), `retyped` (a column), `changed` (V2 table changes); empty for nothing.
        at_root: The root's line of a physical plan begins with its name, without `Execute`.
        printed_as: Other words for it at that place.
        table_in_name: Spark 4.2 and later print its table in the node's name.
        holds_physical_write: The physical plan of what it writes is below it, in every version.
        row_level: It changes rows in place, and its own plan says what it writes.
        v1_fallback: A V2 write that the connector hands to its older API; the query is an execution of its own.
        attributes_from_children: A MERGE whose attributes are those of the executions that it runs.
        subqueries_elsewhere: Its subqueries are those of the executions that it runs.
        target_is_child: The plan below it is its target's relation, not a subquery of its arguments.
        printed_again: Its result is printed with the plan as it was parsed, which has more than the analyzed one.
        is_result: The rows that another command returned.
        is_call: A procedure; its result may be all that the log has of it.
        writes_micro_batch: The write of a micro-batch, in the execution that reads the stream.
        attributes_only: A MERGE that prints names of attributes and no relation: its jobs name its target, and the
            order of its target's attribute ids is that of the columns.
        rows_from_jobs: It may take its rows through an RDD: then the log has no more of them than what its jobs scan.
        binds_paths: Its query is a logical plan, whose relations of paths only other plans name.
        fills_new_table: It makes the table that it fills, whatever was there.
        lists_all_columns: An append through it names all columns of a catalog table.
        saves_by_options: The options of a data source name the target; the format decides what an overwrite keeps.
        hides_location: Up to Spark 3.3 it prints no location: the table is in the warehouse unless the statement says
            otherwise.
        changes_printed_table: It changes the table that it prints, and no scan or write of the plan names it.
        sets_namespace: It changes the session's catalog and namespace.
        sets_database: It changes the session catalog's database.
    """

    name: str
    mode: str = ""
    schema: str = ""
    at_root: bool = False
    printed_as: tuple[str, ...] = ()
    table_in_name: bool = False
    holds_physical_write: bool = False
    row_level: bool = False
    v1_fallback: bool = False
    attributes_from_children: bool = False
    subqueries_elsewhere: bool = False
    target_is_child: bool = False
    printed_again: bool = False
    is_result: bool = False
    is_call: bool = False
    writes_micro_batch: bool = False
    attributes_only: bool = False
    rows_from_jobs: bool = False
    binds_paths: bool = False
    fills_new_table: bool = False
    lists_all_columns: bool = False
    saves_by_options: bool = False
    hides_location: bool = False
    changes_printed_table: bool = False
    sets_namespace: bool = False
    sets_database: bool = False

    @property
    def writes_rows(self) -> bool:
        """Whether rows pass through it to a table."""
        return self.holds_physical_write or self.row_level or self.v1_fallback


def commands_of(names: str, mode: str, schema: str = "") -> tuple[Command, ...]:
    """List commands that define, change or maintain a table and differ in nothing else.

    Args:
        names: Their names, separated by white space.
        mode: See `Command`.
        schema: See `Command`.
    """
    return tuple(Command(name, mode, schema) for name in names.split())


class SaveOptions(NamedTuple):
    """What the options of a save through a data source tell of a table format.

    Attributes:
        mode: What the save does, where that is not what its save mode says; empty otherwise.
        table: The table's name; empty where the options give a path.
    """

    mode: str = ""
    table: str = ""


class FactScanner(NamedTuple):
    """How facts of one kind are found in plan texts (`plan.summary.plan_facts`).

    Attributes:
        words: Each text with such facts contains one of these.
        scan: (operators as the text prints them) -> the facts that they state.
        is_exclusive: A text with such facts has no others: a table format reads its own log.
    """

    words: tuple[str, ...]
    scan: Callable[[Sequence[Any]], list[Any]]
    is_exclusive: bool = False


class TextPattern(NamedTuple):
    """A pattern that is applied to texts with a word: looking for the word is much faster.

    Attributes:
        word: Each text in which the pattern matches contains it.
        pattern: A regular expression.
    """

    word: str
    pattern: str


class FormatPass(NamedTuple):
    """A pass of the tracer (`lineage.passes`).

    Attributes:
        phase: `plans`, before the statement's plans are resolved; `write`, once its attributes are bound.
        run: (StatementTrace) -> StatementTrace; the trace that it got for statements of other formats.
    """

    phase: str
    run: Callable[[Any], Any]


def _nothing(*_: object) -> None:
    """Contribute nothing."""


def _no_items(*_: object) -> tuple[()]:
    """Contribute no items."""
    return ()


@dataclass(frozen=True, slots=True)
class TableFormat:
    """What a table format contributes; every field but the name has an empty default.

    Types of upper packages are not known here: `at` is an `operators.operation.Operation`. A function returns None,
    or nothing, for what is not of its format. Its rules need no field: they register themselves
    (`operators.registry.operator`, `refines`).

    Attributes:
        name: As `datasets.format` stores it: `delta`.
        commands: Its commands, for the catalogue.
        row_columns: Columns by which its row-level commands find a row again; no columns of the table.
        added_columns: Patterns of the columns that it adds to those of a table when it is read.
        keeps_columns: An overwrite by path keeps the table's columns that it lacks.
        file_indexes: How a scan's `Location` begins that reads its tables' files.
        same_rows: Pattern of the end of names that stand for the table itself: a branch, a view of its log.
        metadata_setting: The setting that stops it from answering aggregates from its metadata.
        name_source: (at) -> Dataset, of a scan or source that prints its table in the format's own way.
        owns_write: (at) -> whether the write is through the format's connector, by its arguments.
        name_table: (at, name as printed) -> Dataset of a table that a plan prints without its catalog.
        name_scan: (operator's name in an RDD's scope, catalog class to name) -> (full name, format) of the table.
        full_name: (name as printed, catalog class to name) -> full name of a table that is printed without its catalog.
        snapshot_metric: The metric of a scan that has the snapshot it read.
        scan_conditions: (at, Dataset) -> Conditions that a scan applies and no operator repeats.
        plan_facts: Scanners of plan texts: snapshots, names and columns of its tables.
        internal_query: (plan text) -> whether the format runs the plan for itself.
        varying: What differs in texts of the same plan from run to run: versions, snapshots.
        not_ids: Numbers after `#` that are no attribute ids.
        long_names: Names of operators that hold a table's whole state: the word is all that is kept of them.
        is_call_result: (physical plan) -> whether its rows are what one of its procedures returned.
        merge_operator: The logical operator that keeps the clauses of a MERGE over its table and its source.
        passes: Passes over statements.
        description_prefix: How it describes the jobs of a step within a command, before the command's description.
        maintained_table: (description of an execution) -> name of the table that it maintains.
        save_options: (option in lower case to value) -> SaveOptions.
    """

    name: str
    commands: tuple[Command, ...] = ()
    row_columns: tuple[str, ...] = ()
    added_columns: tuple[str, ...] = ()
    keeps_columns: bool = False
    file_indexes: tuple[str, ...] = ()
    same_rows: str = ""
    metadata_setting: str = ""
    name_source: Callable[[Any], Any] = _nothing
    owns_write: Callable[[Any], bool | None] = _nothing
    name_table: Callable[[Any, str], Any] = _nothing
    name_scan: Callable[[str, Mapping[str, str]], tuple[str, str] | None] = _nothing
    full_name: Callable[[str, Mapping[str, str]], str | None] = _nothing
    snapshot_metric: str = ""
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
    save_options: Callable[[Mapping[str, str]], SaveOptions | None] = _nothing


@cache
def formats() -> tuple[TableFormat, ...]:
    """Return the table formats, each the `FORMAT` of a package in `formats`, in the order of their names."""
    package = importlib.import_module(_FORMATS)
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__) if info.ispkg)
    return tuple(importlib.import_module(f"{_FORMATS}.{name}").FORMAT for name in names)


@cache
def contributions(field: str) -> tuple[Any, ...]:
    """Return what the formats contribute to a field, in the order of their names; without the empty defaults.

    Args:
        field: An attribute of `TableFormat`.
    """
    empty = next(each.default for each in fields(TableFormat) if each.name == field)
    return tuple(value for each in formats() if (value := getattr(each, field)) is not empty)


@cache
def text_patterns(field: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the words and compiled patterns that the formats contribute to a field of `TextPattern`s."""
    return tuple((each.word, re.compile(each.pattern, re.DOTALL)) for each in chain(*contributions(field)))


@cache
def commands() -> Mapping[str, Command]:
    """Return the catalogue of commands, by class and by the other words that are printed for it.

    Raises:
        ValueError: A command is listed twice.
    """
    found: dict[str, Command] = {}
    listed = (importlib.import_module(_CATALOGUE).COMMANDS, *(each.commands for each in formats()))
    for each in chain.from_iterable(listed):
        for name in (each.name, *each.printed_as):
            if name in found:
                raise ValueError(f"{name} is listed twice")
            found[name] = each
    return found


def find_command(name: str) -> Command:
    """Return what the catalogue says of a command; the default answers for an unknown one, and for a query."""
    return commands().get(name, _UNKNOWN)


@cache
def commands_where(question: str) -> frozenset[str]:
    """Return the names of the commands for which a question is answered with yes.

    Args:
        question: An attribute of `Command`.
    """
    return frozenset(each.name for each in commands().values() if getattr(each, question))


_UNKNOWN = Command("")
