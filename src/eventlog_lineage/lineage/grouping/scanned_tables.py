"""Find what a statement reads and its plans do not print: the tables that its jobs scan, the paths of CSV files.

Some connectors read their rows from RDDs. The scopes of an RDD name the scans that it is made from. Logical plans print
relations of files without a path; the query that read the header of a CSV file has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.catalog.execution_summary import ExecutionSummary
from eventlog_lineage.catalog.session_catalog import ScannedTable
from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.locations import DEFAULT_LANDING_FILES, landing_folder
from eventlog_lineage.events.job_facts import RddRows
from eventlog_lineage.extensions import formats
from eventlog_lineage.lineage.statement import RddSource
from eventlog_lineage.plan.summary.plan_facts import SampledFile
from eventlog_lineage.plan.summary.scan_facts import RowScan

_SCAN = re.compile(r"^(?:Batch)?Scan (\w+ )?([\w-]+(?:\.[\w$-]+)+)$")
_LANDING = re.compile(DEFAULT_LANDING_FILES)
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
        match = _SCAN.match(scan)
        if match is None:
            continue
        table = known.get(match[2], ScannedTable(match[2], ""))
        named = next(filter(None, (each.tables.scanned(scan, catalogs) for each in formats())), None)
        name, format_name = named or (naming.table_name(match[2]), (match[1] or "").strip().lower())
        found[name] = replace(table, name=name, format=format_name)
    return tuple(found[name] for name in sorted(found))


def rdd_sources(members: Sequence[ExecutionSummary], catalogs: Mapping[str, str]) -> tuple[RddSource, ...]:
    """Return the scans whose rows a statement reads from RDDs outside Spark SQL.

    Formatted text prints the number of the RDD, and the job has the RDDs that it is made of. Other texts print none:
    the rows are then those of all such RDDs of the jobs.

    Args:
        catalogs: `CatalogSettings.catalogs`.
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
        unnamed = tuple(each for each in rows.scans if _SCAN.match(each) is None)
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
    folder = landing_folder(path, _LANDING)
    if folder is not None:
        return folder if sampled.has_others else path
    name = sampled.location.rstrip("/").rpartition("/")[2]
    return "" if path.endswith(f"/{name}") else path


def sampled_of(root: ExecutionSummary, sampled: Mapping[int, str]) -> tuple[tuple[int, str], ...]:
    """Return (index in the plan's numbering, path) of the first attributes of relations with sampled files.

    Args:
        sampled: The result of `sampled_files`.
    """
    if not sampled or not root.summary.unbound:
        return ()
    found = enumerate(root.summary.ids)
    return tuple((index, sampled[expr_id]) for index, expr_id in found if expr_id in sampled)
