"""Tables and views that a command creates from a query, in the session catalog and in V2 catalogs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from eventlog_lineage.connectors.connector import connector_of_class
from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators import write_targets
from eventlog_lineage.operators.derivations.derivation import truncated
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import columns_flow, generated
from eventlog_lineage.operators.source_relations import flow_of_options
from eventlog_lineage.plan.grammar.attribute_ids import unescaped
from eventlog_lineage.plan.grammar.symbols import inner, is_list, read_arguments
from eventlog_lineage.plan.grammar.types import listed_fields, split_parts
from eventlog_lineage.plan.unresolved.view_sql import printed_columns

_VIEW_HINT = "statements that read the view print the tables and columns below it"
_HIVE_TABLE = re.compile(r"\[Database: ([^,\]]+), TableName: ([^,\]]+)")


@operator("CreateDataSourceTableAsSelectCommand", "SaveAsV1TableCommand")
def create_table_as_select(op: Operation) -> Flow:
    """Name the table, the mode and the columns; the written rows are below it or in a nested execution.

    `` Arguments: `cat`.`db`.`t`, Overwrite, [a, b] ``. Up to 3.3 the physical query is below; 3.4+ has a
    logical tree there, and the nested execution's InsertIntoHadoopFsRelationCommand writes. 4.1+ wraps both in
    SaveAsV1TableCommand for `saveAsTable`.
    """
    below = op.input
    parts = op.node.arguments
    found, is_database_assumed = write_targets.session_table(op, parts)
    table = op.known(found, below=below)
    columns = write_targets.listed_columns(below.outputs, write_targets.names_of(parts)) if below.outputs else None
    write = Write(
        table,
        write_targets.mode_of(parts),
        columns,
        is_database_assumed=is_database_assumed,
        is_optional=write_targets.is_optional(parts),
    )
    return op.writes(write, below)


@operator("CreateHiveTableAsSelectCommand", "OptimizedCreateHiveTableAsSelectCommand")
def create_hive_table_as_select(op: Operation) -> Flow:
    """Name a Hive table; a nested execution writes it.

    `Arguments: [Database: default, TableName: t]`
    """
    below = op.input
    match = op.known(_HIVE_TABLE.search(op.node.text("Arguments")), below=below)
    name = naming.table_name(f"`{match[1]}`.`{match[2]}`")
    columns = below.outputs or None
    return op.writes(Write(Dataset(name, "table", "hive"), "create", columns), below)


_USING = re.compile(
    r"tableIdent:(?P<name>`(?:[^`]|``)+`(?:\.`(?:[^`]|``)+`)*) (?P<schema>.*?)replace:(?:true|false) "
    r"provider:(?P<provider>\S+) \w*Map\((?P<options>.*)$",
    re.DOTALL,
)
_OPTION = re.compile(r"(?:^|, )([\w.]+) -> (.*?)(?=, [\w.]+ -> |\)?$)", re.DOTALL)
_USER_COLUMN = re.compile(r"(?:^\[|, )\((.*?),(?:None\)|Some\()")
"""A column that the statement names, which can have brackets and commas: `(late (min),None)`."""


@operator("CreateViewCommand", "AlterViewAsCommand")
def create_view(op: Operation) -> Flow:
    """Write a view, with the columns of the logical query below.

    `` Arguments: `cat`.`db`.`v`, [(a,None)]?, <comment>?, <SQL>?, <allowExisting>, <replace>, PersistedView, … ``
    A view that PySpark makes for one query has no lineage of its own.
    """
    parts = op.node.arguments
    if parts and naming.is_generated_view(parts[0].strip("`")):
        return Flow(command=op.node.operator)
    below = op.input
    if not parts or not parts[0].startswith("`"):
        return op.unknown_target(below=below)
    target, is_database_assumed = _view(op, parts)
    listed = parts[1] if len(parts) > 1 and parts[1].startswith("[(") else ""  # of `CREATE VIEW v (a, b)`
    columns = write_targets.columns_of(below.outputs, list(map(unescaped, _USER_COLUMN.findall(listed))))
    return op.writes(Write(target, "create", columns, is_database_assumed=is_database_assumed), below)


def _view(op: Operation, parts: Sequence[str]) -> tuple[Dataset, bool]:
    """Return the view that a command of the session catalog creates, and whether its database is assumed."""
    persisted = op.node.operator == "AlterViewAsCommand" or "PersistedView" in parts
    table, is_database_assumed = write_targets.session_table(op, parts) if persisted else (None, False)
    name = table.name if table is not None else ".".join(naming.split_name(parts[0]))
    if "GlobalTempView" in parts and "." not in name:
        name = f"global_temp.{name}"
    return Dataset(name, "view") if persisted else Dataset(name.lower(), "temp_view"), is_database_assumed


@operator("AlterV2View", "CreateV2View", "CreateV2MetricView")
def create_v2_view(op: Operation) -> Flow:
    """Write a view of a V2 catalog, with the columns of its query; the log has the query only as SQL text, or as YAML.

    `plan.unresolved.view_sql` translates simple queries; tables without a catalog are relative to the session's.
    `Arguments: <Catalog>@hash, ns.v, [<comment>,]? <SQL>, [StructField(a,LongType,true), …], [<names>], …` of Iceberg,
    `<Catalog>@hash, ns.v, [(a,None), …]?, <SQL>, Project [a#1], …` of `CreateV2ViewExec` (4.2+).
    """
    parts = op.node.arguments
    printed = write_targets.printed_catalog(parts[0]) if len(parts) > 1 else None
    if printed is None:
        return op.unknown_target()
    listed = (listed_fields(read_arguments(inner(part))) for part in filter(is_list, parts[2:]))
    fields = [name for name, _ in next(filter(None, listed), [])]
    names = list(map(unescaped, _USER_COLUMN.findall(parts[2] if len(parts) > 2 else "")))
    columns = names or fields or printed_columns(op.node.text("Arguments"))
    name = naming.name_in_catalog(parts[1], printed[1] or write_targets.catalog_name(op, printed[0]))
    detail = f"the plan prints the query of the view {name} as SQL text only"
    return view_of_text(op, Dataset(name, "view"), tuple(columns), (detail, _VIEW_HINT))


@operator("CreateMetricViewCommand")
def create_metric_view(op: Operation) -> Flow:
    """Write a metric view of the session catalog, whose definition the plan prints as YAML only.

    The `ResolvedIdentifier` below names it: `Arguments: V2SessionCatalog(spark_catalog), shop.totals` (4.1+).
    """
    parts = [part for child in op.node.children for part in child.arguments]
    printed = write_targets.printed_catalog(parts[0]) if len(parts) > 1 else None
    if printed is None:
        return op.unknown_target()
    name = naming.name_in_catalog(parts[1], printed[1])
    gap = (f"the plan prints the metric view {name} as YAML only", _VIEW_HINT)
    return view_of_text(op, Dataset(name, "view"), (), gap)


def view_of_text(op: Operation, view: Dataset, names: tuple[str, ...], gap: tuple[str, str]) -> Flow:
    """Return the flow of a view whose query is printed as SQL: of its translation, or with a gap of unknown sources.

    Args:
        gap: The detail and the hint of the gap.
    """
    below = op.input if op.node.children else None
    if below is not None and not below.gaps and (columns := _renamed(below.outputs, names)):
        return op.writes(Write(view, "create", columns), below)
    op.gap(GapReason.UNKNOWN_SOURCE, *gap)
    return op.writes(Write(view, "create", tuple(Output(name, -1, truncated(name, {})) for name in names)))


def _renamed(outputs: tuple[Output, ...], names: tuple[str, ...]) -> tuple[Output, ...]:
    """Return a query's columns with the names of the view's schema, which Spark truncates; none if they differ."""
    own = tuple(each.name for each in outputs)
    if len(names) > len(own) or (len(names) < len(own) and names != own[: len(names)]):
        return ()
    return (*write_targets.columns_of(outputs[: len(names)], names), *outputs[len(names) :])


@operator("CreateTempViewUsing")
def create_view_using(op: Operation) -> Flow:
    """Write a temporary view of the dataset in a data source's options, with the columns that the statement lists.

    ``[tableIdent:`v` StructType(StructField(id,IntegerType,true)) replace:false provider:csv Map(path -> /x``
    (`CreateTempViewUsing.argString`, 2.4 to 4.3); the bracket is not closed.
    """
    match = op.known(_USING.search(op.node.text("Arguments")))
    options = {key.lower(): unescaped(value) for key, value in _OPTION.findall(match["options"])}
    target = Dataset(".".join(naming.split_name(match["name"])).lower(), "temp_view")
    schema = match["schema"].strip().removeprefix("StructType(").removesuffix(")")
    names = [name for name, _ in listed_fields(split_parts(schema))]
    below = flow_of_options(op, match["provider"], options, names) or _of_path(op, match["provider"], options, names)
    return op.writes(Write(target, "create", below.outputs), below)


def _of_path(op: Operation, provider: str, options: Mapping[str, str], names: Sequence[str]) -> Flow:
    """Return the flow of the files in a data source's options; one of unknown sources if there are none."""
    columns = [(name, -1) for name in names]
    if "path" in options and connector_of_class(provider) is None:
        return columns_flow(op, (naming.path(options["path"], format=provider.rpartition(".")[2].lower()),), columns)
    op.gap(
        GapReason.UNKNOWN_SOURCE,
        f"{provider} with options {', '.join(sorted(options))}",
        "the provider's options name neither a path nor a table",
    )
    return Flow(outputs=tuple(Output(name, -1, generated(name)) for name in names))
