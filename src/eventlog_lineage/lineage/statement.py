"""A statement: the plans of its executions, the links between them, and evidence from outside the plans.

A hash of these is its lineage id. Stores keep lineage ids, and a statement whose id a store has is not traced again.
Fields that have their defaults are not part of a key: a new kind of evidence changes the ids only of the statements
that have it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, NamedTuple

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, CatalogSettings, ScannedTable
from eventlog_lineage.catalog.stream_tables import StreamLocations
from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.plan_context import NO_NAMES, TableNames
from eventlog_lineage.plan.printed.sections import ViewRead
from eventlog_lineage.plan.unresolved.sql_expressions import WrittenLists


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


class RddSource(NamedTuple):
    """The scans whose rows a plan reads from an RDD outside Spark SQL.

    Attributes:
        plan: The plan: its index in `Statement.fingerprints`.
        attributes: The attributes that hold the rows: their indexes in the plan's own numbering.
        tables: (name, format) of the tables that the scans read.
        unnamed: The other scans, by the names of their operators: those of files have no path, `Scan parquet`.
        is_partial: Another job broadcasts the rows of further scans.
    """

    plan: int
    attributes: tuple[int, ...]
    tables: tuple[tuple[str, str], ...]
    unnamed: tuple[str, ...] = ()
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class PrintedNames:
    """What the names that plans print incompletely mean.

    Attributes:
        tables: Full names of the tables that the plans print without a database or catalog.
        catalogs: (class, name) of the catalogs that they print as objects of a class with several catalogs; the name is
            empty if it does not follow from the log.
        namespaces: (`namespace.<name>`, catalog) of the namespaces that one JDBC catalog alone shows, if the plans
            print tables without their catalog; (`columns.<table>`, names) of the tables in joins that databases make;
            the settings of the session that differ from the application's.
        application: The application's id, if the plans may contain a relation or a catalog that nothing names.
        written: The lists in the statement's SQL, if its plan has truncated ones.
    """

    tables: TableNames = NO_NAMES
    catalogs: tuple[tuple[str, str], ...] = ()
    namespaces: tuple[tuple[str, str], ...] = ()
    application: str = ""
    written: WrittenLists = ()


@dataclass(frozen=True, slots=True)
class HiddenTables:
    """The tables of a statement that its plans do not name.

    Attributes:
        commit_location: Location of the table that its jobs commit to.
        maintained_table: The table that a maintenance procedure ran on.
        scanned: The tables that its jobs scan, if no plan contains the query that produces the rows.
    """

    views: tuple[ViewRead, ...] = ()
    commit_location: str = ""
    maintained_table: Dataset | None = None
    scanned: tuple[ScannedTable, ...] = ()


@dataclass(frozen=True, slots=True)
class RowSources:
    """Where rows and attributes come from that the plans do not bind.

    Attributes:
        id_offsets: (index in the root plan's numbering, distance) of the attributes by their ids: those of one relation
            are consecutive.
        attribute_ids: Per execution, the ids that replace the attribute ids of its plan's text, as a stored text may
            come from another run, with other ids. Empty if the executions share no attributes.
        sampled: (index in the root plan's numbering, path) of the first attributes of relations of files whose paths
            the plan does not print, from the queries that read their headers.
        has_no_plan: An execution failed during the analysis of the statement, before it was planned.
        has_driver_rows: The local rows of the plans are those of the driver program.
        ran_no_job: It succeeded without a job, though its command moves rows: it wrote nothing.
    """

    rdds: tuple[RddSource, ...] = ()
    id_offsets: tuple[tuple[int, int], ...] = ()
    attribute_ids: tuple[tuple[int, ...], ...] = ()
    sampled: tuple[tuple[int, str], ...] = ()
    has_no_plan: bool = False
    has_driver_rows: bool = False
    ran_no_job: bool = False


@dataclass(frozen=True, slots=True)
class StatementContext:
    """Evidence for a statement's lineage from outside its plans: jobs, progress events, other executions.

    Most statements have none. A new kind of evidence is a field of one of the groups, with its label in
    `statement_key`: statements with different evidence must not share a lineage id.

    Attributes:
        stream: Where the streaming query of a micro-batch reads and writes; None outside of streams.
        batch: For a statement of a `foreachBatch` function: index of the plan of the micro-batch whose rows it reads.
        masks: The user's masking functions, as `masks.mask_names` returns them; from the harvest's options.
    """

    stream: StreamLocations | None = None
    batch: int | None = None
    names: PrintedNames = PrintedNames()
    hidden: HiddenTables = HiddenTables()
    rows: RowSources = RowSources()
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
        external: Lineage that other tools report for it in the same log.
        view_owner: What the application is called in all its runs, if the plans may name a temporary view: in a store
            the view is this application's.
    """

    members: tuple[int, ...]
    fingerprints: tuple[str, ...]
    links: tuple[AttributeLink, ...] = ()
    lineage_id: str = ""
    catalog_settings: CatalogSettings = NO_SETTINGS
    context: StatementContext = NO_CONTEXT
    external: tuple[ExternalLineage, ...] = ()
    view_owner: str = ""

    @property
    def root(self) -> int:
        """The root execution's id."""
        return self.members[0]

    @property
    def size(self) -> int:
        """The number of its executions; the first `size` plans are theirs."""
        return len(self.members)


_EVIDENCE = """
    stream batch views commit_location tables maintained_table scanned rdds id_offsets attribute_ids catalogs sampled
    has_no_plan has_driver_rows masks namespaces application written ran_no_job
""".split()
"""The kinds of evidence, in their order in a key: digests of keys are stored."""


def settings_key(catalog_settings: CatalogSettings) -> str:
    """Return the key of an application's catalog settings; one per application, as all its statements share it.

    >>> settings_key(CatalogSettings((("org.example.Catalog", "lake"),), "/warehouse"))
    '{"catalogs":[["org.example.Catalog","lake"]],"warehouse":"/warehouse"}'
    """
    known = replace(catalog_settings, shared=(), application="")  # what follows is in `StatementContext`
    return _key(known)


def context_key(context: StatementContext) -> str:
    """Return the key of a statement's evidence from outside its plans; empty for most statements.

    Attribute ids that a command prints differ between runs and are left out.

    Args:
        context: The evidence. Every field is part of the key, or two statements share a lineage id.
    """
    if context == NO_CONTEXT:
        return ""
    tables = context.names.tables
    texts = replace(tables, aggregates=tuple((0, text) for _, text in tables.aggregates))
    names = replace(context.names, tables=texts)
    given = {
        label: value for each in (context, names, context.hidden, context.rows) for label, value in _given(each).items()
    }
    return _key({label: given[label] for label in _EVIDENCE if label in given})


@lru_cache(maxsize=10_000)
def lineage_id(fingerprints: tuple[str, ...], size: int, links: tuple[AttributeLink, ...], key: str) -> str:
    """Return the lineage id of a statement: 32 hexadecimal digits.

    Args:
        key: `settings_key` of the application and `context_key` of the statement, in this order.
    """
    pairs = (f"{each.plan}.{each.attribute}={each.producer}.{each.bound}" for each in links)
    return _digest("\n".join((*fingerprints, str(size), *pairs, key)))


def compared_lineage_id(plain_id: str, reported: Iterable[ExternalLineage]) -> str:
    """Return the lineage id of a statement that is compared with the lineage that other tools report.

    Args:
        reported: The lineage that the other tools report; the time of the report is not part of the id.
    """
    keys = [(each.input_tables, each.output_tables, each.columns, each.failed, each.certain) for each in reported]
    return _digest(f"{plain_id} compared {_key(keys)}")


def masked_lineage_id(plain_id: str, masks: tuple[str, ...]) -> str:
    """Return the lineage id of a statement that is traced with the user's masking functions."""
    return _digest(f"{plain_id} masks {_key(masks)}")


def owned_lineage_id(plain_id: str, owner: str) -> str:
    """Return the lineage id of a statement that may name temporary views."""
    return _digest(f"{plain_id} views of {owner}")


def _key(value: object) -> str:
    """Return a value as JSON, dataclasses as their fields that do not have their defaults."""
    return json.dumps(value, default=_given, separators=(",", ":"))


def _given(value: Any) -> Mapping[str, object]:
    values = ((each.name, getattr(value, each.name), each.default) for each in fields(value))
    return {name: given for name, given, default in values if given != default}


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
