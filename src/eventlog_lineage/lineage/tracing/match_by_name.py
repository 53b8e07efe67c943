"""The query of a connector's own RDD is in no plan of the log: the scans among the RDD's scopes tell its tables.

Hudi's MERGE and Paimon's writes by dynamic buckets take their rows through RDDs. What is left of the query is the names
of the attributes that it gives, and the tables that its jobs scan: an attribute that is called like a column of one of
them is taken for it, `inferred`, and so are those in the name that Spark gives to an expression without one
(`upper(customer)`). What the query does beyond that is a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import formats
from eventlog_lineage.lineage.statement import ScannedTable
from eventlog_lineage.model import Dataset, Gap, GapReason, Transformation
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import INFERRED, Derivation, merge
from eventlog_lineage.operators.derivations.functions import AGGREGATES, CHOICES, MASKS
from eventlog_lineage.operators.flow import Flow, Output, Read
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.summary.plan_facts import TableColumns
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

_WORD = re.compile(r"(?<![\w.`])([A-Za-z_]\w*)(\s*\()?")
_SCAN = re.compile(r"^(?:Batch)?Scan (\w+ )?([\w-]+(?:\.[\w$-]+)+)$")
_NO_ROW: Mapping[int, int] = {}
_UNTOLD = CHOICES | {"case", "if", "over"}
"""Words of expressions whose kinds of influence a name does not tell."""
_HINT = (
    "the connector takes these rows through an RDD, and formatted plan text does not have the query: "
    "set spark.sql.ui.explainMode=extended to resolve the next run completely"
)
_MERGE_HINT = (
    "the connector takes these rows through an RDD, and the command does not print the query: set "
    "spark.sql.ui.explainMode=extended and collect the statement's result, whose plan text has the query (spark-sql, "
    "Thrift servers and notebooks collect it), to resolve the next run completely"
)


@dataclass(frozen=True, slots=True)
class ByName:
    """What the names of attributes come to.

    Attributes:
        known: Attribute id to its value.
        reads: The tables that the jobs scan.
        gaps: What the query does beyond that; none where there is nothing to tell.
    """

    known: dict[int, Output]
    reads: tuple[Read, ...]
    gaps: tuple[Gap, ...]


def listed_columns(summaries: Iterable[PlanSummary]) -> dict[str, ScannedTable]:
    """Table as printed to what an application's plans show of it.

    Args:
        summaries: Of the plans.
    """
    some: dict[str, dict[str, None]] = {}
    whole: dict[str, dict[tuple[str, ...], None]] = {}
    for head in summaries:
        for fact in head.facts:
            if isinstance(fact, TableColumns):
                some.setdefault(fact.table, {}).update(dict.fromkeys(fact.columns))
                if fact.is_complete:
                    whole.setdefault(fact.table, {})[fact.columns] = None
    return {name: ScannedTable(name, "", tuple(some[name]), tuple(whole.get(name, ()))) for name in some}


def scanned_tables(
    scans: Iterable[str], known: Mapping[str, ScannedTable], catalogs: Mapping[str, str]
) -> tuple[ScannedTable, ...]:
    """The tables of the scans among a statement's RDDs, in the order of their names.

    Args:
        scans: As their operators are called: `Scan HudiFileGroup spark_catalog.shop.updates`, `BatchScan shop.updates`.
        known: What `listed_columns` gives.
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


def bind_by_name(
    flow: Flow, known: Bindings, tables: Sequence[ScannedTable], row: Mapping[int, int] = _NO_ROW
) -> tuple[Flow, tuple[str, ...]]:
    """Explains a flow's open attributes by what is known of them, the rest by their names.

    Args:
        flow: Of a statement's command.
        known: What other plans say.
        tables: What the statement's jobs scan; empty where names tell nothing.
        row: Attribute id to its distance from a known column of a table, of the statement's own run: a text may be that
            of another run. Only of those that are near enough to be columns of the same relation.

    Returns:
        The flow, and the names of the attributes that nothing explains and no gap of the flow tells.
    """
    columns = (flow.write.columns or ()) if flow.write else ()
    derivations = [each.derivation for each in (*flow.outputs, *columns)]
    derivations += [each.derivation for each in flow.conditions]
    opened = {number: name for number, name in unbound_attributes(derivations).items() if number not in known}
    found = match_names(opened, tables, known, row, flow.command)
    explained, unexplained = bind_links(flow, {**found.known, **known})
    return (with_reads(explained, found), ()) if found.reads else (explained, unexplained)


def match_names(
    opened: Mapping[int, str], tables: Sequence[ScannedTable], anchors: Bindings, row: Mapping[int, int], operator: str
) -> ByName:
    """Explains attributes by their names.

    Args:
        opened: Attribute id to name, of those that no plan explains.
        tables: What the statement's jobs scan; a MERGE's target only where it is its own source.
        anchors: Attributes of the statement that other plans explain: a relation's attributes have ids in a row
            (`DataSourceV2Relation.create`, `LogicalRelation.apply`), so that these tell whether one is a column's own.
        row: As in `bind_by_name`.
        operator: The command.
    """
    if not opened or not tables:
        return ByName({}, (), ())
    known: dict[int, Output] = {}
    for number, name in opened.items():
        derivation = _column(name, number, tables, anchors, row) or _expression(name, tables)
        if derivation is not None:
            known[number] = Output(name, number, derivation)
    reads = tuple(Read(Dataset(each.name, "table", each.format), (), operator) for each in tables)
    matched = [opened[number] for number in known]
    unbound = [name for number, name in opened.items() if number not in known]
    return ByName(known, reads, _gaps(matched, unbound, tables, operator))


def _gaps(
    matched: Sequence[str], unbound: Sequence[str], tables: Sequence[ScannedTable], operator: str
) -> tuple[Gap, ...]:
    """Return the gaps for attributes that are matched by name, and for those that are not."""
    scanned = " and ".join(each.name for each in tables)
    hint = _MERGE_HINT if operator.startswith("Merge") else _HINT
    found = ", ".join(sorted(matched))
    rest = ", ".join(sorted(unbound))
    gaps = []
    if found:
        detail = f"{found}: matched by column name against {scanned}; filters and keys are unknown"
        key = f"{found}: told by name, of {scanned}; nothing tells the query's filters and keys"
        gaps.append(Gap(GapReason.UNKNOWN_SOURCE, operator, detail[:500], hint, key[:500]))
    if rest:
        detail = f"{rest}: no plan has the query; the jobs scan {scanned}"
        key = f"{rest}: the query is in no plan; its jobs scan {scanned}"
        gaps.append(Gap(GapReason.UNKNOWN_SOURCE, operator, detail[:500], hint, key[:500]))
    return tuple(gaps)


def with_reads(flow: Flow, found: ByName) -> Flow:
    """The flow, reading what the jobs scan, with the columns that names tell."""
    columns: dict[str, list[str]] = {}
    for output in found.known.values():
        for origin, _ in output.derivation.sources:
            columns.setdefault(origin.dataset, []).append(origin.column)
    reads = tuple(replace(read, columns=tuple(columns.get(read.dataset.name, ()))) for read in found.reads)
    return replace(flow, reads=(*flow.reads, *reads), gaps=(*flow.gaps, *found.gaps))


def unbound_attributes(derivations: Iterable[Derivation]) -> dict[int, str]:
    """Attribute id to name, of those that derivations leave open."""
    return {origin.attribute: origin.column for each in derivations for origin, _ in each.sources if not origin.dataset}


def _column(
    name: str, number: int, tables: Sequence[ScannedTable], anchors: Bindings, row: Mapping[int, int]
) -> Derivation | None:
    """The column of the one table that has it; computed where the attributes that are known have other ids."""
    found = [table for table in tables if name in table.columns]
    if len(found) != 1:
        return None
    table = found[0]
    value = source(table.name, name, confidence=INFERRED)
    return value if _is_own(name, number, table, anchors, row) else _through(value, Transformation.TRANSFORMATION, name)


def _is_own(name: str, number: int, table: ScannedTable, anchors: Bindings, row: Mapping[int, int]) -> bool:
    """Does the attribute's id stand to those of the table's known columns as their places do?"""
    columns = [
        (row[known], output.derivation.column.column)
        for known, output in anchors.items()
        if known in row and output.derivation.column is not None and output.derivation.column.dataset == table.name
    ]
    lists = [whole for whole in table.whole if name in whole and any(column in whole for _, column in columns)]
    return not lists or any(
        number in row and row[number] - place == whole.index(name) - whole.index(column)
        for whole in lists
        for place, column in columns
        if column in whole
    )


def _expression(name: str, tables: Sequence[ScannedTable]) -> Derivation | None:
    """An expression that Spark named by its text (`toPrettySQL`): `upper(customer)`, `(amount * 2)`."""
    words = [(match[1], bool(match[2])) for match in _WORD.finditer(name)]
    functions = {word.lower() for word, is_call in words if is_call}
    if "(" not in name or _UNTOLD & {word.lower() for word, _ in words}:
        return None
    values = []
    for word in dict.fromkeys(word for word, is_call in words if not is_call):
        found = [table for table in tables if word in table.columns]
        values += [source(table.name, word, confidence=INFERRED) for table in found]
        if len(found) > 1:
            return None
    if not values:
        return None
    kind = Transformation.AGGREGATION if functions & AGGREGATES else Transformation.TRANSFORMATION
    masking = bool(functions & (MASKS | {"count"}))
    sources = merge(value.through(kind, masking=masking) for value in values)
    return Derivation(sources, (name,))


def _through(value: Derivation, kind: Transformation, name: str) -> Derivation:
    return Derivation(value.through(kind), (f"… ({name})",))
