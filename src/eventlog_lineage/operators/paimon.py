"""Paimon's tables, which plans print without their catalog, and its scans' words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, Transformation
from eventlog_lineage.plan.formatted.detail_fields import DESCRIPTION
from eventlog_lineage.plan.summary.paimon_facts import SAME_ROWS

from .flow import Condition
from .operation import Operation
from .scans import source

PRINTED_OBJECT = "FileStoreTable@"
"""What the text has of a table that it prints as an object only."""

_SCAN = re.compile(r"^Paimon\w*Scan$")
_SCAN_LINE = re.compile(r"^Paimon\w*Scan: (.*)$", re.DOTALL)
"""The same where an operator is one line."""
_SCANNED = re.compile(r"^\[([^\]]+)\]")
_PARTITIONS = re.compile(r"\b(?:Partition|Pushed)Filters: \[(.*?)\](?:, \w+: |$)", re.DOTALL)
_PREDICATE = re.compile(r"\b(?!(?:And|Or|Not|IsNotNull)\()[A-Z]\w*\(([A-Za-z_][\w.]*)[,)]")
_STORE = re.compile(r"^\w+(?:FileStore|Format|Object)?Table\[([\w$.`-]+)\]$")
_RELATION = re.compile(r"^RelationV2\[[^\]]*\] ([\w.$`-]+)")


def paimon_catalog(catalogs: Mapping[str, str]) -> str:
    """The name of the one Paimon catalog; the session catalog's where there is none, or several."""
    names = [name for word, name in catalogs.items() if ".paimon." in word]
    return names[0] if len(names) == 1 else naming.SESSION_CATALOG


def scanned_table(at: Operation) -> Dataset | None:
    """The table of a scan: `BatchScan shop.orders`, or the bare name of its description (`BaseScan`, 1.x).

    Args:
        at: The scan, with `PaimonScan: [orders], DataFilters: […]` below its output.

    Returns:
        None for scans of other connectors, and for a name without its database that no plan of the application has
        with one.
    """
    match = _SCANNED.match(_described(at))
    return table(at, at.node.argument or match[1]) if match else None


def table(at: Operation, name: str) -> Dataset | None:
    """The dataset of `shop.orders`, `orders$audit_log` …; None for a bare name that is not known."""
    words = naming.split_name(name)
    if not words:
        return None
    words[-1] = SAME_ROWS.sub("", words[-1])
    if len(words) == 1:
        known = at.plan.tables.of_bare(words[0])
        words = naming.split_name(known) if known else []
    if not words:
        return None
    quoted = ".".join(f"`{word}`" for word in words)
    full = naming.table_name(quoted, catalog=paimon_catalog(at.plan.catalogs))
    return Dataset(full, "table", "paimon")


def unnamed_table(at: Operation) -> Dataset | None:
    """The dataset of a table that is printed as an object only; None if no plan of the application names it."""
    return table(at, at.plan.tables.unnamed)


def written_table(at: Operation, text: str) -> Dataset | None:
    """The table of `PrimaryKeyFileStoreTable[shop.orders]`, or of `RelationV2[id#1L, …] lake.shop.orders shop.orders`.

    Source: Paimon's `BaseTable.toString` of V1 writes, `DataSourceV2Relation.simpleString` of commands (1.4). Up to 0.9
    it is `SparkTable(org.apache.paimon.table.PrimaryKeyFileStoreTable@73396bdc)`: another plan may have named it.
    """
    if PRINTED_OBJECT in text and not text.startswith("RelationV2["):
        return unnamed_table(at)
    match = _STORE.match(text) or _RELATION.match(text)
    return table(at, match[1]) if match else None


def partition_conditions(at: Operation, dataset: Dataset) -> list[Condition]:
    """The filters that a scan settles alone: `PaimonScan: [orders], PartitionFilters: [Equal(day, 1)]`.

    Up to 1.3 they are all `PushedFilters`; those that a filter above repeats are the query's as well.
    """
    match = _PARTITIONS.search(_described(at))
    names = predicate_columns(match[1]) if match else ()
    return [Condition(source(dataset.name, name), Transformation.FILTER) for name in names]


def predicate_columns(text: str) -> tuple[str, ...]:
    """The columns of `And(Equal(day, 2026-11-03), In(id, [1, 2]))`; that one is not null says nothing of its own."""
    return tuple(dict.fromkeys(_PREDICATE.findall(text)))


def _described(at: Operation) -> str:
    labelled = next((field.text for label, field in at.node.fields.items() if _SCAN.match(label)), "")
    match = None if labelled else _SCAN_LINE.match(at.node.text(DESCRIPTION))
    return match[1] if match else labelled
