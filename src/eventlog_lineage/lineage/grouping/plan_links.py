"""Link the plans of an application: attributes of one that another binds, tables that the jobs of statements scan.

`Dataset.checkpoint` and `localCheckpoint` run the query as an execution of their own, with a job if they are eager, and
return a `LogicalRDD` with the query's attributes (2.1 to 4.3). Two checkpoints of one table can have the same
attribute ids, and one side of a join of a checkpoint with itself has new ids; the RDD's number distinguishes them.

Some connectors read their rows from RDDs. The scopes of an RDD name the scans that it is made from. Logical plans print
relations of files without a path; the query that read the header of a CSV file has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.catalog.application_facts import ExecutionSummary, ScannedTable
from eventlog_lineage.datasets import naming
from eventlog_lineage.events.records import RddRows
from eventlog_lineage.extensions import Query, find_command, formats
from eventlog_lineage.lineage.statement import AttributeLink, RddSource
from eventlog_lineage.plan.printed.operator_lines import table_of_scan
from eventlog_lineage.plan.summary.plan_facts import SampledFile
from eventlog_lineage.plan.summary.scan_facts import RowScan

from .micro_batches import CHECKPOINTS

_LONGEST_CHAIN = 12
"""Longest chain of executions each of which binds attributes of the one before: a checkpoint of a checkpoint …"""

Producers = Mapping[int, ExecutionSummary]
"""Id of an attribute that some plan leaves unbound, to the execution whose plan binds it."""


def find_producers(ordered: Sequence[ExecutionSummary]) -> Producers:
    """Return the execution whose plan binds each attribute that a plan leaves unbound.

    Of several it is the first; commands that print a query on one line have its ids and bind none of them. An attribute
    that no scan binds may be one of a view's relation, of which other attributes are bound.

    Args:
        ordered: All executions of one application attempt, in the order of their ids.
    """
    requested = {expr_id for execution in ordered for expr_id in execution.summary.requested}
    producers: dict[int, ExecutionSummary] = {}
    for execution in ordered if requested else ():
        if Query.ONE_LINE in find_command(execution.summary.command).query:
            continue
        for expr_id in requested.intersection(execution.summary.ids):
            if expr_id not in execution.summary.unbound:
                producers.setdefault(expr_id, execution)
    return {**_views_of(requested - producers.keys(), ordered), **producers}


def _views_of(requested: Collection[int], ordered: Sequence[ExecutionSummary]) -> Producers:
    """Return the first view whose logical plan has each attribute."""
    views = [each for each in ordered if Query.LOGICAL in find_command(each.summary.command).query] if requested else []
    return {expr_id: view for view in reversed(views) for expr_id in view.summary.ids if expr_id in requested}


def link_plans(
    members: list[ExecutionSummary], batch: ExecutionSummary | None, producers: Producers, checkpoints: Checkpoints
) -> tuple[list[ExecutionSummary], tuple[AttributeLink, ...]]:
    """Return the plans of a statement (members, their batch, executions that bind their attributes) and their links.

    Args:
        batch: The micro-batch whose rows its plans read.
    """
    plans = [*members, batch] if batch is not None else members
    if not any(execution.summary.requested or execution.summary.row_scans for execution in plans):
        return plans, ()
    linker = _Linker(list(plans), len(members), producers, checkpoints)
    for index, execution in enumerate(linker.plans):  # `link` appends the plans that it finds
        linker.link(index, execution)
    return linker.plans, tuple(linker.links)


class _Linker:
    """Collects the plans of a statement and their links."""

    def __init__(
        self, plans: list[ExecutionSummary], size: int, producers: Producers, checkpoints: Checkpoints
    ) -> None:
        self.plans = plans
        self.links: list[AttributeLink] = []
        self._own = {execution.execution_id for execution in plans[:size]}
        self._longest = size + _LONGEST_CHAIN
        self._producers = producers
        self._checkpoints = checkpoints

    def link(self, index: int, execution: ExecutionSummary) -> None:
        """Link a plan's unbound attributes: rows of a checkpoint by their position, others by their ids."""
        summary = execution.summary
        defines = Query.LOGICAL in find_command(summary.command).query  # a view: its rows are those of a logical plan
        requested = summary.requested.intersection(summary.ids)
        unbound = set(summary.ids if defines else requested)
        for scan in summary.row_scans:
            at = self._index_of(self._checkpoints.producer_of(execution, scan), index, execution)
            if at is None:
                continue
            for position, expr_id in enumerate(scan.ids):
                if expr_id in unbound:
                    unbound.remove(expr_id)
                    self.links.append(AttributeLink(index, summary.ids.index(expr_id), at, -1 - position))
        for expr_id in sorted(requested & unbound):
            found = self._producers.get(expr_id)
            at = self._index_of(found, index, execution)
            if found is not None and at is not None:
                ids = (summary.ids.index(expr_id), found.summary.ids.index(expr_id))
                self.links.append(AttributeLink(index, ids[0], at, ids[1]))

    def _index_of(self, producer: ExecutionSummary | None, index: int, execution: ExecutionSummary) -> int | None:
        """Return the index of a plan, appended if it is new; None if the plan cannot bind another's attributes.

        Args:
            index: The index of the plan whose attributes are unbound.
        """
        if producer is None or producer.execution_id in self._own or producer is execution:
            return None
        if len(self.plans) > self._longest:
            return None
        known = next((other for other in range(index + 1, len(self.plans)) if self.plans[other] is producer), None)
        if known is not None:
            return known
        self.plans.append(producer)
        return len(self.plans) - 1


_Batch = tuple[str, "int | None"]
"""The run of a streaming query, and the number of one of its micro-batches."""


class Checkpoints:
    """The executions of an application whose rows other executions read.

    Args:
        readers: The ids of micro-batches whose rows are passed to a `foreachBatch` function.
    """

    def __init__(self, ordered: Sequence[ExecutionSummary], readers: Collection[int] = ()) -> None:
        self._readers = frozenset(readers)
        batches = {_batch_of(each) for each in ordered if each.execution_id in self._readers}
        self._by_rdd = _by_rdd(ordered, batches)
        self._eager = {each.execution_id for each in self._by_rdd.values()}
        producers = self._eager | self._readers
        self._producers = [each for each in ordered if each.call in CHECKPOINTS or each.execution_id in producers]

    def producer_of(self, execution: ExecutionSummary, scan: RowScan) -> ExecutionSummary | None:
        """Return the execution that computed the rows of a scan; None if they are not those of a checkpoint."""
        found = self._by_rdd.get(scan.rdd) if scan.rdd is not None else None
        if found is not None or not scan.ids:
            return found
        producers = (
            self._by_ids(execution, scan) or self._by_other_side(execution, scan) or self._by_jobs(execution, scan)
        )
        return next(reversed(producers), None)

    def _by_ids(self, execution: ExecutionSummary, scan: RowScan) -> list[ExecutionSummary]:
        """Return the earlier executions that may have computed a scan's rows, by its attributes."""
        ids = frozenset(scan.ids)
        producers = [each for each in self._before(execution) if ids.issubset(each.summary.ids)]
        in_jobs = {self._by_rdd[rdd].execution_id for rdd in execution.job_facts.checkpoints if rdd in self._by_rdd}
        certain = [each for each in producers if each.execution_id in in_jobs]
        eager = self._eager if scan.rdd is not None else set()
        lazy = [each for each in producers if each.execution_id not in eager]
        return certain or lazy or producers

    def _by_other_side(self, execution: ExecutionSummary, scan: RowScan) -> list[ExecutionSummary]:
        """Return the execution that computed the rows of a scan with new ids, if there is one candidate.

        In a join of a checkpoint with itself, one side has new ids (`DeduplicateRelations`), the other one those of the
        checkpoint's query.
        """
        producers: dict[tuple[str, tuple[int, ...]], ExecutionSummary] = {}
        for original in execution.summary.row_scans:
            if original.ids != scan.ids and original.names == scan.names and original.rdd == scan.rdd:
                found = self._by_ids(execution, original)
                for each in found[-1:] if scan.rdd is not None else found:
                    producers[each.summary.fingerprint, each.summary.ids] = each
        return list(producers.values()) if len(producers) == 1 else []

    def _by_jobs(self, execution: ExecutionSummary, scan: RowScan) -> list[ExecutionSummary]:
        """Return the execution of the only checkpoint that a plan's jobs read, if no other scan has its ids.

        A checkpoint that is joined with the table it was computed from has new ids (`DeduplicateRelations`).
        """
        producers = {
            self._by_rdd[rdd].execution_id: self._by_rdd[rdd]
            for rdd in execution.job_facts.checkpoints
            if rdd in self._by_rdd and self._by_rdd[rdd].execution_id < execution.execution_id
        }
        others = [each for each in execution.summary.row_scans if each.ids != scan.ids]
        is_only = len(producers) == 1 and not others and scan.rdd is None
        return list(producers.values()) if is_only else []

    def _before(self, execution: ExecutionSummary) -> Iterable[ExecutionSummary]:
        is_checkpoint = execution.call in CHECKPOINTS or execution.execution_id in self._eager
        for each in self._producers:
            if each.execution_id >= execution.execution_id:
                return
            if each.execution_id not in self._readers:
                yield each
            elif is_checkpoint and _batch_of(each) == _batch_of(execution):
                yield each  # other statements match the batch's rows by name (`streaming.batch_rows`)


def _by_rdd(ordered: Iterable[ExecutionSummary], batches: Collection[_Batch]) -> dict[int, ExecutionSummary]:
    """Return the execution that computed each checkpoint, by its RDD's number: the first one with a job of the RDD."""
    found: dict[int, ExecutionSummary] = {}
    seen: set[int] = set()
    for execution in ordered:
        new = [rdd for rdd in execution.job_facts.checkpoints if rdd not in seen]
        seen.update(new)
        if new and (execution.call in CHECKPOINTS or _checkpoints_in(batches, execution, max(new))):
            found[max(new)] = execution
    return found


def _checkpoints_in(batches: Collection[_Batch], execution: ExecutionSummary, rdd: int) -> bool:
    """Return whether an execution runs the first job of a checkpoint in a `foreachBatch` function.

    The executions of a micro-batch all have the call site of the method that started the stream (3.5 to 4.3). A query
    that is the first one to read a lazy checkpoint prints its RDD.
    """
    is_query = _batch_of(execution) in batches and not execution.summary.command
    return is_query and all(scan.rdd != rdd for scan in execution.summary.row_scans)


def _batch_of(execution: ExecutionSummary) -> _Batch:
    return execution.stream_run_id, execution.stream_batch_id


_ID_DISTANCE = 17
"""Distance from the id of the line's attribute to that of the relation's first one (`DataFrameReader.csv`, 3.5)."""


def scanned_tables(
    scans: Iterable[str], known: Mapping[str, ScannedTable], catalogs: Mapping[str, str]
) -> tuple[ScannedTable, ...]:
    """Return the tables that scans among a statement's RDDs read, in the order of their names.

    Args:
        scans: Names of operators: `Scan HudiFileGroup spark_catalog.shop.updates`, `BatchScan shop.updates`.
        known: `SessionCatalog.columns`.
        catalogs: `CatalogSettings.catalogs`.
    """
    found: dict[str, ScannedTable] = {}
    for scan in scans:
        file_format, printed = table_of_scan(scan)
        if not printed:
            continue
        table = known.get(printed, ScannedTable(printed, ""))
        named = next(filter(None, (each.tables.scanned(scan, catalogs) for each in formats())), None)
        name, format_name = named or (naming.table_name(printed), file_format.lower())
        found[name] = replace(table, name=name, format=format_name)
    return tuple(found[name] for name in sorted(found))


def rdd_sources(members: Sequence[ExecutionSummary], catalogs: Mapping[str, str]) -> tuple[RddSource, ...]:
    """Return the scans whose rows a statement reads from RDDs outside Spark SQL.

    Formatted text prints the number of the RDD, and the job has the RDDs that it is made of. Other texts print none:
    the rows are then those of all such RDDs of the jobs.
    """
    held = {rows.rdd: rows for each in members for rows in each.job_facts.rows}
    if not held:
        return ()
    every = tuple(dict.fromkeys(scan for rows in held.values() for scan in rows.scans))
    whole = RddRows(-1, every, any(rows.is_partial for rows in held.values()))

    def source(plan: int, ids: Sequence[int], scan: RowScan) -> RddSource | None:
        rows = whole if scan.rdd is None else held.get(scan.rdd)
        if rows is None or not scan.ids:
            return None
        tables = tuple((each.name, each.format) for each in scanned_tables(rows.scans, {}, catalogs))
        unnamed = tuple(each for each in rows.scans if not any(table_of_scan(each)))
        attributes = tuple(ids.index(each) for each in scan.ids if each in ids)  # not `window#5-T600000ms`
        return RddSource(plan, attributes, tables, unnamed, rows.is_partial)

    summaries = [execution.summary for execution in members]
    found = (source(plan, each.ids, scan) for plan, each in enumerate(summaries) for scan in each.row_scans)
    return tuple(filter(None, found))


def sampled_files(executions: Iterable[ExecutionSummary]) -> dict[int, str]:
    """Return the paths of the relations whose header an execution read, by the id of the relation's first attribute.

    Ids are unique in an application and grow: only the relation that the same call creates is at this distance.
    """
    facts = (fact for each in executions for fact in each.summary.facts if isinstance(fact, SampledFile))
    return {fact.attribute + _ID_DISTANCE: path for fact in facts if (path := _path(fact))}


def _path(sampled: SampledFile) -> str:
    """Return the dataset of sampled files; empty if it is unknown whether a file or its folder is read.

    The query lists the files of a folder, too. A landing file is stored under its folder, so both are one dataset;
    `path_name` returns the folder of a data file.
    """
    path = naming.path_name(sampled.location)
    folder = naming.landing_folder(path)
    if folder is not None:
        return folder if sampled.has_others else path
    name = sampled.location.rstrip("/").rpartition("/")[2]
    return "" if path.endswith(f"/{name}") else path


def sampled_of(root: ExecutionSummary, sampled: Mapping[int, str]) -> tuple[tuple[int, str], ...]:
    """Return (index in the plan's numbering, path) of the first attributes of relations with sampled files."""
    if not sampled or not root.summary.unbound:
        return ()
    found = enumerate(root.summary.ids)
    return tuple((index, sampled[expr_id]) for index, expr_id in found if expr_id in sampled)
