"""A statement: the plans of its executions, the links between them, and evidence from outside the plans."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.plan_context import NO_NAMES, TableNames
from eventlog_lineage.plan.views import ViewRead

from .catalog_settings import NO_SETTINGS, CatalogSettings
from .stream_locations import StreamLocations


@dataclass(frozen=True, slots=True)
class AttributeLink:
    """An attribute that is unbound in one plan and bound in another.

    Attributes:
        plan: The plan with the unbound attribute: its index in `Statement.fingerprints`.
        attribute: The attribute: its index in the plan's own numbering (`Numbered.ids`).
        producer: The plan that may bind it: its index in `Statement.fingerprints`.
        bound: The attribute in the producer: its index in that plan's numbering. A negative number refers to the
            rows of a checkpoint: -1 is the first output of the producer, -2 the second.
    """

    plan: int
    attribute: int
    producer: int
    bound: int


@dataclass(frozen=True, slots=True)
class ScannedTable:
    """A table that the jobs of a statement scan.

    Attributes:
        name: Its full name.
        format: The table format.
        columns: The columns that the application's plans list; empty if they list none.
        column_lists: Its complete lists of columns, in the table's order: one for each of its schemas.
    """

    name: str
    format: str
    columns: tuple[str, ...] = ()
    column_lists: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class StatementContext:
    """Evidence for a statement's lineage from outside its plans: jobs, progress events, other executions.

    Most statements have none. A new kind of evidence is a field here, with its label in `statement_key.context_key`:
    statements with different evidence must not share a lineage id.

    Attributes:
        stream: Where the streaming query of a micro-batch reads and writes; None outside of streams.
        batch: For a statement of a `foreachBatch` function: index of the plan of the micro-batch whose rows it reads.
        views: The views that it reads and that its plans do not name.
        commit_location: Location of the table that its jobs commit to, if its plans do not name it.
        tables: Full names of the tables that its plans print without a database or catalog.
        maintained_table: The table that a maintenance procedure ran on.
        scanned: The tables that its jobs scan, if no plan contains the query that produces the rows.
        id_offsets: (index in the root plan's numbering, distance) of the attributes by their ids: those of one relation
            are consecutive.
        attribute_ids: Per execution, the ids that replace the attribute ids of its plan's text, as a stored text may
            come from another run, with other ids. Empty if the executions share no attributes.
        catalogs: (class, name) of the catalogs that its plans print as objects of a class with several catalogs; the
            name is empty if it does not follow from the log.
        sampled: (index in the root plan's numbering, path) of the first attributes of relations of files whose paths
            the plan does not print, from the queries that read their headers.
        has_no_plan: An execution failed during the analysis of the statement, before it was planned.
        has_driver_rows: The local rows of its plans are those of the driver program.
        masks: The user's masking functions, as `masks.mask_names` returns them; from the harvest's options.
    """

    stream: StreamLocations | None = None
    batch: int | None = None
    views: tuple[ViewRead, ...] = ()
    commit_location: str = ""
    tables: TableNames = NO_NAMES
    maintained_table: Dataset | None = None
    scanned: tuple[ScannedTable, ...] = ()
    id_offsets: tuple[tuple[int, int], ...] = ()
    attribute_ids: tuple[tuple[int, ...], ...] = ()
    catalogs: tuple[tuple[str, str], ...] = ()
    sampled: tuple[tuple[int, str], ...] = ()
    has_no_plan: bool = False
    has_driver_rows: bool = False
    masks: tuple[str, ...] = ()


NO_CONTEXT = StatementContext()
"""The context of most statements: no evidence from outside the plans."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement with all inputs of its trace except the plan texts.

    Attributes:
        members: Ids of its executions, the root's first, then in order.
        fingerprints: Its plans: one per execution, then those that bind attributes of the others.
        links: The attributes that one of the plans leaves unbound and another binds.
        lineage_id: Identifies the combination of plans and evidence; equal for all runs of it.
        catalog_settings: The settings that its plans are read with.
        context: Evidence from outside its plans.
        external: Lineage that other tools report for it in the same log.
    """

    members: tuple[int, ...]
    fingerprints: tuple[str, ...]
    links: tuple[AttributeLink, ...] = ()
    lineage_id: str = ""
    catalog_settings: CatalogSettings = NO_SETTINGS
    context: StatementContext = NO_CONTEXT
    external: tuple[ExternalLineage, ...] = ()

    @property
    def root(self) -> int:
        """The root execution's id."""
        return self.members[0]

    @property
    def size(self) -> int:
        """The number of its executions; the first `size` plans are theirs."""
        return len(self.members)
