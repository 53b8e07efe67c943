"""Extension points: what the packages above contribute to the ones below, which ask for it by name.

A lower package must know things that belong to an operator or a table format: whether a command holds the plan of what
it writes, which words name a table's snapshot. It asks here, and imports nothing from above. The contributors are found
once per process, as `operators.registry.rules` finds the rules.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

_CATALOGUE = "eventlog_lineage.operators.commands"


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


@cache
def commands() -> Mapping[str, Command]:
    """Return the catalogue of commands, by class and by the other words that are printed for it.

    Raises:
        ValueError: A command is listed twice.
    """
    found: dict[str, Command] = {}
    for each in importlib.import_module(_CATALOGUE).COMMANDS:
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
