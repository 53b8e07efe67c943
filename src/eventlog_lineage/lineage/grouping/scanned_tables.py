"""Find the tables that the jobs of a statement scan, with the columns that the application's plans list.

Some connectors read their rows from RDDs. The scopes of an RDD name the scans that it is made from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import formats
from eventlog_lineage.lineage.statement import ScannedTable
from eventlog_lineage.plan.summary.plan_facts import TableColumns
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

_SCAN = re.compile(r"^(?:Batch)?Scan (\w+ )?([\w-]+(?:\.[\w$-]+)+)$")


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
