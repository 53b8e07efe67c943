"""Find what a statement reads and its plans do not print: the tables that its jobs scan, the paths of CSV files.

Some connectors read their rows from RDDs. The scopes of an RDD name the scans that it is made from. Logical plans print
relations of files without a path; the query that read the header of a CSV file has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.landing import DEFAULT_LANDING_FILES, landing_folder
from eventlog_lineage.extensions import formats
from eventlog_lineage.lineage.statement import ScannedTable
from eventlog_lineage.plan.summary.plan_facts import SampledFile, TableColumns
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

from .execution_summary import ExecutionSummary

_SCAN = re.compile(r"^(?:Batch)?Scan (\w+ )?([\w-]+(?:\.[\w$-]+)+)$")
_LANDING = re.compile(DEFAULT_LANDING_FILES)
_ID_DISTANCE = 17
"""Distance from the id of the line's attribute to that of the relation's first one (`DataFrameReader.csv`, 3.5)."""


def listed_columns(summaries: Iterable[PlanSummary]) -> dict[str, ScannedTable]:
    """Return the columns of tables, by the tables' names as printed.

    Args:
        summaries: Of an application's plans.
    """
    some: dict[str, dict[str, None]] = {}
    complete: dict[str, dict[tuple[str, ...], None]] = {}
    for summary in summaries:
        for fact in summary.facts:
            if isinstance(fact, TableColumns):
                some.setdefault(fact.table, {}).update(dict.fromkeys(fact.columns))
                if fact.is_complete:
                    complete.setdefault(fact.table, {})[fact.columns] = None
    return {name: ScannedTable(name, "", tuple(some[name]), tuple(complete.get(name, ()))) for name in some}


def scanned_tables(
    scans: Iterable[str], known: Mapping[str, ScannedTable], catalogs: Mapping[str, str]
) -> tuple[ScannedTable, ...]:
    """Return the tables that scans among a statement's RDDs read, in the order of their names.

    Args:
        scans: Names of operators: `Scan HudiFileGroup spark_catalog.shop.updates`, `BatchScan shop.updates`.
        known: The result of `listed_columns`.
        catalogs: `CatalogSettings.catalogs`.
    """
    found: dict[str, ScannedTable] = {}
    for scan in scans:
        match = _SCAN.match(scan)
        if match is None:
            continue
        table = known.get(match[2], ScannedTable(match[2], ""))
        named = next(filter(None, (each.name_scan(scan, catalogs) for each in formats())), None)
        name, format_name = named or (naming.table_name(match[2]), (match[1] or "").strip().lower())
        found[name] = replace(table, name=name, format=format_name)
    return tuple(found[name] for name in sorted(found))


def sampled_files(executions: Iterable[ExecutionSummary]) -> dict[int, str]:
    """Return the paths of the relations whose header an execution read, by the id of the relation's first attribute.

    Ids are unique in an application and grow: only the relation that the same call creates is at this distance.

    Args:
        executions: Of one application attempt.
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
        root: The statement's root execution.
        sampled: The result of `sampled_files`.
    """
    if not sampled or not root.summary.unbound:
        return ()
    found = enumerate(root.summary.ids)
    return tuple((index, sampled[expr_id]) for index, expr_id in found if expr_id in sampled)
