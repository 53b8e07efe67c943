"""The attributes of a command that other modules need."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, Flag, auto


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
