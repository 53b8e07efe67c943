"""Paimon's own commands (1.x): MERGE, UPDATE, DELETE, dynamic overwrite, procedures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from eventlog_lineage.extensions import Command, Query, Rows, commands_of
from eventlog_lineage.formats.paimon.tables import name_table, unnamed_table, written_table
from eventlog_lineage.model import Dataset, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, Write
from eventlog_lineage.operators.joins import join_conditions
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.rules.create_table_as_select import view_of_text
from eventlog_lineage.operators.rules.filter import conjuncts
from eventlog_lineage.operators.rules.maintenance import parsed_call
from eventlog_lineage.operators.rules.no_lineage import no_lineage
from eventlog_lineage.operators.scans import filters_on, predicate_columns, source
from eventlog_lineage.operators.write_targets import assigned, clauses, columns_of
from eventlog_lineage.plan.grammar.attribute_ids import SUBQUERY_PATTERN, WORD_PATTERN, attribute_of, read_attribute
from eventlog_lineage.plan.grammar.symbols import EMPTY, EXPRESSIONS, Listed, inner, is_list, read, read_arguments
from eventlog_lineage.plan.printed.operator_lines import read_relation
from eventlog_lineage.plan.unresolved.parsed_clauses import ASSIGNMENT

COMMANDS = (
    *(
        Command(name, "merge", rows=Rows.OWN | Rows.CHILDREN | Rows.JOBS)
        for name in ("MergeIntoPaimonTable", "MergeIntoPaimonDataEvolutionTable")
    ),
    Command("UpdatePaimonTableCommand", "update", rows=Rows.OWN | Rows.CHILDREN),
    Command("DeleteFromPaimonTableCommand", "delete", rows=Rows.OWN | Rows.CHILDREN),
    Command("TruncatePaimonTableWithFilter", "delete"),
    Command("PaimonTruncateTableCommand", "truncate"),
    Command("PaimonDynamicPartitionOverwriteCommand", "overwrite"),
    Command("CreatePaimonView", "create", query=Query.SQL),
    Command("DropPaimonView", "drop"),
    *commands_of("PaimonCall PaimonCallStatement", "maintenance"),
)


_UNNAMED = "the plan does not name the table"
_MEMBER = ("(list#", "exists#")
_CORRELATED = re.compile(r"\b(?:list|exists|scalar-?subquery)#(\d+) \[[^\]&]*&& ([^\]]*)\]")
"""A subquery with the conditions that join it: `exists#9 [id#1L && (id#6L = id#1L)]`."""
_FIELD = re.compile(r"\bStructField\(([^,()]+),")
_VIEW_HINT = "Paimon logs the SQL of a view and not its plan; statements that read the view have edges from its tables"


@operator("MergeIntoPaimonTable", "MergeIntoPaimonDataEvolutionTable")
def merge_into(op: Operation) -> Flow:
    """Read the target, the ON condition and the clauses; both sides' attributes are those of the nested executions.

    Arguments: PrimaryKeyFileStoreTable[shop.orders], SubqueryAlias t, SubqueryAlias s, (id#1L = id#2L),
    [updateaction(None, assignment(id#1L, id#1L), …)], [insertaction(…)]
    """
    parts = op.node.arguments
    target = op.known(_target(op), _UNNAMED)
    op = op.naming_arguments()
    scope = op.unbound_arguments()
    on = next((part for part in parts[1:] if part.startswith("(") and "#" in part), "")
    joined = join_conditions(op, on, scope)
    conditions, values = clauses(op, parts[1:], scope)
    origins = {origin.attribute for each in values for origin, _ in each.derivation.sources if not origin.dataset}
    own = {value.expr_id for value in values}
    names = [value.name for value in values]  # clauses assign all columns, in the table's order
    values.sort(key=lambda value: names.index(value.name))
    write = Write(target, "merge", tuple(values), source_attributes=frozenset(origins - own))
    return op.writes(write, Flow(conditions=(*joined, *conditions)))


@operator("UpdatePaimonTableCommand")
def update(op: Operation) -> Flow:
    """Assign expressions to the relation's columns, in rows that satisfy a condition.

    `Arguments: RelationV2[id#1L, amount#2] lake.shop.orders shop.orders, <table>, (id#1L = 3), [(id#1L,id#1L), …]`; up
    to 0.9 the list is one of `assignment(amount#2, 0.0)`.
    """
    parts = op.node.arguments
    target = op.known(_target(op), _UNNAMED)
    op = op.naming_arguments()
    scope = _relation(op, target.name, parts)
    listed = op.node.lists[-1] if is_list(parts[-1]) else EMPTY
    pairs = op.complete(listed, "values of an update")
    values = []
    for pair in pairs:
        if assignment := ASSIGNMENT.match(pair):
            name, value = [*read_arguments(assignment[1]), ""][:2]
        else:
            value, _, name = pair.removeprefix("(").removesuffix(")").rpartition(",")
        values.append(Output(*(attribute_of(name)), op.bind(value, scope)))
    order = {name: index for index, name in enumerate(_columns(op))}
    values.sort(key=lambda value: order.get(value.name, len(order)))
    rows = _rows(op, target, order, _where(op, parts[1:-1], scope))
    return op.writes(Write(target, "update", assigned(values, target.name)), rows)


def _target(op: Operation) -> Dataset | None:
    """Return the table that the first argument prints; None if nothing names it."""
    return written_table(op, next(iter(op.node.arguments), ""))


def _rows(op: Operation, target: Dataset, columns: Iterable[str], conditions: Iterable[Condition]) -> Flow:
    return Flow(conditions=tuple(conditions), reads=(Read(target, tuple(columns), op.node.name),))


@operator("DeleteFromPaimonTableCommand")
def delete(op: Operation) -> Flow:
    """Delete rows: `Arguments: RelationV2[id#1L, …] lake.shop.orders shop.orders, <table>, (id#1L > 1)`."""
    parts = op.node.arguments
    target = op.known(_target(op), _UNNAMED)
    op = op.naming_arguments()
    scope = _relation(op, target.name, parts)
    return op.writes(Write(target, "delete"), _rows(op, target, _columns(op), _where(op, parts[1:], scope)))


@operator("TruncatePaimonTableWithFilter")
def truncate(op: Operation) -> Flow:
    """Delete complete partitions of a table that is printed as an object; another plan may name it.

    `Arguments: org.apache.paimon.table.PrimaryKeyFileStoreTable@80600144, Equal(day, 2026-11-03)`
    """
    target = op.known(unnamed_table(op), _UNNAMED)
    predicate = op.node.text("Arguments").partition(", ")[2]
    names = predicate_columns(predicate)
    return op.writes(Write(target, "delete"), _rows(op, target, names, filters_on(target, names, predicate)))


@operator("PaimonTruncateTableCommand")
def truncate_whole(op: Operation) -> Flow:
    """Delete all rows of a table, or of some of its partitions: `Arguments: <table>, Map(day -> 1)` (up to 1.1)."""
    target = op.known(_target(op), _UNNAMED)
    return op.writes(Write(target, op.mode))


@operator("PaimonDynamicPartitionOverwriteCommand")
def dynamic_overwrite(op: Operation) -> Flow:
    """Overwrite the partitions in its query's rows; the physical plan runs in a nested execution.

    `Arguments: RelationV2[…] lake.shop.orders shop.orders, <table>, false` over the logical query.
    """
    below = op.input
    target = op.known(_target(op), _UNNAMED, below)
    op.complete(_listed(op), "columns")
    return op.writes(Write(target, "overwrite", columns_of(below.outputs, _columns(op)) or None), below)


@operator("CreatePaimonView")
def create_view(op: Operation) -> Flow:
    """Create a view in Paimon's catalog; it prints its columns and its SQL, and no plan of the query.

    `plan.unresolved.view_sql` translates simple queries.
    `Arguments: org.apache.paimon.spark.SparkCatalog@7a, shop.paid, SELECT …, [StructField(id,LongType,true), …], …`
    """
    target = op.known(_view(op), _UNNAMED)
    names = tuple(_FIELD.findall(op.node.text("Arguments")))
    return view_of_text(op, target, names, (f"the query of {', '.join(names)}", _VIEW_HINT))


@operator("DropPaimonView")
def drop_view(op: Operation) -> Flow:
    """Drop a view of Paimon's catalog: `Arguments: org.apache.paimon.spark.SparkCatalog@7a, shop.paid, false`."""
    target = op.known(_view(op), _UNNAMED)
    return op.writes(Write(target, "drop"))


def _view(op: Operation) -> Dataset | None:
    parts = op.node.arguments
    named = name_table(op, parts[1]) if len(parts) > 1 else None
    return Dataset(named.name, "view", "paimon") if named is not None else None


@operator("PaimonCall")
def call_procedure(op: Operation) -> Flow:
    """Maintain a table: `Arguments: [result#1], …CompactProcedure@613e0728, [shop.orders,null,…]`."""
    parts = op.node.arguments
    name = inner(parts[-1]).partition(",")[0] if len(parts) > 1 and is_list(parts[-1]) else ""
    target = name_table(op, name) if "." in name else None
    return op.writes(Write(target, "maintenance")) if target is not None else Flow(command=op.node.operator)


def _columns(op: Operation) -> list[str]:
    return [name for name, _ in _attributes(op)]


def _attributes(op: Operation) -> list[tuple[str, int]]:
    return [found for item in _listed(op).items if (found := read_attribute(item))]


def _listed(op: Operation) -> Listed:
    relation = read_relation(op.node.text("Arguments"))
    return read(EXPRESSIONS, relation.columns) if relation else EMPTY


def _relation(op: Operation, target: str, parts: Sequence[str]) -> dict[int, Derivation]:
    """Return the target's attributes, as the relation lists them.

    A wide relation lists the first ones. Without a subquery, the other attributes of the command are its columns, too.
    """
    listed = {expr_id: source(target, name) for name, expr_id in _attributes(op)}
    if not _listed(op).missing or SUBQUERY_PATTERN.search(op.node.text("Arguments")):
        op.complete(_listed(op), "columns")
        return listed
    named = chain.from_iterable(map(WORD_PATTERN.findall, parts[1:]))
    return {**{int(expr_id): source(target, name) for name, expr_id in named}, **listed}


def _where(op: Operation, parts: list[str], scope: dict[int, Derivation]) -> tuple[Condition, ...]:
    """Return the conditions of an UPDATE or DELETE; `IN` and `EXISTS` are joins with their subqueries."""
    texts = [each for part in parts if "#" in part and not is_list(part) for each in conjuncts(part)]
    found = [each for text in texts for each in _conditions(op, text, scope)]
    return (*found, *(each for text in texts for each in _joins(op, text, scope)))


def _conditions(op: Operation, text: str, scope: dict[int, Derivation]) -> list[Condition]:
    if any(word in text for word in _MEMBER):
        return join_conditions(op, text, scope)
    return [Condition(op.bind(text, scope), Transformation.FILTER)]


def _joins(op: Operation, text: str, scope: dict[int, Derivation]) -> Iterator[Condition]:
    for number, condition in _CORRELATED.findall(text):
        subquery = op.subquery(int(number), scope)
        inner_scope = {each.expr_id: each.derivation for each in subquery.outputs} if subquery is not None else {}
        yield from join_conditions(op, condition, {**inner_scope, **scope})


operator("PaimonCallStatement")(parsed_call)
operator("PaimonAnalyzeTableColumnCommand", "PaimonShowColumnsCommand")(no_lineage)
