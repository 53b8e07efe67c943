"""The attributes of a command that other modules need."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A command, with the attributes that other modules need.

    A command that is not in the catalogue has the defaults.

    Attributes:
        name: Its class, without `Exec`.
        mode: Its effect on the target, as `DatasetAccess.mode`; empty if its arguments have it, or if there is no
            target.
        schema: Its effect on the target's schema: `created`, `copied` (LIKE), `replaced`, `dropped`, `renamed`,
            `added` (columns), `retyped` (a column), `changed` (V2 table changes); empty for nothing.
        at_root: The root's line of a physical plan begins with its name, without `Execute`.
        printed_as: Its other names there.
        table_in_name: Spark 4.2 and later print its table in the node's name.
        holds_physical_write: The physical plan of the written rows is below it, in every version.
        row_level: It changes rows in place, and its own plan contains the written rows.
        v1_fallback: A V2 write that the connector delegates to its V1 API; the query is a separate execution.
        attributes_from_children: A MERGE whose attributes are those of the executions that it runs.
        subqueries_elsewhere: Its subqueries are those of the executions that it runs.
        target_is_child: The plan below it is its target's relation, not a subquery of its arguments.
        printed_again: Its result is printed with the parsed plan, which contains more than the analyzed one.
        is_result: The result of another command.
        is_call: A procedure; the log may contain only its result.
        writes_micro_batch: The write of a micro-batch, in the execution that reads the stream.
        attributes_only: A MERGE that prints names of attributes and no relation: its jobs name its target, and the
            order of its target's attribute ids is that of the columns.
        rows_from_jobs: It may read its rows from an RDD: then the log only shows the tables that its jobs scan.
        binds_paths: Its query is a logical plan, whose relations of paths are named only in other plans.
        query_as_sql: It prints its query as SQL.
        query_on_one_line: It prints its query as one line of a logical plan, which binds no attributes.
        fills_new_table: It creates the table that it fills, or replaces it.
        lists_all_columns: An append through it names all columns of a catalog table.
        saves_by_options: The options of a data source name the target; the format decides what an overwrite keeps.
        hides_location: Up to Spark 3.3 it prints no location: the table is in the warehouse unless the statement has
            one.
        located_by_jobs: It prints no location of the table that it creates, which its jobs describe.
        hides_partition_columns: It prints no partition columns, which are the last ones of its table: the order of its
            columns is unknown.
        changes_printed_table: It changes the table that it prints, and no scan or write of the plan names it.
        may_change_printed_table: The log does not show whether it changes the table that it prints.
        copies_table: It copies a table that it does not print: the one whose state the statement loads.
        names_all_columns: A MERGE that names all columns of its target, also those that none of its executions reads.
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
    query_as_sql: bool = False
    query_on_one_line: bool = False
    lists_all_columns: bool = False
    saves_by_options: bool = False
    hides_location: bool = False
    located_by_jobs: bool = False
    hides_partition_columns: bool = False
    changes_printed_table: bool = False
    may_change_printed_table: bool = False
    copies_table: bool = False
    names_all_columns: bool = False
    sets_namespace: bool = False
    sets_database: bool = False

    @property
    def writes_rows(self) -> bool:
        """Whether rows pass through it to a table."""
        return self.holds_physical_write or self.row_level or self.v1_fallback


def commands_of(names: str, mode: str, schema: str = "") -> tuple[Command, ...]:
    """Return commands that define, change or maintain a table and differ only in their names.

    Args:
        names: Their names, separated by white space.
        mode: See `Command`.
        schema: See `Command`.
    """
    return tuple(Command(name, mode, schema) for name in names.split())
