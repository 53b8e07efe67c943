"""Facts of Paimon tables: names, columns and objects in plans; snapshots and schemas (files of `schema`) on disk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.commits import Commit, json_object
from eventlog_lineage.events.sources.files import TableFolder
from eventlog_lineage.formats.paimon.tables import SAME_ROWS, SCAN_OBJECT, WRITER, WRITERS_OWN
from eventlog_lineage.observed_schemas import MetadataTypes, TableSchema
from eventlog_lineage.operators.write_targets import assigned_attributes, columns_of_query, printed_catalog
from eventlog_lineage.plan.grammar.symbols import EMPTY, EXPRESSIONS, hidden_items, inner, read, read_arguments
from eventlog_lineage.plan.printed.operator_lines import (
    PrintedOperator,
    argument_matches,
    matches,
    operators_named,
    read_relation,
    table_of_scan,
)
from eventlog_lineage.plan.summary.plan_facts import (
    ROWS,
    PlanFact,
    QualifiedTable,
    SnapshotRef,
    SnapshotRole,
    TableLayout,
    TableRef,
    UnqualifiedTable,
    attribute_names,
    table_columns,
)

_SCAN = re.compile(r"(?:BatchScan|MicroBatchScan)(?: (?P<name>[\w.$-]+))?")
_BARE = re.compile(r"\bPaimon\w*Scan: \[([^\]\n]+)\]")
_SCANNED = "PaimonScan("
_STORE = re.compile(r"\b\w+(?:FileStore|Format|Object)Table\[([\w.$-]+)\]")
_OBJECT = re.compile(r"(?:SparkTable\()?org\.apache\.paimon\.table\.(?P<kind>\w+)@(?P<hash>[0-9a-f]+)\b")
_WRITE = re.compile(r"\bPaimon\w*Write\(table=([^,)\n]+)")
_CATALOGS = "org.apache.paimon.spark.Spark"
"""The beginning of the classes of Paimon's catalogs."""
_RELATION_COLUMNS = re.compile(
    r"\bRelation(?:V2)?(?: (?P<first>[\w-]+(?:\.[\w-]+)+))?\[(?P<columns>[^\]\n]*)\] "
    r"[\w.$-]+ (?P<table>[\w$-]+\.[\w$-]+),"
)
COLUMN = re.compile(r"\bColumnImpl\((.+?),[A-Z]\w*Type\b")
"""The name of a column, which may have spaces, before its type (Spark's `ColumnImpl`, 3.4 to 4.3)."""
_CALL = re.compile(
    r"\[[^\n]*\], [\w.]+\.(?:Compact|Rescale|Rollback\w*|FastForward)Procedure@\w+, \[([\w$-]+\.[\w.$-]+)[,\]]"
)
"""The procedures that create snapshots."""


def scan_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the tables of Paimon that a plan names.

    Hash codes distinguish objects of tables: `AbstractFileStoreTable.hashCode` depends on location and schema.
    """
    facts: list[PlanFact] = [
        *chain.from_iterable(map(_scanned, operators)),
        *chain.from_iterable(map(_related, filter(None, map(_relation, operators)))),
        *chain.from_iterable(map(_printed_object, operators)),
        *(QualifiedTable(found[0]) for found in map(_of_catalog, operators) if found),
    ]
    calls = argument_matches(_CALL, operators_named("PaimonCall", operators))
    for found in chain(matches(_STORE, operators), matches(_WRITE, operators), calls):
        facts += [QualifiedTable(found[1]), _written(found[1])]
    return facts


class _Relation(NamedTuple):
    """A relation in the arguments of a command, `RelationV2[id#1L] lake.raw.ships raw.ships, <object of the table>`."""

    name: str
    columns: str
    printed: re.Match[str]
    is_scan: bool


def _relation(operator: PrintedOperator) -> _Relation | None:
    relation = read_relation(operator.arguments)
    names, _, text = relation.rest.partition(", ") if relation else ("", "", "")
    printed = _OBJECT.match(text.removeprefix(_SCANNED))
    if relation is None or printed is None:
        return None
    return _Relation(names.rpartition(" ")[2], relation.columns, printed, text.startswith(_SCANNED))


def _related(relation: _Relation) -> Iterator[PlanFact]:
    """Yield the table of a relation; one without a scan is the target of a write."""
    yield QualifiedTable(relation.name, relation.printed["hash"])
    if not relation.is_scan:
        yield _written(relation.name)


def _of_catalog(operator: PrintedOperator) -> list[str]:
    """Return the arguments of a command after one of Paimon's catalogs: a table, its columns …; none of others."""
    catalog, *parts = read_arguments(operator.arguments) if operator.arguments.startswith(_CATALOGS) else ("",)
    return parts if printed_catalog(catalog) and parts and naming.is_plain_name(parts[0]) else []


def _printed_object(operator: PrintedOperator) -> list[PlanFact]:
    """Return the table whose object an operator prints: a scan's has a name, a write's none."""
    printed = _OBJECT.match(operator.arguments)
    if printed is None:
        return []
    if name := relation_name(operator):
        return [QualifiedTable(name, printed["hash"])]
    return [UnqualifiedTable("", printed["hash"]), _written("")]


def relation_name(operator: PrintedOperator) -> str:
    """Return the table of a relation in the query of a command; empty for other operators.

    `DataSourceV2Relation`: `SparkTable(…FileStoreTable@55bb6507), [id#1L, …], …SparkCatalog@c5e81d9, raw.ships, []`.
    """
    if operator.name != "DataSourceV2Relation":
        return ""
    parts = read_arguments(operator.arguments)
    return parts[3] if len(parts) > 3 and naming.is_plain_name(parts[3]) else ""


def _scanned(operator: PrintedOperator) -> list[PlanFact]:
    scan = _SCAN.match(operator.name)
    if scan is None:
        return []
    printed = _BARE.search(operator.printed)
    if printed is None and not (scan["name"] and SCAN_OBJECT in operator.printed):
        return []
    name = SAME_ROWS.sub("", scan["name"] or (printed[1] if printed else ""))
    facts: list[PlanFact] = [QualifiedTable(name) if "." in name else UnqualifiedTable(name)]
    if operator.name.startswith("MicroBatchScan"):
        facts.append(SnapshotRef(SnapshotRole.STREAMED, _table(name)))
    return facts


def _written(name: str) -> SnapshotRef:
    return SnapshotRef(SnapshotRole.WRITTEN, _table(name))


def _table(name: str) -> TableRef:
    return TableRef(name=name, format="paimon")


def scan_columns(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of Paimon's tables in a plan."""
    facts: list[PlanFact] = []
    for table, *parts in filter(None, map(_of_catalog, operators)):
        columns, hidden = _listed_columns(parts)
        facts += table_columns(table, columns, is_complete=not hidden)
    for related in matches(_RELATION_COLUMNS, operators):
        table, is_complete = related["first"] or related["table"], not hidden_items(related["columns"])
        facts += table_columns(table, attribute_names(related["columns"]), is_complete=is_complete)
    for operator in operators:
        kind, table = table_of_scan(operator.name)
        if operator.name.startswith("BatchScan ") and not kind:
            facts += table_columns(table, attribute_names(operator.output))
    return facts


_WRITES = frozenset({"AppendDataExecV1", "OverwriteByExpressionExecV1"})
_QUERIES = frozenset({"CreateTableAsSelect", "AtomicCreateTableAsSelect", "ReplaceTableAsSelect"})
_RENAME = "RenameTable"
_CHANGES = frozenset({_RENAME, "DropTable", "ReplaceTable"})
_CHANGE = re.compile(r"\bTableChange\$(\w+)@")


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
        if each.name == "DeserializeToObject" and each.input:
            yield _rows(_written_columns(each.input))
        columns = _written_columns(each.output) if each.name.startswith("Scan ExistingRDD") else ()
        if columns:
            rows = _rows(columns)
            yield UnqualifiedTable("", rows.object_hash)
            yield rows


def _written_columns(text: str) -> tuple[str, ...]:
    return tuple(name for name in attribute_names(text) if name not in WRITERS_OWN)


def _rows(columns: tuple[str, ...]) -> TableLayout:
    return TableLayout("", f"{ROWS}{','.join(columns)}", columns)


def _layouts(operator: PrintedOperator) -> Iterator[TableLayout]:
    if related := _relation(operator):
        columns, printed = tuple(attribute_names(related.columns)), related.printed
        if not related.is_scan and not hidden_items(related.columns):
            yield TableLayout(related.name, printed["hash"], columns, kind=_kind(printed["kind"]))
    elif printed_object := _OBJECT.match(operator.arguments):
        yield from _of_object(operator, printed_object)
    elif parts := _of_catalog(operator):
        yield from _defined(operator, *parts)


def _of_object(operator: PrintedOperator, printed: re.Match[str]) -> Iterator[TableLayout]:
    text = operator.arguments
    if name := relation_name(operator):
        listed = read(EXPRESSIONS, inner(read_arguments(text)[1]))
        items, hidden = listed.items, listed.missing
        names = tuple(attribute_names(", ".join(items)))
        yield TableLayout(name, printed["hash"], names, hidden, _kind(printed["kind"]))
    elif operator.name in _WRITES:
        columns, hidden = columns_of_query(read_arguments(text)[1:])
        if columns:
            yield TableLayout("", printed["hash"], columns, hidden, _kind(printed["kind"]))
    elif operator.name == "MergeIntoPaimonTable" and "more fields" not in text:
        assigned = assigned_attributes(text)
        columns = tuple(assigned[expr_id] for expr_id in sorted(assigned))
        if columns:
            yield TableLayout("", printed["hash"], columns, kind=_kind(printed["kind"]))


def _defined(operator: PrintedOperator, name: str, *parts: str) -> Iterator[TableLayout]:
    """Yield the table of `CreateTable <catalog>, shop.orders, [ColumnImpl(id,…), …], …, TableSpec(Map(…), …)`."""
    kind = "keyed" if "primary-key -> " in operator.arguments else "append"
    if columns_in := _COLUMNS.get(operator.name):
        columns, hidden = columns_in(list(parts))
        if columns:
            yield TableLayout(name, "", columns, hidden, kind)
    elif operator.name == "AlterTable":
        yield TableLayout(name, "", changes=tuple(_CHANGE.findall(operator.arguments)))
    elif operator.name in _CHANGES:
        yield TableLayout(name, "", changes=(operator.name,))
        yield from _renamed(name, parts) if operator.name == _RENAME else ()


def _renamed(name: str, names: Sequence[str]) -> Iterator[TableLayout]:
    """Yield the table of `RenameTable <catalog>, shop.orders, sales`, whose new name may have no database."""
    for new in names[:1]:
        yield TableLayout(new if "." in new else f"{name.rpartition('.')[0]}.{new}", "", old_name=name)


def _listed_columns(parts: list[str]) -> tuple[tuple[str, ...], int]:
    """Return the columns that a definition lists, and the number of those that Spark truncated."""
    listed = read(EXPRESSIONS, parts[0][1:-1]) if parts else EMPTY
    names = tuple(found[1] for item in listed.items if (found := COLUMN.match(item)))
    return (names, listed.missing) if len(names) == len(listed.items) else ((), 0)


_COLUMNS = {"CreateTable": _listed_columns, **dict.fromkeys(_QUERIES, columns_of_query)}
"""The commands that define a table with columns, to what reads these from their arguments."""


def _kind(class_name: str) -> str:
    return "keyed" if class_name.startswith("PrimaryKey") else "append"


_PRECISION = re.compile(r"\((\d+)(?:, *(\d+))?\)")
_NAMES = {
    "integer": "int",
    "bytes": "binary",
    "varbinary": "binary",
    "timestamp": "timestamp_ntz",
    "timestamp with local time zone": "timestamp",
}
"""Paimon's types in lower case to catalog strings, where they differ (`SparkTypeUtils`, Paimon 0.9)."""


def paimon_schemas(files: Iterable[tuple[str, bytes]]) -> Iterator[TableSchema]:
    """Yield the schemas of a table, in the order of their ids."""
    for number, schema in _numbered("schema-", files):
        time = schema.get("timeMillis")
        yield _TYPES.schema(str(number), time if isinstance(time, int) else None, schema)


def _numbered(word: str, files: Iterable[tuple[str, bytes]]) -> list[tuple[int, dict[str, Any]]]:
    """Return the files whose names are a word and a number, `snapshot-12`: (number, JSON), in their order."""
    found = {name.removeprefix(word): content for name, content in files if name.startswith(word)}
    numbered = sorted((int(digits), content) for digits, content in found.items() if digits.isdecimal())
    return [(number, json_object(content)) for number, content in numbered]


def _simple(text: str) -> str:
    """Return the catalog string of a type without parts: `DECIMAL(10, 2)`, `TIMESTAMP(6) WITH LOCAL TIME ZONE`."""
    lower = text.lower()
    if lower.startswith(("decimal", "char", "varchar")):
        return lower.replace(" ", "")
    plain = _PRECISION.sub("", lower)
    return _NAMES.get(plain, plain)


_TYPES = MetadataTypes(_simple, ("description",), struct="ROW", array="ARRAY", map="MAP", suffix=" NOT NULL")


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's snapshots and schemas; None for a folder without `snapshot`."""
    entries = table.entries("snapshot")
    if not entries:
        return None
    snapshots = paimon_commits((each.name, table.content(each)) for each in entries)
    return chain(snapshots, paimon_schemas((each.name, table.content(each)) for each in table.entries("schema")))


def paimon_commits(files: Iterable[tuple[str, bytes]]) -> Iterator[Commit]:
    """Yield Paimon's snapshots, from the files of `snapshot`.

    A writer that also compacts creates two snapshots: the second one is the table's state after it.
    """
    snapshots = _numbered("snapshot-", files)
    for (number, snapshot), (_, following) in zip(snapshots, [*snapshots[1:], (0, {})], strict=True):
        time = snapshot.get("timeMillis")
        user = snapshot.get("commitUser")
        compacted = following.get("commitKind") == "COMPACT" and following.get("commitUser") == user is not None
        if isinstance(time, int) and not compacted:
            yield Commit(str(number), time)
