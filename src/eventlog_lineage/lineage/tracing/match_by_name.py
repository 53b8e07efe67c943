"""Bind attributes by column name if no plan of the log contains the query that produces them.

Some connectors read their rows from an RDD, for a MERGE or for writes to dynamic buckets. Only the names of the query's
output attributes and the tables that its jobs scan are in the log. An attribute with the name of a column of one of
these tables is bound to the column, `inferred`; so are the columns in the name that Spark generates for an unnamed
expression (`upper(customer)`). The rest of the query (filters, keys) is a gap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.lineage.statement import ScannedTable
from eventlog_lineage.model import Dataset, Gap, GapReason, Transformation
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import INFERRED, Derivation, merge
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
        flow: The flow of a statement's command.
        bindings: Attributes that other plans bind.
        tables: The tables that the statement's jobs scan; empty to match no names.
        id_offsets: Attribute id to its distance from a bound attribute in the statement's own run (a stored text may
            come from another run), for attributes close enough to be columns of the same relation.

    Returns:
        The flow, and the names of the attributes that are still unbound and in no gap of the flow.
    """
    columns = (flow.write.columns or ()) if flow.write else ()
    derivations = [each.derivation for each in (*flow.outputs, *columns)]
    derivations += [each.derivation for each in flow.conditions]
    unbound = {expr_id: name for expr_id, name in unbound_attributes(derivations).items() if expr_id not in bindings}
    found = match_names(unbound, tables, bindings, id_offsets, flow.command)
    bound, missing = bind_links(flow, {**found.bindings, **bindings})
    return (_with_reads(bound, found), ()) if found.reads else (bound, missing)


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
        operator: The command.
    """
    if not unbound or not tables:
        return NameMatches({}, (), ())
    bindings: dict[int, Output] = {}
    for expr_id, name in unbound.items():
        derivation = _column(name, expr_id, tables, anchors, id_offsets) or _expression(name, tables)
        if derivation is not None:
            bindings[expr_id] = Output(name, expr_id, derivation)
    reads = tuple(Read(Dataset(each.name, "table", each.format), (), operator) for each in tables)
    matched = [unbound[expr_id] for expr_id in bindings]
    rest = [name for expr_id, name in unbound.items() if expr_id not in bindings]
    return NameMatches(bindings, reads, _gaps(matched, rest, tables, operator))


def _gaps(
    matched: Sequence[str], unbound: Sequence[str], tables: Sequence[ScannedTable], operator: str
) -> tuple[Gap, ...]:
    """Return the gaps for attributes that are matched by name, and for those that are not.

    Args:
        matched: The names of the attributes that are bound by name.
        unbound: The names of the others.
        tables: The tables that the statement's jobs scan.
        operator: The command.
    """
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


def _with_reads(flow: Flow, found: NameMatches) -> Flow:
    """Return the flow with reads of the scanned tables and of the matched columns.

    Args:
        flow: The flow, bound.
        found: The bindings by name.
    """
    columns: dict[str, list[str]] = {}
    for output in found.bindings.values():
        for origin, _ in output.derivation.sources:
            columns.setdefault(origin.dataset, []).append(origin.column)
    reads = tuple(replace(read, columns=tuple(columns.get(read.dataset.name, ()))) for read in found.reads)
    return replace(flow, reads=(*flow.reads, *reads), gaps=(*flow.gaps, *found.gaps))


def unbound_attributes(derivations: Iterable[Derivation]) -> dict[int, str]:
    """Return the unbound attributes of derivations: id to name."""
    return {origin.attribute: origin.column for each in derivations for origin, _ in each.sources if not origin.dataset}


def _column(
    name: str, expr_id: int, tables: Sequence[ScannedTable], anchors: Bindings, id_offsets: Mapping[int, int]
) -> Derivation | None:
    """Return the column if one table has it and the attribute's id fits the anchors.

    Any other attribute is computed, and may have the name of a column that it does not depend on: `max(a) AS b`.

    Args:
        name: The attribute's name.
        expr_id: Its id.
        tables: The tables that the statement's jobs scan.
        anchors: As in `match_names`.
        id_offsets: As in `bind_by_name`.
    """
    found = [table for table in tables if name in table.columns]
    if len(found) != 1:
        return None
    (table,) = found
    value = source(table.name, name, confidence=INFERRED)
    return value if _has_id_of_column(name, expr_id, table, anchors, id_offsets) else None


def _has_id_of_column(
    name: str, expr_id: int, table: ScannedTable, anchors: Bindings, id_offsets: Mapping[int, int]
) -> bool:
    """Return whether the distance of an attribute's id to those of the anchors equals that of their columns.

    Args:
        name: The attribute's name.
        expr_id: Its id.
        table: The table with a column of that name.
        anchors: As in `match_names`.
        id_offsets: As in `bind_by_name`.
    """
    columns = [
        (id_offsets[anchor], output.derivation.column.column)
        for anchor, output in anchors.items()
        if anchor in id_offsets
        and output.derivation.column is not None
        and output.derivation.column.dataset == table.name
    ]
    lists = [each for each in table.column_lists if name in each and any(column in each for _, column in columns)]
    return not lists or any(
        expr_id in id_offsets and id_offsets[expr_id] - offset == listed.index(name) - listed.index(column)
        for listed in lists
        for offset, column in columns
        if column in listed
    )


def _expression(name: str, tables: Sequence[ScannedTable]) -> Derivation | None:
    """Return the value of an expression that Spark named by its text (`toPrettySQL`): `upper(customer)`.

    Args:
        name: The attribute's name.
        tables: The tables that the statement's jobs scan.
    """
    words = [(match[1], bool(match[2])) for match in _WORD.finditer(name)]
    functions = {word.lower() for word, is_call in words if is_call}
    if "(" not in name or _AMBIGUOUS & {word.lower() for word, _ in words}:
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
    return Derivation(merge(value.through(kind, masking=masking) for value in values), (name,))
