"""Rules for Lance's tables and commands (lance-spark 0.4.0)."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Command, commands_of
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Condition, Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator, refines
from eventlog_lineage.operators.rules.no_lineage import no_lineage
from eventlog_lineage.operators.rules.table_scans import batch_scan
from eventlog_lineage.operators.scans import filters_on
from eventlog_lineage.operators.write_targets import catalog_name, row_columns
from eventlog_lineage.plan.grammar.symbols import EMPTY
from eventlog_lineage.plan.printed.formatted import DESCRIPTION

COMMANDS = (Command("AddColumnsBackfill", "update"), *commands_of("AddIndex Optimize Vacuum", "maintenance"))


_PACKAGE = "org.lance.spark."
_SCAN = re.compile(r"^limit: Optional\b.*\bpushedAggregation: ", re.DOTALL)
"""The description of a scan in formatted text."""
_UNDESCRIBED = f"class {_PACKAGE}read.LanceScan"
"""The description in tree strings (`Scan.description`, which `LanceScan` does not override)."""
_FILTERS_HINT = "set spark.sql.ui.explainMode=formatted: its text has the filters that a scan of Lance applies"
_FOLDER = re.compile(r"^[0-9a-f]{8}_(?P<name>.+)$")
"""A table's folder in a catalog of folders, the name of a scan: `4c3f7e4b_shop$orders` is `shop.orders`."""
_WHERE = re.compile(r"\bwhereConditions: Optional\[(.*?)\](?:\n|$)", re.DOTALL)
_PREDICATE = re.compile(r"\((?!NOT )(\w+(?:\.\w+)*) (?!IS NOT NULL\))")
_BACKFILL = f"{_PACKAGE}write.AddColumnsBackfillWrite@"


def name_source(op: Operation) -> Dataset | None:
    """Return the table of a scan; a scan of a path prints only the last part of the path."""
    described = op.node.text(DESCRIPTION)
    if op.node.operator != "BatchScan" or not (_SCAN.match(described) or described == _UNDESCRIBED):
        return None
    return name_table(op, op.node.argument) or Dataset(f"lance:{op.node.argument}", "other", "lance")


def owns_write(op: Operation) -> bool:
    """Return whether a write uses Lance's connector: `org.lance.spark.write.SparkPositionDeltaWrite@60df49d5`."""
    return _PACKAGE in op.node.text("Arguments")


def name_table(op: Operation, name: str) -> Dataset | None:
    """Return the table of a folder in the only Lance catalog; None for other names."""
    match = _FOLDER.match(name)
    if match is None:
        return None
    catalogs = [catalog for word, catalog in op.plan.catalogs.items() if word.startswith(_PACKAGE) and catalog]
    catalog = catalogs[0] if len(catalogs) == 1 else naming.SESSION_CATALOG
    quoted = ".".join(f"`{word}`" for word in match["name"].split("$"))
    return Dataset(naming.name_in_catalog(quoted, catalog), "table", "lance")


def scan_conditions(op: Operation, dataset: Dataset) -> list[Condition]:
    """Return the filters that a scan applies: `whereConditions: Optional[(op IS NOT NULL) AND (op == 'i')]`."""
    match = _WHERE.search(op.node.text(DESCRIPTION))
    return filters_on(dataset, _PREDICATE.findall(match[1]), match[1]) if match and dataset.format == "lance" else []


@refines("BatchScan")
def scan_without_filters(op: Operation) -> Flow | None:
    """Report that the filters of a scan are unknown if it prints none; the query's logical plan may have them."""
    if op.node.text(DESCRIPTION) != _UNDESCRIBED:
        return None
    op.gap(GapReason.UNKNOWN_SOURCE, f"the filters of {op.node.name}", _FILTERS_HINT)
    return batch_scan(op)


@operator("AddColumnsBackfill")
def add_columns(op: Operation) -> Flow:
    """Fill new columns by a query, which runs in a nested execution.

    `Arguments: <CatalogClass>@hash, shop.orders, [tag], Project [_rowaddr#1L, _fragid#2, upper(name#3) AS tag#4]`
    """
    return _write(op, None, next(iter(op.node.lists), EMPTY).items)


@refines("AppendData")
def backfilled_rows(op: Operation) -> Flow | None:
    """Return the new columns of a backfill, without the columns that identify rows."""
    if _BACKFILL not in op.node.text("Arguments"):
        return None
    below = op.input
    return below.with_outputs(output for output in below.outputs if output.name not in row_columns())


@operator("Optimize", "Vacuum", "AddIndex")
def maintain(op: Operation) -> Flow:
    """Maintain a table: `Arguments: <CatalogClass>@hash, shop.orders`."""
    return _write(op, ())


operator("ShowIndexes")(no_lineage)


def _write(op: Operation, columns: tuple[()] | None, names: tuple[str, ...] = ()) -> Flow:
    """Return the flow of a command whose arguments begin with its catalog and its table.

    Args:
        columns: The columns with their derivations, if it prints them.
        names: The columns, if it prints only their names.
    """
    catalog, name = [*op.node.arguments[:2], "", ""][:2]
    if not name or "@" not in catalog:
        return op.unknown_target()
    full = naming.name_in_catalog(name, catalog_name(op, catalog.partition("@")[0]))
    return op.writes(Write(Dataset(full, "table", "lance"), op.mode, columns, names))
