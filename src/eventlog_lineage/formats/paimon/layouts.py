"""Find the columns of Paimon's tables and of the objects that writes print instead of a table, up to 0.9."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from eventlog_lineage.operators.write_targets import columns_of_query
from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID
from eventlog_lineage.plan.grammar.symbols import EMPTY, EXPRESSIONS, inner, read, read_arguments
from eventlog_lineage.plan.summary.plan_facts import ROWS, PlanFact, TableLayout, UnqualifiedTable, attribute_names
from eventlog_lineage.plan.tree.printed_operators import PrintedOperator

from .plan_facts import COLUMN, relation_name
from .tables import WRITER, WRITERS_OWN

_OBJECT = re.compile(r"^(?:SparkTable\()?org\.apache\.paimon\.table\.(?P<kind>\w+)@(?P<hash>[0-9a-f]+)\b")
_RELATION = re.compile(
    r"^RelationV2\[(?P<columns>[^\]\n]*)\] (?:[\w.$-]+ )?(?P<name>[\w.$-]+), "
    r"org\.apache\.paimon\.table\.(?P<kind>\w+)@(?P<hash>[0-9a-f]+)\b"
)
_INPUT = re.compile(r"^Input(?: \[\d+\])?: \[(.*)\]$", re.MULTILINE)
_CATALOG = re.compile(r"^org\.apache\.paimon\.spark\.Spark(?:Generic)?Catalog(?:@\w+|\([\w-]+\))$")
_ASSIGNED = re.compile(rf"\bassignment\((\w+){CAPTURED_ID}, ")
_WRITES = frozenset({"AppendDataExecV1", "OverwriteByExpressionExecV1"})
_QUERIES = frozenset({"CreateTableAsSelect", "AtomicCreateTableAsSelect", "ReplaceTableAsSelect"})
_RENAME = "RenameTable"
_CHANGES = frozenset({_RENAME, "DropTable", "ReplaceTable"})
_NEW_NAME = 2
"""The index of the new name in `RenameTable <catalog>, shop.orders, shop.sales, …`."""
_CHANGE = re.compile(r"\bTableChange\$(\w+)@")
_MERGE = "MergeIntoPaimonTable"
_KEYS = "primary-key -> "


def scan_layouts(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of tables and of objects that a plan prints."""
    facts: list[PlanFact] = [fact for operator in operators for fact in _layouts(operator)]
    return [*facts, *_written_rows(operators)]


def _written_rows(operators: Sequence[PrintedOperator]) -> Iterator[PlanFact]:
    """Yield the columns of the rows that Paimon's writer takes; a stream's batch prints nothing else of its table.

    The rows of `CREATE TABLE … AS SELECT DISTINCT …`, whose command prints no columns, are the input of the operator
    that converts them for the writer.
    """
    if not any(each.name == "MapPartitions" and WRITER in each.arguments for each in operators):
        return
    for each in operators:
        taken = _INPUT.search(each.printed) if each.name == "DeserializeToObject" else None
        if taken:
            columns = tuple(name for name in attribute_names(taken[1]) if name not in WRITERS_OWN)
            yield TableLayout("", f"{ROWS}{','.join(columns)}", columns)
        columns = tuple(name for name in attribute_names(each.output) if name not in WRITERS_OWN)
        if each.name.startswith("Scan ExistingRDD") and columns:
            rows = f"{ROWS}{','.join(columns)}"
            yield UnqualifiedTable("", rows)
            yield TableLayout("", rows, columns)


def _layouts(operator: PrintedOperator) -> Iterator[TableLayout]:
    text = operator.arguments
    if related := _RELATION.match(text):
        columns = tuple(attribute_names(related["columns"]))
        if "more fields" not in related["columns"]:
            yield TableLayout(related["name"], related["hash"], columns, kind=_kind(related["kind"]))
        return
    printed = _OBJECT.match(text)
    if printed and (name := relation_name(operator)):
        listed = read(EXPRESSIONS, inner(read_arguments(text)[1]))
        items, hidden = listed.items, listed.missing
        names = tuple(attribute_names(", ".join(items)))
        yield TableLayout(name, printed["hash"], names, hidden, _kind(printed["kind"]))
    elif printed and operator.name in _WRITES:
        columns, hidden = columns_of_query(read_arguments(text)[1:])
        if columns:
            yield TableLayout("", printed["hash"], columns, hidden, _kind(printed["kind"]))
    elif printed and operator.name == _MERGE and "more fields" not in text:
        assigned = {int(expr_id): name for name, expr_id in _ASSIGNED.findall(text)}
        columns = tuple(assigned[expr_id] for expr_id in sorted(assigned))
        if columns:
            yield TableLayout("", printed["hash"], columns, kind=_kind(printed["kind"]))
    elif text.startswith("org.apache.paimon.spark.Spark"):
        yield from _defined(operator)


def _defined(operator: PrintedOperator) -> Iterator[TableLayout]:
    """Yield the table of `CreateTable <catalog>, shop.orders, [ColumnImpl(id,…), …], …, TableSpec(Map(…), …)`."""
    parts = read_arguments(operator.arguments)
    if len(parts) < 2 or not _CATALOG.match(parts[0]):
        return
    name, kind = parts[1], "keyed" if _KEYS in operator.arguments else "append"
    if operator.name == "CreateTable" or operator.name in _QUERIES:
        columns, hidden = _listed_columns(parts[2:]) if operator.name == "CreateTable" else columns_of_query(parts[2:])
        if columns:
            yield TableLayout(name, "", columns, hidden, kind)
    elif operator.name == "AlterTable":
        yield TableLayout(name, "", changes=tuple(_CHANGE.findall(operator.arguments)))
    elif operator.name in _CHANGES:
        yield TableLayout(name, "", changes=(operator.name,))
        if operator.name == _RENAME and len(parts) > _NEW_NAME:
            database, new = name.rpartition(".")[0], parts[_NEW_NAME]  # the new name may have no database
            yield TableLayout(new if "." in new else f"{database}.{new}", "", old_name=name)


def _listed_columns(parts: list[str]) -> tuple[tuple[str, ...], int]:
    """Return the columns that a definition lists, and the number of those that Spark truncated."""
    listed = read(EXPRESSIONS, parts[0][1:-1]) if parts else EMPTY
    names = tuple(found[1] for item in listed.items if (found := COLUMN.match(item)))
    return (names, listed.missing) if len(names) == len(listed.items) else ((), 0)


def _kind(class_name: str) -> str:
    return "keyed" if class_name.startswith("PrimaryKey") else "append"
