"""Relations of other systems: their tables, columns and conditions, through the declarations of connectors.

Scans, logical relations, saves, V2 writes and temporary views ask here; nothing else reads what connectors print.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat

from eventlog_lineage.connectors.connector import JDBC, requested_write
from eventlog_lineage.connectors.identify import (
    COLUMNS,
    REDACTED,
    Identified,
    dialect_of,
    identify,
    identify_catalog_table,
    in_catalog,
    split_table,
    table_dataset,
)
from eventlog_lineage.connectors.query import read_query
from eventlog_lineage.connectors.query_lineage import Query, QueryCondition, SourceColumn, Uses
from eventlog_lineage.datasets import naming
from eventlog_lineage.model import EXACT, OPAQUE, Dataset, GapReason, Influence, Transformation, merge
from eventlog_lineage.operators.derivations.derivation import Constant, Derivation, Origin, of_type
from eventlog_lineage.plan.grammar.symbols import Listed, items_of
from eventlog_lineage.plan.grammar.types import printed_fields
from eventlog_lineage.plan.tree.nodes import PlanNode

from .flow import Condition, Conjunct, Flow, Output, Read
from .operation import Operation
from .scans import column_names, columns_flow, filters_on, predicate_columns, source, unnamed_source

SQL = "External engine query"
"""The label of the SQL that a scan sends, in the dialect of its database (`RowDataSourceScanExec`, 4.1+)."""

_UNPRINTED = frozenset(("Output", SQL))
_LITERAL = re.compile(r"('(?:[^']|'')*'|\b\d+(?:\.\d+)?\b)")
_FILTER_CALL = re.compile(r"^\*?(?:[A-Z][a-z]+)+\(")
"""A filter of the V1 API, `EqualTo(city,Rome)`; V2 predicates are SQL, `city = 'Rome'`."""
_NOT_NULL = re.compile(r"^\S+ IS NOT NULL$|^NOT \(?\S+ IS NULL\)?$")
_ESCAPE = " ESCAPE '\\'"
"""The escape that Spark prints after each LIKE: a backslash, which ends no literal (`V2ExpressionSQLBuilder`, 3.3+)."""
_AGGREGATE = re.compile(r"^(?:AVG|COUNT|MAX|MIN|SUM)\(.+\)$", re.DOTALL)
_PUSHED = ("PushedAggregates", "PushedGroupByExpressions", "PushedFilters", "PushedTopN")
_SESSION_TABLE = re.compile(r"(?:`?spark_catalog`?\.)?(?:[\w-]+\.[\w-]+|`[^`]+`\.`[^`]+`)")
_JOINED = re.compile(r"Relation: ((?:[^\s.,]+\.)+[^\s.,]+)$", re.MULTILINE)
_UNPRINTED_JOIN = "as extended and simple text do not print joins of a database"
_FOOTERS = ("PushedAggregation", "PushedGroupBy")
"""What a V2 scan of Parquet or ORC files reads in their footers (`AggregatePushDownUtils`, 3.3+)."""
_SCANNED = "scanned"

Items = Iterable[tuple[str, int]]
DatasetOf = Callable[[Sequence[str]], Dataset | None]


def printed_relation(node: PlanNode) -> str:
    """Return what a scan prints: its name, then its description and fields."""
    fields = (
        f"{label}: {field.text}" if label else field.text
        for label, field in node.fields.items()
        if label not in _UNPRINTED
    )
    return "\n".join((node.argument, *fields))


def scanned_relation(op: Operation) -> Flow | None:
    """Return the flow of a scan that a connector declares; None for other scans."""
    found = identify(printed_relation(op.node), settings=op.plan.settings)
    if found is None or _lacks_path(found) or (_is_unnamed(found) and table_after_relation(op.node.argument)):
        return None
    attributes = op.node.attributes("Output")
    if (flow := _of_query(op, found, attributes)) is not None:
        return flow
    dataset = found.dataset or unnamed_relation(op, found)
    if pushed := _pushed_query(op.node) or _aggregate_query([name for name, _ in attributes]):
        query = _generated(read_query(pushed, "spark"))
        return _query_flow(op, query, attributes, lambda _: dataset, by_position=True)
    return _relation_flow(op, found, dataset)


def _of_query(op: Operation, found: Identified, attributes: Items) -> Flow | None:
    """Return the flow of a scan that sends SQL, or that lets the database join tables; None for other scans."""
    if sql := op.node.text(SQL).strip():
        dialect = dialect_of(found.connector, found.fields, sql)
        own = read_query(found.query.text, found.query.dialect).conditions if found.query is not None else ()
        query = _generated(read_query(sql, dialect), own)
        return _query_flow(op, query, attributes, _tables_of(found), by_position=True)
    if found.query is not None:
        return _query_flow(op, read_query(found.query.text, found.query.dialect), attributes, _tables_of(found))
    if joined := _JOINED.findall(op.node.text("PushedJoins")):
        tables = tuple(tuple(each.split(".")[1:]) for each in joined)
        return _query_flow(op, Query(tables=tables, unparsed=_UNPRINTED_JOIN), attributes, _tables_of(found))
    return None


def aggregated_files(op: Operation, dataset: Dataset) -> Flow | None:
    """Return the flow of a scan of files' footers; None for other scans: `PushedAggregation: [MAX(id), COUNT(*)]`."""
    calls, keys = (list(filter(None, items_of(op.node.text(label)))) for label in _FOOTERS)
    if not calls:
        return None
    query = read_query(f"SELECT {', '.join((*keys, *calls))} FROM {_SCANNED}", "spark")
    return _query_flow(op, query, op.node.attributes("Output"), lambda _: dataset, by_position=True)


def _relation_flow(op: Operation, found: Identified, dataset: Dataset) -> Flow:
    """Return the flow of a scan of a dataset's columns."""
    types = _types_of(op.node)
    outputs = tuple(
        Output(name, expr_id, source(dataset.name, name, types.get(name, "")))
        for name, expr_id in op.node.attributes("Output")
    )
    names, schema = column_names(outputs), op.node.text("ReadSchema")
    relation, bracket, table = op.node.argument.rpartition("] ")
    symlink = session_name(table if relation and bracket else table_after_relation(table))
    separate = naming.separate_paths(dataset)
    reads = tuple(Read(each, names, op.node.name, schema=schema, symlink=symlink) for each in separate)
    filters = applied_filters(op, lambda column: source(dataset.name, column))
    return Flow(outputs=outputs, reads=reads).with_conditions(*_filters(op, found, dataset), *filters)


def _lacks_path(found: Identified) -> bool:
    return _is_unnamed(found) and found.connector.kind == "path"


def _is_unnamed(found: Identified) -> bool:
    return found.dataset is None and found.query is None


def table_after_relation(argument: str) -> str:
    """Return the table of the session catalog whose relation a scan prints before its name; empty for none.

    >>> table_after_relation("org.apache.spark.sql.redis.RedisSourceRelation spark_catalog.default.people")
    'spark_catalog.default.people'
    """
    relation, _, table = argument.rpartition(" ")
    return table if relation and re.fullmatch(r"[\w-]+\.[\w-]+\.[\w.-]+", table) else ""


def session_name(printed: str) -> str:
    """Return the name of the session catalog's table that a relation of another system prints; empty for other text.

    `Scan JDBCRelation(sales.orders) [numPartitions=1] spark_catalog.default.t` (`RowDataSourceScanExec`; `default.t` up
    to 3.3), `` JDBCRelation(sales.orders) [numPartitions=1], [id#1L], `spark_catalog`.`default`.`t`, false ``.

    >>> session_name("default.t"), session_name("`spark_catalog`.`default`.`t`"), session_name("[numPartitions=1]")
    ('spark_catalog.default.t', 'spark_catalog.default.t', '')
    """
    return naming.table_name(printed) if _SESSION_TABLE.fullmatch(printed) else ""


def unnamed_relation(op: Operation, found: Identified) -> Dataset:
    """Return the dataset of a relation of a known connector that nothing names, with a gap."""
    missing = found.connector.missing[-1] if found.connector.missing else "its table"
    name = found.connector.name
    return unnamed_source(
        op,
        f"{op.node.argument or op.node.text('Arguments')[:200]}: the log does not have {missing}",
        f"read the {found.connector.system or name} table by a name that plans print, or by a catalog",
        name,
    )


def _tables_of(found: Identified) -> DatasetOf:
    """Return the function from the parts of a table's name in SQL to its dataset."""

    def dataset_of(parts: Sequence[str]) -> Dataset | None:
        fields = {key: value for key, value in found.fields.items() if key not in ("relation", "table", "query")}
        catalog = fields.get("catalog_table", "").partition(".")[0]
        quoted = ".".join(f'"{part}"' for part in parts)
        if catalog and not fields.get("url"):
            full = ".".join((catalog, *parts))
            named = identify_catalog_table(full, found.settings)
            return named or Dataset(full, found.connector.kind, found.connector.name)
        return table_dataset(found.connector, {**fields, "table": quoted, "catalog": catalog}, found.settings)

    return dataset_of


def _pushed_query(node: PlanNode) -> str:
    """Return SQL with what a V2 scan applies itself: `PushedFilters: [amount > 20.00]`; empty if it applies nothing.

    Spark up to 4.0 prints no SQL, but predicates, keys and aggregates as SQL (`PushDownUtils`, `V1ScanWrapper`).
    """
    calls, keys, filters = (list(filter(None, items_of(node.text(label)))) for label in _PUSHED[:3])
    order = node.text(_PUSHED[3]).partition("ORDER BY [")[2]  # without its end if Spark abbreviated it
    tests = [f"({each.replace(_ESCAPE, '')})" for each in filters if not _FILTER_CALL.match(each)]
    parts = {"WHERE": " AND ".join(tests), "GROUP BY": ", ".join(keys), "ORDER BY": order.rpartition("]")[0] or order}
    clauses = "".join(f" {word} {text}" for word, text in parts.items() if text)
    if not calls and not clauses:
        return ""
    columns = ", ".join((*keys, *calls)) or "*"
    return f"SELECT {columns} FROM {_SCANNED}{clauses}"


def _aggregate_query(names: Sequence[str]) -> str:
    """Return SQL with the aggregates that a V2 scan applies without printing them; empty if it applies none.

    Its columns have the names of the aggregates, and those of the keys (Neo4j 5.0: `city#68, MAX(id)#69L`).
    """
    quoted = [name if _AGGREGATE.match(name) else f"`{name.replace('`', '``')}`" for name in names]
    keys = [each for each in quoted if each.startswith("`")]
    if len(keys) == len(names):
        return ""
    return f"SELECT {', '.join(quoted)} FROM {_SCANNED}" + (f" GROUP BY {', '.join(keys)}" if keys else "")


def _query_flow(
    op: Operation, query: Query, attributes: Items, dataset_of: DatasetOf, *, by_position: bool = False
) -> Flow:
    """Return the flow of a scan that sends SQL.

    Args:
        by_position: The attributes are the query's columns, in order; otherwise they have their names.
    """
    listed = list(attributes)
    datasets = {parts: found for parts in query.tables if (found := dataset_of(parts)) is not None}
    confidence = OPAQUE if query.unparsed else EXACT
    known = _known_columns(op.plan.settings)
    in_order = by_position and len(query.columns) == len(listed) and not query.star_tables
    columns = query.columns if in_order else [query.column(name, known) for name, _ in listed]
    lacking = [] if in_order else [f"a column {name}" for name, _ in listed if query.lacks(name)]
    _report_unread(op, replace(query, unresolved=(*query.unresolved, *lacking)), datasets.values())
    types = _types_of(op.node)
    outputs = tuple(
        Output(
            name,
            expr_id,
            of_type(_derivation(column.uses, column.text or name, datasets, confidence), types.get(name, "")),
        )
        for (name, expr_id), column in zip(listed, columns, strict=True)
    )
    conditions = [
        _condition(op, _derivation(each.uses, each.text, datasets, confidence), each.kind, may_be_inferred=each.is_test)
        for each in query.conditions
    ]
    conditions += applied_filters(
        op, lambda name: _derivation(query.column(name, known).uses, name, datasets, confidence)
    )
    return Flow(outputs=outputs, reads=tuple(_reads(op, datasets, outputs, conditions))).with_conditions(*conditions)


def _types_of(node: PlanNode) -> Mapping[str, str]:
    """Return attribute to type, of those that `ReadSchema` lists (`RowDataSourceScanExec`)."""
    return dict(printed_fields(node.text("ReadSchema")))


def _report_unread(op: Operation, query: Query, datasets: Iterable[Dataset]) -> None:
    if query.unparsed:
        tables = ", ".join(each.name for each in datasets) or "none"
        op.gap(
            GapReason.UNPARSED_QUERY,
            f"the SQL of {op.node.name[:60]} cannot be read, {query.unparsed}; its tables: {tables}"[:500],
            "please report it with the SQL; its columns are those of all its tables",
        )
    if query.unresolved:
        detail = f"the SQL does not list {'; '.join(query.unresolved)}"
        op.gap(GapReason.UNPARSED_QUERY, detail[:500], "name the columns: JOIN … USING (…), SELECT a, b")


def _known_columns(settings: Mapping[str, str]) -> dict[tuple[str, ...], frozenset[str]]:
    """Return the columns of the tables that other plans list."""
    return {
        tuple(split_table(key.removeprefix(COLUMNS))): frozenset(names.lower().split(","))
        for key, names in settings.items()
        if key.startswith(COLUMNS)
    }


def _sources(condition: QueryCondition) -> set[SourceColumn]:
    return {source for source, _ in condition.uses}


def _generated(query: Query, own: Iterable[QueryCondition] = ()) -> Query:
    """Return SQL that Spark made of a plan, without the tests `x IS NOT NULL` of columns that other conditions have.

    The optimizer infers them; the other tests may be inferred, too. All tests of users' own SQL are meant.

    Args:
        own: The conditions of the user's SQL within it.
    """
    meant = {frozenset(each.uses) for each in own}
    tests = [each for each in query.conditions if _NOT_NULL.match(each.text) and frozenset(each.uses) not in meant]
    others = [each for each in query.conditions if each not in tests]
    compared = set(chain.from_iterable(map(_sources, others)))
    kept = (replace(each, is_test=True) for each in tests if not _sources(each) <= compared)
    return replace(query, conditions=(*others, *kept))


def _condition(op: Operation, value: Derivation, kind: Transformation, *, may_be_inferred: bool) -> Condition:
    """Return a condition of a scan.

    Args:
        may_be_inferred: It is a test that a column is not null in a text of Spark: a join above may be its reason.
    """
    origins = dict.fromkeys(origin for origin, _ in value.sources)
    if len(origins) != 1 or not may_be_inferred:
        return Condition(value, kind)
    (origin,) = origins
    ids = [expr_id for name, expr_id in op.node.attributes("Output") if name.lower() == origin.column.lower()]
    if op.plan.user_tests.intersection(ids):
        return Condition(value, kind)
    return Condition(value, kind, conjuncts=(Conjunct(value, source(origin.dataset, origin.column)),))


def _derivation(uses: Uses, text: str, datasets: Mapping[tuple[str, ...], Dataset], confidence: int) -> Derivation:
    sources = {
        (Origin(datasets[each.table].name, each.column), kind): Influence(use.masking, max(confidence, use.confidence))
        for (each, kind), use in uses.items()
        if each.table in datasets
    }
    only = [origin for origin, _ in sources]
    if len(only) == 1 and all(kind is Transformation.IDENTITY for _, kind in sources):
        return Derivation(sources, (only[0],), None, only[0])
    parts = [Constant(piece) if index % 2 else piece for index, piece in enumerate(_LITERAL.split(text))]
    return Derivation(sources, tuple(parts))


def _reads(
    op: Operation,
    datasets: Mapping[tuple[str, ...], Dataset],
    outputs: Sequence[Output],
    conditions: Sequence[Condition],
) -> Iterable[Read]:
    used = [*(each.derivation for each in outputs), *(each.derivation for each in conditions)]
    origins = dict.fromkeys(origin for each in used for origin, _ in each.sources)
    for dataset in dict.fromkeys(datasets.values()):
        columns = tuple(origin.column for origin in origins if origin.dataset == dataset.name)
        types = dict(_types_in(dataset, (each.derivation for each in outputs)))
        schema = f"struct<{','.join(map(':'.join, types.items()))}>" if types else ""
        yield from (Read(each, columns, op.node.name, schema=schema) for each in naming.separate_paths(dataset))


def _types_in(dataset: Dataset, values: Iterable[Derivation]) -> Iterator[tuple[str, str]]:
    """Yield the columns of a table that values have unchanged, with their types as far as they are known."""
    for value in values:
        if value.column is not None and value.column.dataset == dataset.name and value.known_type:
            yield value.column.column, value.known_type


def _filters(op: Operation, found: Identified, dataset: Dataset) -> list[Condition]:
    """Return the filters that only a connector's description has: `Cassandra Filters: [["id" = ?, 2]]`."""
    text = printed_relation(op.node)
    matches = (match for pattern in found.connector.filters for match in pattern.finditer(text))
    named = (
        (match[0], [match["column"]]) if match.lastgroup else (match[1], _NAMES.findall(match[1])) for match in matches
    )
    return [each for printed, columns in named for each in filters_on(dataset, columns, printed)]


def _starred_filters(node: PlanNode) -> list[str]:
    text = node.text("PushedFilters").removeprefix("[").removesuffix("]")
    return [item[1:] for item in _APPLIED.split(text) if item.startswith("*")]


def applied_filters(op: Operation, value_of: Callable[[str], Derivation]) -> list[Condition]:
    """Return the filters that only the relation applies, `PushedFilters: [*IsNotNull(city), *EqualTo(city,Rome)]`.

    A star marks a filter that the relation applies itself, and that Spark removes from the plan
    (`RowDataSourceScanExec.metadata`, `handledFilters`, 2.x to 4.x). A Filter repeats the others.

    Args:
        value_of: Returns the value of a column of the relation.
    """
    columns = {item: predicate_columns(item, ignored="") for item in _starred_filters(op.node)}
    tests = {item for item in columns if item.startswith("IsNotNull(")}
    compared = set(chain.from_iterable(columns[item] for item in columns.keys() - tests))
    found: list[Condition] = []
    for item, names in columns.items():
        sources = merge(value_of(name).sources for name in names)
        if sources and (item not in tests or not compared.issuperset(names)):
            value = Derivation(sources, (Constant(item),))
            found.append(_condition(op, value, Transformation.FILTER, may_be_inferred=item in tests))
    return found


_APPLIED = re.compile(r", (?=\*?[A-Z]\w*\()")
_NAMES = re.compile(r'"([^"]+)"')


def logical_relation_flow(
    op: Operation, printed: str, attributes: Sequence[tuple[str, int]], options: Mapping[str, str]
) -> Flow | None:
    """Return the flow of a relation in a command's logical plan; None for one that no connector declares."""
    found = identify(printed, options, op.plan.settings, provider=printed.partition("@")[0].partition("(")[0])
    if found is None or _lacks_path(found):
        return None
    if found.query is not None:
        return _query_flow(op, read_query(found.query.text, found.query.dialect), attributes, _tables_of(found))
    dataset = found.dataset or _in_some_catalog(op, found, GapReason.UNKNOWN_SOURCE) or unnamed_relation(op, found)
    flow = columns_flow(op, (dataset,), attributes)
    return replace(flow, reads=tuple(replace(each, symlink=_quoted_name(op.node)) for each in flow.reads))


def flow_of_options(op: Operation, provider: str, options: Mapping[str, str], names: Sequence[str]) -> Flow | None:
    """Return the flow of a data source's options; None if no connector declares it, or if they name no table.

    Args:
        names: The columns that the statement lists; without them those that SQL in the options lists.
    """
    found = identify("", options, op.plan.settings, provider)
    if found is None or _is_unnamed(found):
        return None
    if found.dataset is not None:
        return columns_flow(op, (found.dataset,), zip(names, repeat(-1)))
    assert found.query is not None
    query = read_query(found.query.text, found.query.dialect)
    return _query_flow(op, query, zip(names or query.names, repeat(-1)), _tables_of(found))


def _quoted_name(relation: PlanNode) -> str:
    """Return the name of a table of the session catalog, which only a V1 relation prints, and in backquotes."""
    quoted = (each for each in relation.arguments if each.startswith("`"))
    return next(filter(None, map(session_name, quoted)), "")


def _in_some_catalog(op: Operation, found: Identified, reason: GapReason) -> Dataset | None:
    """Return the dataset of a table that several JDBC catalogs may have, with a gap; None for other relations."""
    table = found.fields.get("schema_table")
    if table is None or found.dataset is not None:
        return None
    objects = found.connector.catalogs if reason is GapReason.UNKNOWN_SOURCE else ()
    if named := next(filter(None, (table_in_catalog(op, table, each) for each in objects)), None):
        return named
    detail = f"the plan prints {table} without its catalog, and several JDBC catalogs may have it"
    op.gap(
        reason,
        detail,
        "read a table of each JDBC catalog in the same application, with Spark 4 or spark.sql.ui.explainMode=extended",
    )
    return Dataset(f"{naming.UNKNOWN}@{op.plan.application}.{table}", JDBC, JDBC)


def table_in_catalog(op: Operation, table: str, class_name: str) -> Dataset | None:
    """Return a table that a command prints next to the object of its JDBC catalog; None if several may have it.

    Args:
        table: `sales.daily`.
        class_name: The class of the catalog.
    """
    catalog = op.plan.catalogs.get(class_name)
    full = f"{catalog}.{table}" if catalog else in_catalog(table, op.plan.settings)
    if not full:
        return None
    return identify_catalog_table(full, op.plan.settings) or Dataset(full, "jdbc", "jdbc")


def saved_dataset(op: Operation, provider: str, options: Mapping[str, str]) -> tuple[Dataset | None, bool]:
    """Return the dataset that a save's options name, and whether a connector declares the provider.

    Args:
        provider: The provider's class or short name.
    """
    printed = {key: value for key, value in options.items() if REDACTED not in value}
    requested = requested_write(op.plan.settings)
    shown = dict(requested.options) if requested is not None and requested.format else {}
    found = identify("", {**options, **shown, **printed}, op.plan.settings, provider, "write")
    return (found.dataset, True) if found is not None else (None, False)


def requested_target(op: Operation) -> Dataset | None:
    """Return the table that the request of Spark Connect names and the plan of a write omits; None without one."""
    requested = requested_write(op.plan.settings)
    if requested is None:
        return None
    if requested.format:
        found = identify("", dict(requested.options), op.plan.settings, requested.format, "write")
        return found.dataset if found is not None else None
    name = dict(requested.options).get("table", "")
    known = identify_catalog_table(name, op.plan.settings)
    return known or (naming.table(name) if naming.is_complete(name) else None)


def written_by_connector(op: Operation, printed: str) -> tuple[Dataset | None, bool]:
    """Return the table that the text of a V2 write names, and whether a connector declares the text.

    Settings complete a name, but are none: options of the save, which no plan prints, override them.
    """
    found, bare = identify(printed, settings=op.plan.settings, direction="write"), identify(printed, direction="write")
    if found is None or bare is None or bare.dataset is None:
        return None, found is not None
    return found.dataset or _in_some_catalog(op, found, GapReason.UNKNOWN_TARGET), True


def inserted_relation(op: Operation, printed: str) -> Dataset | None:
    """Return the table that an INSERT INTO names by the relation of a data source; None if nothing names it."""
    found = identify(printed, settings=op.plan.settings, direction="write")
    return found.dataset if found is not None else None


def looked_up_relation(op: Operation, name: str, description: str, columns: Listed) -> Flow | None:
    """Return the flow of a scan that is an argument of a join; None for one that no connector declares."""
    found = identify(f"{name}\n{description}", settings=op.plan.settings)
    if found is None or found.dataset is None:
        return None
    flow = columns_flow(op, (found.dataset,), columns.attributes)
    return replace(flow, reads=(replace(flow.reads[0], node_name=f"BatchScan {name}"),))
