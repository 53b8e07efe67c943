"""Read the targets of commands: table, path and mode in their arguments, and columns with their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.streams import topic
from eventlog_lineage.extensions import contributions, formats
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute, unescaped
from eventlog_lineage.plan.grammar.symbols import EMPTY, EXPRESSIONS, NAMED, Listed, inner, is_list, items_of, read

from .flow import Flow, Output, Write
from .operation import Operation
from .scans import generated

MODES = {
    "Append": "append",
    "Overwrite": "overwrite",
    "ErrorIfExists": "create",
    "Ignore": "create",
}
"""`SaveMode` to the store's modes."""

JDBC_CATALOG = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
"""Its tables are printed without their catalog."""
_LISTING = re.compile(
    r"^(?:Project|Relation|LocalRelation|LogicalRDD|RelationV2)\b[^\[]*\[(?P<columns>.*)\]", re.DOTALL
)
"""The line of a logical plan next to a write, if it lists the operator's outputs."""
_TIGHT_COMMA = re.compile(r"(?<=\d)(L?),(?=\S)")
"""`Relation [id#1L,name#2] csv` separates its columns without spaces (`LogicalRelation.simpleString`)."""
_BUCKET_SORT = re.compile(r"^(?:pmod\(\(?(?:hive-|collation_aware_)?hash\(|bitwise|bucket)")
_QUOTED_TABLE = re.compile(r"^`(?:[^`]|``)+`(?:\.`(?:[^`]|``)+`)*")
_CATALOG_TABLE = re.compile(
    r"CatalogTable\(\n(?:Catalog: (?P<catalog>.*)\n)?Database: (?P<database>.*)\nTable: (?P<table>.*)\n"
)
_TABLE_LOCATION = re.compile(r"\nLocation: (\S.*)\n")
_TABLE_SPEC = re.compile(
    r"\bTableSpec\(Map\(.*?\),(?:Some\((?P<format>\w+)\)|None),Map\(.*?\),(?:None|Some\((?P<location>[^()]*)\)),",
    re.DOTALL,
)
_SERDE_FORMATS = {"parquet": "parquet", "orc": "orc", "avro": "avro", "lazy": "text", "json": "json", "csv": "csv"}


def table_of(parts: Sequence[str]) -> Dataset | None:
    """Return the catalog table among a command's arguments.

    3.4+ prints `` `cat`.`db`.`t` ``, earlier versions a `CatalogTable(` of many lines (SPARK-37973).
    """
    for part in parts:
        if match := _QUOTED_TABLE.match(part):
            return naming.table(match[0])
        if match := _CATALOG_TABLE.match(part):
            name = ".".join(f"`{word}`" for word in (match["catalog"], match["database"], match["table"]) if word)
            location = _TABLE_LOCATION.search(part)
            return naming.table(name, location=location[1] if location else "")
    return None


def session_table(op: Operation, part: str) -> tuple[Dataset | None, bool]:
    """Return the table that a command of the session catalog names in an argument, and whether its database is assumed.

    `CREATE TABLE t LIKE s` prints `t` in all versions (2.4 to 4.3), `saveAsTable` up to 3.3 and from 4.1 on; other
    evidence in the application may show the database (`catalog.session_catalog`).
    """
    table = table_of([part])
    match = _QUOTED_TABLE.match(part)
    if table is None or match is None or len(naming.split_name(match[0])) > 1:
        return table, False
    known = op.plan.tables.of_session(match[0])
    return (naming.table(known), False) if known else (table, True)


def mode_of(parts: Sequence[str]) -> str:
    """Return the first save mode among a command's arguments; `append` if none is printed.

    The text of a query may follow, which has its own output mode (`SaveAsV1TableCommand`, 4.1+).
    """
    for part in parts:
        if part in MODES:
            return MODES[part]
    return "append"


def names_of(parts: Sequence[str], count: int) -> tuple[str, ...]:
    """Return the column names in a command's last list.

    Returns:
        The names; empty if Spark truncated them, or if their number is not `count`.
    """
    listed = [part for part in parts if is_list(part)]
    if not listed:
        return ()
    names = read(EXPRESSIONS, inner(listed[-1]))
    return tuple(map(unescaped, names)) if not names.missing and len(names) == count else ()


def columns_of(outputs: Sequence[Output], names: Sequence[str] = ()) -> tuple[Output, ...]:
    """Return the target's columns: the written outputs, by position.

    Args:
        names: The target's names for them; empty if unknown.
    """
    if len(names) != len(outputs):
        return tuple(outputs)
    return tuple(Output(name, output.expr_id, output.derivation) for name, output in zip(names, outputs, strict=True))


def topic_of_rows(outputs: Iterable[Output], servers: str) -> Dataset | None:
    """Return the topic that all rows name in their `topic` column; Kafka uses it if no option names one.

    Args:
        servers: The brokers; empty if unknown.
    """
    for output in outputs:
        if output.name == "topic" and not output.derivation.sources:
            words = [str(getattr(part, "text", part)) for part in output.derivation.parts]
            if len(words) == 1 and words[0].strip():
                return topic(words[0].strip(), servers)
    return None


def columns_of_topic(outputs: Iterable[Output]) -> tuple[Output, ...]:
    """Return the columns of a topic: the written outputs without the one that names the topic."""
    return tuple(output for output in outputs if output.name != "topic")


def is_truncated(below: Flow) -> bool:
    """Return whether Spark truncated a list in the logical tree below a command: there may be more columns."""
    hidden = any(output.expr_id < 0 and output.derivation.is_truncated for output in below.outputs)
    return hidden or any(gap.reason is GapReason.TRUNCATED_FIELDS for gap in below.gaps)


def with_static_partitions(columns: tuple[Output, ...], static: Sequence[tuple[str, str]]) -> tuple[Output, ...]:
    """Return the target's columns with the partition columns whose values are in the statement."""
    known = {column.name.lower() for column in columns}
    fixed = tuple(Output(name, -1, generated(value)) for name, value in static if name.lower() not in known)
    return columns + fixed


def static_partitions(part: str) -> list[tuple[str, str]]:
    """Return names and values of static partitions.

    >>> static_partitions("[part=7]"), static_partitions("[p=Some(1)]")
    ([('part', '7')], [('p', '1')])
    """
    pairs = []
    for item in items_of(part):
        name, equals, value = item.partition("=")
        if equals and value != "None":
            pairs.append((name, value.removeprefix("Some(").removesuffix(")")))
    return pairs


def attribute_list(part: str) -> list[str]:
    """Return the names in a list of attributes.

    >>> attribute_list("[part#160, dt#161]")
    ['part', 'dt']
    """
    found = (read_attribute(item) for item in items_of(part))
    return [attribute[0] for attribute in found if attribute]


def written(op: Operation, below: Flow, write: Write) -> Flow:
    """Return the flow of a command that writes the rows below it."""
    return Flow(
        conditions=below.conditions,
        reads=below.reads,
        write=write,
        command=op.node.operator,
        gaps=below.gaps,
    )


def without_required_sort(op: Operation, parts: Sequence[str]) -> Flow:
    """Return the input of a write, without the sort by partition and bucket columns that the write requires."""
    below = op.raw_input.completed()
    if below.ordering is None:
        return below
    partitions = [item for part in parts if is_list(part) and "#" in part for item in items_of(part)]
    required = {text for text in below.ordering.texts if _BUCKET_SORT.match(text) or _unwrapped(text) in partitions}
    if any(part.startswith("sort columns: ") for part in parts):
        required |= set(below.ordering.texts)
    return below.ordered_for(required)


def _unwrapped(text: str) -> str:
    return text.removeprefix("empty2null(").removesuffix(")") if text.startswith("empty2null(") else text


def without_required_order(below: Flow) -> Flow:
    """Return the input of a V2 write, without an order within its partitions, which the connector requires.

    Source: `RequiresDistributionAndOrdering` (3.2+): Iceberg sorts by partition transforms and by the table's declared
    order. A user's `SORT BY` cannot be distinguished; an `ORDER BY` is global, and is a condition.
    """
    settled = below.completed()
    return settled.ordered_for(settled.ordering.texts) if settled.ordering is not None else settled


def options_of(printed: str) -> dict[str, str]:
    """Return the options of a save or a relation, `[url=*********(redacted), dbtable=sales.daily]`, in lower case."""
    pairs = (item.partition("=") for item in items_of(printed) if "=" in item) if is_list(printed) else ()
    return {key.lower(): value for key, _, value in pairs}


def catalog_table(text: str, start: int = 0) -> tuple[str, ...]:
    r"""Return the name in a `CatalogTable(\nCatalog: …\nDatabase: …\nTable: …\n` at an offset.

    Returns:
        The parts of the name; empty if there is no such text at the offset.

    >>> catalog_table("CatalogTable(\nDatabase: sales\nTable: orders\n")
    ('sales', 'orders')
    """
    match = _CATALOG_TABLE.match(text, start)
    return tuple(word for word in (match["catalog"], match["database"], match["table"]) if word) if match else ()


class TableSpec(NamedTuple):
    """The table in a V2 `CREATE TABLE`: its format, and its location if the statement has one."""

    format: str = ""
    location: str = ""
    managed: bool = False


def table_spec(text: str) -> TableSpec:
    """Read `TableSpec(Map(…),Some(delta),Map(…),None,…)`: properties, provider, options, location (3.3+).

    >>> table_spec("TableSpec(Map(),Some(delta),Map(),None,None,None,false)").format
    'delta'
    """
    match = _TABLE_SPEC.search(text)
    if match is None:
        return TableSpec()
    location = naming.path_name(match["location"]) if match["location"] else ""
    return TableSpec((match["format"] or "").lower(), location, managed=not location)


def written_table(op: Operation, name: str) -> Dataset | None:
    """Return the table that a write names; None for a name without its catalog that cannot be completed."""
    for each in formats():
        if each.tables.owns_write(op):
            named: Dataset | None = each.tables.written(op, name)
            return named
    return naming.table(name) if naming.is_complete(name) else None


def names_of_query(parts: list[str]) -> tuple[str, ...]:
    """Return the names of the columns in the line of the logical plan."""
    found = [read_attribute(item.rpartition(" AS ")[2]) for item in items_of_query(parts)]
    return tuple(attribute[0] for attribute in found if attribute)


def items_of_query(parts: list[str]) -> list[str]:
    """Return the outputs in the line of the logical plan, as printed; only the first ones if Spark truncated them."""
    return list(_listed(parts))


def columns_of_query(parts: list[str]) -> tuple[tuple[str, ...], int]:
    """Return the names of the columns in the line of the logical plan, and the number of those that Spark truncated.

    Returns:
        Nothing and 0 if the line does not list named columns only.
    """
    names = names_of_query(parts)
    listed = _listed(parts)
    return (names, listed.missing) if len(names) == len(listed) else ((), 0)


def is_truncated_query(parts: list[str]) -> bool:
    """Return whether Spark truncated the columns in the line of the logical plan: `[id#1L, … 38 more fields]`."""
    return _listed(parts).missing > 0


def _listed(parts: list[str]) -> Listed:
    for index, part in enumerate(parts):
        if part.startswith("Aggregate [") and index + 1 < len(parts) and is_list(parts[index + 1]):
            return read(NAMED, inner(parts[index + 1]))  # its keys precede its results
        if match := _LISTING.match(part):
            columns = match["columns"]
            return read(NAMED, _TIGHT_COMMA.sub(r"\1, ", columns) if part.startswith("Relation ") else columns)
    return EMPTY


def stored_table_name(name: str, class_name: str, catalog: str) -> str:
    """Return the full name of a table that a command prints as the user wrote it.

    The session catalog stores names in lower case (`SessionCatalog.formatTableName`), as other plans print them.

    Args:
        name: `ns.t`.
    """
    is_session = catalog == naming.SESSION_CATALOG and class_name in contributions("catalogs.session")
    return naming.name_in_catalog(name.lower() if is_session else name, catalog)


def is_session_catalog(class_name: str) -> bool:
    """Return whether a class is Spark's session catalog or a table format's extension of it."""
    return class_name.endswith(".V2SessionCatalog") or class_name in contributions("catalogs.session")


def catalog_name(op: Operation, class_name: str) -> str:
    """Return the name of the catalog that a command prints as `CLASS@HASH`; a gap if several catalogs have the class.

    Returns:
        The name; `unknown@<application>` if nothing in the log shows it; the session catalog's in a plan without
        an application.
    """
    name = op.plan.catalogs.get(class_name)
    if name:
        return name
    if name is None and (not op.plan.application or is_session_catalog(class_name)):
        return naming.SESSION_CATALOG
    short = class_name.rpartition(".")[2]
    op.gap(
        GapReason.UNKNOWN_TARGET,
        f"the plan prints its catalog as {short}, and several catalogs of the application are a {short}"
        if name is not None
        else f"the plan prints its catalog as {short}, and no setting in the log names a {short}",
        "read or write a table of the catalog by its name in the same application, after creating it",
    )
    return f"{naming.UNKNOWN}@{op.plan.application}"
