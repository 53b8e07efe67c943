"""Bind attributes by column name if no plan of the log contains the query that produces them.

Some connectors read their rows from an RDD, for a MERGE or for writes to dynamic buckets. Only the names of the query's
output attributes and the tables that its jobs scan are in the log. An attribute with the name of a column of one of
these tables is bound to the column, `inferred`; so are the columns in the name that Spark generates for an unnamed
expression (`upper(customer)`). The rest of the query (filters, keys) is a gap.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.catalog.session_catalog import ScannedTable
from eventlog_lineage.lineage.statement import RddSource
from eventlog_lineage.model import Dataset, Gap, GapReason, Transformation
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import INFERRED, OPAQUE, Derivation, constant, function_of, merge
from eventlog_lineage.operators.derivations.functions import AGGREGATES, CHOICES, MASKS
from eventlog_lineage.operators.flow import Flow, Output, Read
from eventlog_lineage.operators.scans import source

_WORD = re.compile(r"(?<![\w.`])([A-Za-z_]\w*)(\s*\()?")
_NO_OFFSETS: Mapping[int, int] = {}
_AMBIGUOUS = CHOICES | {"case", "if", "over"}
"""Words of expressions whose name does not show which columns only influence the value."""
_HINT = (
    "the connector takes these rows through an RDD, and formatted plan text does not have the query: "
    "set spark.sql.ui.explainMode=extended to resolve the next run completely"
)
_MERGE_HINT = (
    "the connector takes these rows through an RDD, and the command does not print the query: set "
    "spark.sql.ui.explainMode=extended and collect the statement's result, whose plan text has the query (spark-sql, "
    "Thrift servers and notebooks collect it), to resolve the next run completely"
)


_RDD_HINT = (
    "jobs of RDDs show the names of tables, the format of files, and nothing of broadcast rows: use the functions of "
    "DataFrames instead of those of RDDs"
)


@dataclass(frozen=True, slots=True)
class NameMatches:
    """Bindings of attributes by their names.

    Attributes:
        bindings: Attribute id to the bound value.
        reads: The tables that the jobs scan.
        gaps: What is unknown about the query; empty if nothing was left to bind.
    """

    bindings: dict[int, Output]
    reads: tuple[Read, ...]
    gaps: tuple[Gap, ...]


def bind_by_name(
    flow: Flow, bindings: Bindings, tables: Sequence[ScannedTable], id_offsets: Mapping[int, int] = _NO_OFFSETS
) -> tuple[Flow, tuple[str, ...]]:
    """Bind a flow's unbound attributes by bindings of other plans, and the others by their names.

    Args:
        tables: The tables that the statement's jobs scan; empty to match no names.
        id_offsets: Attribute id to its distance from the first one in the statement's own run (a stored text may come
            from another run).

    Returns:
        The flow, and the names of the attributes that are still unbound and in no gap of the flow.
    """
    unbound = {expr_id: name for expr_id, name in unbound_attributes(flow.values).items() if expr_id not in bindings}
    found = match_names(unbound, tables, bindings, id_offsets, flow.command)
    bound, missing = bind_links(flow, {**found.bindings, **bindings})
    return (_with_reads(bound, found), ()) if found.reads else (bound, missing)


def bind_rdds(flow: Flow, rdds: Mapping[int, RddSource], bindings: Bindings) -> tuple[Flow, Bindings]:
    """Bind attributes that hold rows of an RDD: each depends on all tables that the RDD is made of, `opaque`.

    Args:
        bindings: Bindings of other plans, which are more exact.

    Returns:
        The flow, with reads of the tables and a gap for the other scans; the bindings with those of the attributes.
    """
    unbound = unbound_attributes(flow.values) if rdds else {}
    names = {expr_id: name for expr_id, name in unbound.items() if expr_id in rdds and expr_id not in bindings}
    if not names:
        return flow, bindings
    added = {expr_id: Output(name, expr_id, _of_rdd(rdds[expr_id])) for expr_id, name in names.items()}
    tables = dict.fromkeys(table for expr_id in names for table in rdds[expr_id].tables)
    reads = tuple(Read(Dataset(name, "table", file_format), (), "RDD") for name, file_format in tables)
    gaps = tuple(dict.fromkeys(filter(None, (_unnamed_gap(rdds[expr_id], names, rdds) for expr_id in names))))
    return flow.with_reads(*reads).with_gaps(*gaps), {**added, **bindings}


def _of_rdd(rdd: RddSource) -> Derivation:
    """Return a value that depends on tables as a whole: the job shows no columns."""
    tables = [source(name, "") for name, _ in rdd.tables]
    return function_of("rdd", tables, confidence=OPAQUE) if tables else constant("rdd")


def _unnamed_gap(rdd: RddSource, names: Mapping[int, str], rdds: Mapping[int, RddSource]) -> Gap | None:
    unknown = [*rdd.unnamed, *(["broadcast rows of other scans"] if rdd.is_partial else [])]
    if not unknown:
        return None
    columns = ", ".join(name for expr_id, name in names.items() if rdds[expr_id] is rdd)
    detail = f"{columns}: rows of an RDD, made of {' and '.join(unknown)}"
    return Gap(GapReason.UNKNOWN_SOURCE, "Scan ExistingRDD", detail[:500], _RDD_HINT)


def match_names(
    unbound: Mapping[int, str],
    tables: Sequence[ScannedTable],
    anchors: Bindings,
    id_offsets: Mapping[int, int],
    operator: str,
) -> NameMatches:
    """Bind attributes by their names.

    Args:
        unbound: Attribute id to name, of the attributes that no plan binds.
        tables: The tables that the statement's jobs scan; a MERGE's target only if it is its own source.
        anchors: Attributes of the statement that other plans bind. The attributes of a relation have consecutive ids
            (`DataSourceV2Relation.create`, `LogicalRelation.apply`): the distance to an anchor shows whether an
            attribute is the column itself.
        id_offsets: As in `bind_by_name`.
    """
    if not unbound or not tables:
        return NameMatches({}, (), ())
    bindings: dict[int, Output] = {}
    columns = _columns(unbound, tables, anchors, id_offsets)
    for expr_id, name in unbound.items():
        derivation = columns.get(expr_id) or _expression(name, tables)
        if derivation is not None:
            bindings[expr_id] = Output(name, expr_id, derivation)
    reads = tuple(Read(Dataset(each.name, "table", each.format), (), operator) for each in tables)
    matched = [unbound[expr_id] for expr_id in bindings]
    rest = [name for expr_id, name in unbound.items() if expr_id not in bindings]
    return NameMatches(bindings, reads, _gaps(matched, rest, tables, operator))


def _gaps(
    matched: Sequence[str], unbound: Sequence[str], tables: Sequence[ScannedTable], operator: str
) -> tuple[Gap, ...]:
    """Return the gaps for attributes that are matched by name, and for those that are not."""
    scanned = " and ".join(each.name for each in tables)
    hint = _MERGE_HINT if operator.startswith("Merge") else _HINT
    details = (
        (matched, f"matched by column name against {scanned}; filters and keys are unknown"),
        (unbound, f"no plan has the query; the jobs scan {scanned}"),
    )
    found = (f"{', '.join(sorted(names))}: {text}"[:500] for names, text in details if names)
    return tuple(Gap(GapReason.UNKNOWN_SOURCE, operator, detail, hint) for detail in found)


def _with_reads(flow: Flow, found: NameMatches) -> Flow:
    """Return the flow with reads of the scanned tables and of the matched columns."""
    columns: dict[str, list[str]] = {}
    for output in found.bindings.values():
        for origin, _ in output.derivation.sources:
            columns.setdefault(origin.dataset, []).append(origin.column)
    reads = tuple(replace(read, columns=tuple(columns.get(read.dataset.name, ()))) for read in found.reads)
    return flow.with_reads(*reads).with_gaps(*found.gaps)


def unbound_attributes(derivations: Iterable[Derivation]) -> dict[int, str]:
    """Return the unbound attributes of derivations: id to name."""
    return {origin.attribute: origin.column for each in derivations for origin, _ in each.sources if not origin.dataset}


def _columns(
    unbound: Mapping[int, str], tables: Sequence[ScannedTable], anchors: Bindings, id_offsets: Mapping[int, int]
) -> dict[int, Derivation]:
    """Return the attributes that are columns of a table, by their ids.

    Any other attribute is computed, and may have the name of a column that it does not depend on: `max(a) AS b`.

    Args:
        anchors: As in `match_names`.
        id_offsets: As in `bind_by_name`.
    """
    found: dict[int, Derivation] = {}
    tables_with = Counter(name for each in tables for name in set(each.columns))
    bound = [(key, column) for key, output in anchors.items() if (column := output.derivation.column) is not None]
    for table in tables:
        named = {key: name for key, name in unbound.items() if name in table.columns and tables_with[name] == 1}
        known = {key: column.column for key, column in bound if column.dataset == table.name}
        matched = _of_table(table, named, known, id_offsets)
        found |= {key: source(table.name, named[key], confidence=INFERRED) for key in matched}
    return found


def _of_table(
    table: ScannedTable, named: Mapping[int, str], known: Mapping[int, str], id_offsets: Mapping[int, int]
) -> Collection[int]:
    """Return the attributes that are columns of a table, as `_of_relation` does for one list of its columns."""
    if not table.column_lists and not known:
        return named.keys()  # reads list columns in any order
    lists = table.column_lists or (table.columns,)
    return next(filter(None, (_of_relation(each, named, known, id_offsets) for each in lists)), [])


def _of_relation(
    listed: Sequence[str], named: Mapping[int, str], known: Mapping[int, str], id_offsets: Mapping[int, int]
) -> list[int]:
    """Return the attributes whose ids do not show that they are computed.

    The ids of a relation's attributes differ as the positions of their columns.

    Args:
        named: Attribute id to name, of those that may be columns of the table.
        id_offsets: As in `bind_by_name`.

    Returns:
        Those with the distance of the known ones; if none is known, the largest group of at least two; all without such
        a group.
    """

    def first_id(expr_id: int, name: str) -> int | None:
        return id_offsets[expr_id] - listed.index(name) if expr_id in id_offsets and name in listed else None

    certain = {first_id(*each) for each in known.items()} - {None}
    groups: dict[int, list[int]] = {}
    unclear: list[int] = []  # without a distance
    for expr_id, name in named.items():
        start = first_id(expr_id, name)
        (unclear if start is None else groups.setdefault(start, [])).append(expr_id)
    if certain:
        return [expr_id for start, group in groups.items() if start in certain for expr_id in group]
    largest = max(map(len, groups.values()), default=0)
    found = [group for group in groups.values() if len(group) == largest]
    return [*unclear, *found[0]] if largest > 1 and len(found) == 1 else list(named)


def _expression(name: str, tables: Sequence[ScannedTable]) -> Derivation | None:
    """Return the value of an expression that Spark named by its text (`toPrettySQL`): `upper(customer)`."""
    calls: dict[bool, dict[str, None]] = {True: {}, False: {}}
    for match in _WORD.finditer(name):
        calls[bool(match[2])][match[1]] = None
    functions = {word.lower() for word in calls[True]}
    if "(" not in name or _AMBIGUOUS & functions.union(map(str.lower, calls[False])):
        return None
    found = [(word, table) for word in calls[False] for table in tables if word in table.columns]
    if len(found) != len(dict(found)) or not found:
        return None
    values = [source(table.name, word, confidence=INFERRED) for word, table in found]
    kind = Transformation.AGGREGATION if functions & AGGREGATES else Transformation.TRANSFORMATION
    masking = bool(functions & (MASKS | {"count"}))
    return Derivation(merge(value.through(kind, masking=masking) for value in values), (name,))
