"""Bind attributes by column name if no plan of the log contains the query that produces them.

Some connectors read their rows from an RDD, for a MERGE or for writes to dynamic buckets. Only the names of the query's
output attributes and the tables that its jobs scan are in the log. An attribute with the name of a column of one of
these tables is bound to the column, `inferred`; so are the columns in the name that Spark generates for an unnamed
expression (`upper(customer)`). The rest of the query (filters, keys) is a gap, and so are columns without a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.catalog.application_facts import ScannedTable
from eventlog_lineage.datasets.naming import is_unnamed
from eventlog_lineage.lineage.statement import RddSource
from eventlog_lineage.model import INFERRED, OPAQUE, Dataset, Edge, Gap, GapReason, Transformation, merge
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import Derivation, constant, function_of
from eventlog_lineage.operators.derivations.functions import AGGREGATES, CHOICES, MASKS, TESTING
from eventlog_lineage.operators.flow import Flow, Output, Read, Write, has_gap
from eventlog_lineage.operators.operation import WIDER
from eventlog_lineage.operators.scans import FROM_METADATA, metadata_hint, source
from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan

_LONGEST = 500
"""Longest detail of a gap, in characters."""
_UNBOUND = "no plan in the log produces "
_EMPTIED = "the optimizer found that the query has no rows, and the plan has no source of "
_NO_ROWS = "no execution in the log has a plan for the rows of "
_AGGREGATED = re.compile(rf"\b(?:min|max|sum|avg)\([^()\n]*{ID}[^()\n]*\) AS [^,#\n]+{CAPTURED_ID}(?=[,\]])")


def with_gap(flow: Flow, unbound: Sequence[str], emptied: Collection[str] = ()) -> Flow:
    """Return a flow with a gap for its unbound attributes, if there are any.

    Args:
        emptied: Names of the columns of relations that the optimizer proved to be empty.
    """
    if not unbound:
        return flow
    names = ", ".join(unbound)
    operator, detail = "", f"{_UNBOUND}{names}"
    hint = "rows that the driver program creates have no source; write them to a table to give them one"
    if all(name in emptied for name in unbound):
        operator, detail = "LocalTableScan", f"{_EMPTIED}{names}"
        hint = (
            "nothing to do if it is meant to be empty (WHERE 1 = 0); spark.sql.ui.explainMode=extended prints the query"
        )
    return flow.with_gaps(Gap(GapReason.UNKNOWN_SOURCE, operator, detail[:_LONGEST], hint))


def lacks_rows(flow: Flow) -> bool:
    """Return whether no plan in the log produces an attribute of a flow."""
    return any(gap.detail.startswith(_UNBOUND) for gap in flow.gaps)


def missing_rows_gap(write: Write) -> Gap:
    """Return the gap of a write whose query is in no execution of the log."""
    names = ", ".join(write.names) or write.target.name
    return Gap(
        GapReason.UNKNOWN_SOURCE,
        write.node_name,
        f"{_NO_ROWS}{names}"[:_LONGEST],
        "Spark before 3.5 does not log the plan of a write through a connector's V1 fallback: "
        "set spark.sql.ui.explainMode=extended, or upgrade Spark",
    )


def metadata_gaps(texts: Sequence[PlanText], source: Flow, columns: Sequence[Output]) -> list[Gap]:
    """Return a gap for the columns that a command computes but whose values are literals in the plan of its rows.

    Delta's (4.x) and Iceberg's optimizers answer aggregates from metadata and keep the names of the query. A command
    that prints its query on one line shows them: `Aggregate [count(1) AS n#1L, max(id#3L) AS last#2L]`. The count of a
    column that is never NULL is a count of rows and depends on no column, nor does the aggregate of such a count.
    """
    literal = {each.expr_id: each.name for each in columns if each.expr_id >= 0 and each.derivation.is_literal}
    if not literal or has_gap(source.gaps, GapReason.UNKNOWN_SOURCE):
        return []
    computed = _aggregated_ids(texts)
    names = [name for expr_id, name in literal.items() if expr_id in computed]
    if not names:
        return []
    if has_gap(source.gaps, GapReason.TRUNCATED_FIELDS):
        detail = f"the columns of {', '.join(names)} are truncated"[:_LONGEST]
        return [Gap(GapReason.TRUNCATED_FIELDS, "Aggregate", detail, WIDER)]
    detail = f"{', '.join(names)}: {FROM_METADATA}"[:_LONGEST]
    return [Gap(GapReason.UNKNOWN_SOURCE, "LocalTableScan", detail, metadata_hint())]


def _aggregated_ids(texts: Sequence[PlanText]) -> set[int]:
    """Return the ids of aggregates in a command's line; logical plans contain the query."""
    physical = [each.text for each in texts if each.text.startswith("== Physical Plan ==\n")]
    return {int(expr_id) for text in physical for expr_id in _AGGREGATED.findall(text)}


def name_gaps(plans: Iterable[Plan], columns: Sequence[Output]) -> list[Gap]:
    """Return a gap for the columns of a query whose names can be read in two ways: `x AS y AS z#1`.

    Only a query's text lacks the evidence: a write, and each operator above, prints the name alone.
    """
    others = {
        expr_id: (plan.root.name, name)
        for plan in plans
        if plan.root is not None
        for expr_id, name in plan.other_names.items()
    }
    found = [(each.name, *others[each.expr_id]) for each in columns if each.expr_id in others]
    hint = "Spark quotes neither names nor literals; spark.sql.ui.explainMode=extended prints the names of the columns"
    return [
        Gap(GapReason.UNPARSED_EXPRESSION, operator, f"the name of {name} can also be {other}"[:_LONGEST], hint)
        for name, operator, other in found
        if name != other
    ]


def distinct_gaps(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Return the distinct gaps; the gap of a write without rows replaces those of its unbound attributes."""
    found = dict.fromkeys(gaps)
    if any(gap.detail.startswith(_NO_ROWS) for gap in found):
        return tuple(gap for gap in found if not gap.detail.startswith((_UNBOUND, _EMPTIED)))
    return tuple(found)


_HASH = re.compile(
    r"((?:\b[\w$]+\.)+[\w$]+?|\b[A-Z][\w$]*?)(?:\$\$Lambda\$\d+)?(?:/0x[0-9a-f]+)?@[0-9a-f]{1,8}(?![\w.@-])"
)


def without_hashes(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Return the gaps without objects' hash codes, which differ in each run: `org.example.Relation@30fd723`."""
    return tuple(
        dict.fromkeys(
            replace(gap, operator=_HASH.sub(r"\1", gap.operator), detail=_HASH.sub(r"\1", gap.detail)) for gap in gaps
        )
    )


def unnamed_source_gaps(edges: Iterable[Edge], gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Return a gap for rows of another execution whose source is unknown: only that execution has its own gap."""
    columns = {edge.source_column or "" for edge in edges if is_unnamed(edge.source_dataset or "")}
    if not columns or has_gap(gaps, GapReason.UNKNOWN_SOURCE):
        return ()
    detail = f"another execution reads {', '.join(sorted(columns))[:400]} from a source that it does not name"
    return (Gap(GapReason.UNKNOWN_SOURCE, "", detail, "see the gap of the execution that reads them"),)


_WORD = re.compile(r"(?<![\w.`])([A-Za-z_]\w*)(\s*\()?")
_NO_OFFSETS: Mapping[int, int] = {}
_AMBIGUOUS = CHOICES | TESTING | {"case", "over"}
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
    tables = dict.fromkeys(chain.from_iterable(rdds[expr_id].tables for expr_id in names))
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
    """
    found: dict[int, Derivation] = {}
    tables_with = Counter(chain.from_iterable(set(each.columns) for each in tables))
    bound = [(key, column) for key, output in anchors.items() if (column := output.derivation.column) is not None]
    for table in tables:
        named = {key: name for key, name in unbound.items() if name in table.columns and tables_with[name] == 1}
        known = {key: column.column for key, column in bound if column.dataset == table.name}
        for key in _of_table(table, named, known, id_offsets):
            found[key] = source(table.name, named[key], confidence=INFERRED)
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

    Returns:
        Those with the distance of the known ones; if none is known, the largest group of at least two; all without such
        a group.
    """

    def first_id(expr_id: int, name: str) -> int | None:
        return id_offsets[expr_id] - listed.index(name) if expr_id in id_offsets and name in listed else None

    certain = {first_id(*each) for each in known.items()} - {None}
    groups: dict[int | None, list[int]] = {}
    for expr_id, name in named.items():
        groups.setdefault(first_id(expr_id, name), []).append(expr_id)
    unclear = groups.pop(None, [])  # without a distance
    if certain:
        return list(chain.from_iterable(group for start, group in groups.items() if start in certain))
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
    found = [(word, table) for word, table in product(calls[False], tables) if word in table.columns]
    if not 0 < len(found) == len(dict(found)):
        return None
    kind = Transformation.AGGREGATION if functions & AGGREGATES else Transformation.TRANSFORMATION
    masking = bool(functions & (MASKS | {"count"}))
    values = (source(table.name, word, confidence=INFERRED).through(kind, masking=masking) for word, table in found)
    return Derivation(merge(values), (name,))
