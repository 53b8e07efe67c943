"""Read the targets of commands: table, path and mode in their arguments, and columns with their values."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.streams import topic
from eventlog_lineage.extensions import contributions, formats
from eventlog_lineage.model import Dataset, GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import any_of, truncated
from eventlog_lineage.operators.flow import Condition, Flow, Output, has_gap
from eventlog_lineage.operators.operation import Operation, Scope
from eventlog_lineage.operators.scans import column_names, generated
from eventlog_lineage.plan.grammar.attribute_ids import (
    CAPTURED_ID,
    WORD_PATTERN,
    attribute_of,
    read_attribute,
    unescaped,
)
from eventlog_lineage.plan.grammar.symbols import (
    EMPTY,
    EXPRESSIONS,
    NAMED,
    TIGHT,
    Listed,
    inner,
    is_list,
    items_of,
    listed,
    read,
    read_arguments,
)
from eventlog_lineage.plan.tree.nodes import PlanNode
from eventlog_lineage.plan.tree.truncation import SYNTHETIC
from eventlog_lineage.plan.unresolved.parsed_clauses import ASSIGNMENT

MODES = {"Append": "append", "Overwrite": "overwrite", "ErrorIfExists": "create", "Ignore": "create"}
"""`SaveMode` to the store's modes."""

JDBC_CATALOG = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
"""Its tables are printed without their catalog."""
_LISTING = re.compile(
    r"^(?:Project|Relation|LocalRelation|LogicalRDD|RelationV2)\b[^\[]*\[(?P<columns>.*)\]", re.DOTALL
)
"""The line of a logical plan next to a write, if it lists the operator's outputs."""
_BUCKET_SORT = re.compile(r"^(?:pmod\(\(?(?:hive-|collation_aware_)?hash\(|bitwise|bucket)")
_QUOTED_TABLE = re.compile(r"^`(?:[^`]|``)+`(?:\.`(?:[^`]|``)+`)*")
_CATALOG_TABLE = re.compile(
    r"CatalogTable\(\n(?:Catalog: (?P<catalog>.*)\n)?Database: (?P<database>.*)\nTable: (?P<table>.*)\n"
)
_NAMED_WRITE = re.compile(r"\(table=([^,)]+)")
_PRINTED_CATALOG = re.compile(r"^([\w$.-]+)(?:@[0-9a-f]+|\(([\w-]+)\))$")
_TABLE_LOCATION = re.compile(r"\nLocation: (\S.*)\n")
_TABLE_SPEC = re.compile(
    r"\bTableSpec\((?:Hash)?Map\(.*?\),(?:Some\((?P<format>\w+)\)|None),(?:Hash)?Map\(.*?\),"
    r"(?:None|Some\((?P<location>[^()]*)\)),",
    re.DOTALL,
)


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


def session_table(op: Operation, parts: Sequence[str]) -> tuple[Dataset | None, bool]:
    """Return the table that a command of the session catalog names first, and whether its database is assumed.

    `CREATE TABLE t LIKE s` prints `t` in all versions (2.4 to 4.3), `saveAsTable` up to 3.3 and from 4.1 on; other
    evidence in the application may show the database (`catalog.session_catalog`).
    """
    table = table_of(parts[:1])
    match = _QUOTED_TABLE.match(parts[0]) if parts else None
    if table is None or match is None or len(naming.split_name(match[0])) > 1:
        return table, False
    known = op.plan.tables.of_session(match[0])
    return (naming.table(known), False) if known else (table, True)


def mode_of(parts: Sequence[str]) -> str:
    """Return the first save mode among a command's arguments; `append` if none is printed.

    The text of a query may follow, which has its own output mode (`SaveAsV1TableCommand`, 4.1+).
    """
    return MODES.get(_save_mode(parts), "append")


def is_optional(parts: Sequence[str]) -> bool:
    """Return whether a command has no effect if its target exists, by its save mode."""
    return _save_mode(parts) == "Ignore"


def _save_mode(parts: Sequence[str]) -> str:
    return next((part for part in parts if part in MODES), "")


def names_of(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the column names in a command's last list; empty if Spark truncated them."""
    lists = [part for part in parts if is_list(part)]
    names = read(EXPRESSIONS, inner(lists[-1])) if lists else Listed()
    return () if names.missing else tuple(map(unescaped, names))


def columns_of(outputs: Sequence[Output], names: Sequence[str] = ()) -> tuple[Output, ...]:
    """Return the target's columns: the written outputs, by position.

    Args:
        names: The target's names for them; empty if unknown.
    """
    if len(names) != len(outputs):
        return tuple(outputs)
    return tuple(Output(name, output.expr_id, output.derivation) for name, output in zip(names, outputs, strict=True))


def listed_columns(outputs: Sequence[Output], names: Sequence[str]) -> tuple[Output, ...]:
    """Return the columns of a target whose names a command lists: by position, or by name if some are unknown.

    Args:
        outputs: The outputs below the command; fewer or others than it writes, if Spark truncated the plan.
        names: Its list; empty if Spark truncated it.

    Returns:
        The columns; `... 2 more fields` after them for those without an output.
    """
    printed = ", ".join(column_names(outputs))  # names with commas are several here
    fits = len(names) == len(outputs) and not _is_in_another_order(outputs, names)
    if not names or fits or printed.lower() == ", ".join(names).lower():
        return columns_of(outputs, names)
    if outputs and listed([outputs[-1].name]).missing and outputs[-1].expr_id < 0:
        found = columns_of(outputs[:-1], names[: len(outputs) - 1])
    else:
        known = {output.name.lower(): output for output in outputs}
        found = tuple(filter(None, (known.get(name.lower()) for name in names)))
    hidden = f"... {len(names) - len(found)} more fields"
    return (*found, Output(hidden, -1, truncated(hidden, {})))


def lacks_name(output: Output) -> bool:
    """Return whether an output is an aggregate's function whose result no text names."""
    return output.expr_id >= SYNTHETIC and output.name.endswith(")")


def _is_in_another_order(outputs: Sequence[Output], names: Sequence[str]) -> bool:
    """Return whether the keys of an aggregate whose results no text lists have their names at other places."""
    listed_names = {name.lower() for name in names}
    moved = (
        output.name.lower() != name.lower() and output.name.lower() in listed_names
        for output, name in zip(outputs, names, strict=True)
    )
    return any(map(lacks_name, outputs)) and any(moved)


def topic_of_rows(outputs: Iterable[Output], servers: str) -> Dataset | None:
    """Return the topic that all rows name in their `topic` column; Kafka uses it if no option names one."""
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
    return hidden or has_gap(below.gaps, GapReason.TRUNCATED_FIELDS)


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


def without_required_sort(op: Operation, parts: Sequence[str]) -> Flow:
    """Return the input of a write, without the sort by partition and bucket columns that the write requires."""
    below = op.raw_input.completed()
    if below.ordering is None:
        return below
    partitions = list(chain.from_iterable(items_of(part) for part in filter(is_list, parts) if "#" in part))
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
    """Return the options of a save or a relation, with keys in lower case.

    >>> options_of("[url=*********(redacted), query=select a, b from t, Table=u]")
    {'url': '*********(redacted)', 'query': 'select a, b from t', 'table': 'u'}
    """
    found: dict[str, str] = {}
    for item in items_of(printed) if is_list(printed) else ():
        key, equals, value = item.partition("=")
        if equals and not key.strip(_OF_KEYS):
            found[key.lower()] = value
        elif found:
            found[next(reversed(found))] += f", {item}"
    return found


_OF_KEYS = f"{string.ascii_letters}{string.digits}._-"


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
    >>> table_spec("TableSpec(HashMap(a -> 1, …, e -> 5),Some(iceberg),Map(),Some(/x),None,None,false)").location
    'file:///x'
    """
    match = _TABLE_SPEC.search(text)
    if match is None:
        return TableSpec()
    location = naming.path_name(match["location"]) if match["location"] else ""
    return TableSpec((match["format"] or "").lower(), location, managed=not location)


def name_in_write(text: str) -> str:
    """Return the table that a write prints, `IcebergWrite(table=lake.shop.orders, …)`; empty without one."""
    match = _NAMED_WRITE.search(text)
    return match[1] if match else ""


def printed_catalog(text: str) -> tuple[str, str] | None:
    """Return class and name of a catalog; an object's hash code hides the name.

    >>> printed_catalog("org.acme.Catalog@3a02864d"), printed_catalog("org.acme.Catalog(lake)"), printed_catalog("`t`")
    (('org.acme.Catalog', ''), ('org.acme.Catalog', 'lake'), None)
    """
    match = _PRINTED_CATALOG.match(text)
    return (match[1], match[2] or "") if match else None


def written_table(op: Operation, name: str) -> Dataset | None:
    """Return the table that a write names; None for a name without its catalog that cannot be completed."""
    for each in formats():
        if each.tables.owns_write(op):
            named: Dataset | None = each.tables.written(op, name)
            return named
    return naming.table(name) if naming.is_complete(name) else None


def names_of_query(parts: list[str]) -> tuple[str, ...]:
    """Return the names of the columns in the line of the logical plan."""
    found = [read_attribute(item.rpartition(" AS ")[2]) for item in listed_query(parts)]
    return tuple(attribute[0] for attribute in found if attribute)


def columns_of_query(parts: list[str]) -> tuple[tuple[str, ...], int]:
    """Return the names of the columns in the line of the logical plan, and the number of those that Spark truncated.

    Returns:
        Nothing and 0 if the line does not list named columns only.
    """
    names = names_of_query(parts)
    listed = listed_query(parts)
    return (names, listed.missing) if len(names) == len(listed) else ((), 0)


def listed_query(parts: list[str]) -> Listed:
    """Return the outputs in the line of the logical plan, as printed: `[id#1L, … 38 more fields]`."""
    for index, part in enumerate(parts):
        if part.startswith("Aggregate [") and index + 1 < len(parts) and is_list(parts[index + 1]):
            return read(NAMED, inner(parts[index + 1]))  # its keys precede its results
        if match := _LISTING.match(part):
            return read(TIGHT if part.startswith("Relation ") else NAMED, match["columns"])  # as of `simpleString`
    return EMPTY


def catalog_name(op: Operation, class_name: str) -> str:
    """Return the name of the catalog that a command prints as `CLASS@HASH`; a gap if several catalogs have the class.

    Returns:
        The name; `unknown@<application>` if nothing in the log shows it; the session catalog's in a plan without
        an application.
    """
    name = op.plan.catalogs.get(class_name)
    if name:
        return name
    is_session = class_name.endswith(".V2SessionCatalog") or class_name in contributions("catalogs.session")
    if name is None and (not op.plan.application or is_session):
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


_REWRITTEN = frozenset({"__row_operation", "__row_id", "__row_from_source", "__row_from_target", "_metadata"})
"""Columns that Spark's row-level rewrites (3.5+) add to those of a table."""


@cache
def row_columns() -> frozenset[str]:
    """Return the columns that row-level rewrites of Spark and of table formats add to a table's."""
    return _REWRITTEN.union(*(each.columns.of_rows for each in formats()))


def assigned(outputs: Iterable[Output], target: str) -> tuple[Output, ...]:
    """Return the columns that a row-level command assigns, each with the combination of its values.

    Args:
        outputs: The values of columns, one output per value, in the order of the columns; names can repeat.
        target: The dataset that is changed: a value that a row keeps is not an assignment.

    Returns:
        One output per assigned column, in the order of their first values.
    """
    values: dict[str, list[Output]] = {}
    for output in outputs:
        if output.name not in row_columns() and not is_unchanged(output, target):
            values.setdefault(output.name, []).append(output)
    return tuple(
        Output(name, found[0].expr_id, any_of([each.derivation for each in found])) for name, found in values.items()
    )


def is_unchanged(output: Output, target: str) -> bool:
    """Return whether an output is the row's own value, unchanged."""
    sources = output.derivation.sources
    return len(sources) == 1 and any(
        origin.dataset == target and origin.column.lower() == output.name.lower() and kind is Transformation.IDENTITY
        for origin, kind in sources
    )


_ACTION = re.compile(r"^(\w+)action(?:star)?\((.*)\)$", re.DOTALL)
_ASSIGNED = re.compile(rf"\bassignment\(([^,()#]+){CAPTURED_ID},")
_CONDITION = re.compile(r"^Some\((.*)\)$", re.DOTALL)


def clauses(op: Operation, parts: Iterable[str], scope: Scope) -> tuple[list[Condition], list[Output]]:
    """Return the clauses of `[updateaction(Some((a#1 < 1)), assignment(b#2, c#3), …)], [insertaction(…)]`.

    Source: `MergeAction.simpleString` in Catalyst, 3.2 to 4.x.

    Args:
        parts: Its arguments; those that are not lists of actions are ignored.

    Returns:
        The conditions, and per assignment an output with name and id of the target's attribute.
    """
    conditions: list[Condition] = []
    values: list[Output] = []
    for part in parts:
        for action in items_of(part) if is_list(part) else ():
            found = _ACTION.match(action)
            for item in op.complete(read(EXPRESSIONS, found[2]), "assignments of a clause") if found else ():
                if condition := _CONDITION.match(item):
                    conditions.append(Condition(op.bind(condition[1], scope), Transformation.FILTER))
                elif assignment := ASSIGNMENT.match(item):
                    name, value = [*read_arguments(assignment[1]), ""][:2]
                    values.append(Output(*(attribute_of(name)), op.bind(value, scope)))
    return conditions, values


def assigned_attributes(text: str) -> dict[int, str]:
    """Return the attributes that the clauses of a command assign, `assignment(id#1L, id#2L)`: id to name."""
    return {int(expr_id): name for name, expr_id in _ASSIGNED.findall(text)}


def source_attributes(command: PlanNode) -> list[tuple[str, int]]:
    """Return the attributes that are certainly a MERGE's source's: not assigned, and with a unique name."""
    text = command.text("Arguments")
    own = assigned_attributes(text)
    others = {(name, int(expr_id)) for name, expr_id in WORD_PATTERN.findall(text) if int(expr_id) not in own}
    names = Counter(name for name, _ in others)
    return sorted(each for each in others if names[each[0]] == 1)
