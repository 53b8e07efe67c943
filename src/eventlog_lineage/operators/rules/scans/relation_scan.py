"""`Scan JDBCRelation(…)` and other relations that read rows, not files."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.streams import stream_source
from eventlog_lineage.model import Dataset, GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Constant, Derivation, merge
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.scans import column_names, named_by_format, scan_flow, source, source_outputs
from eventlog_lineage.operators.streaming_sources import stream_flow
from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items

_JDBC = re.compile(r"^JDBCRelation\((.*)\) \[numPartitions=\d+\]", re.DOTALL)
_KAFKA = re.compile(r"^KafkaRelation\(strategy=(\w+\[[^\]]*\])")
_SUBQUERY_ALIAS = re.compile(r" SPARK_GEN_SUBQ_\d+$")
"""The alias of a `query` (`JDBCOptions`, 2.4 to 4.3), which an application numbers."""
_JDBC_V2 = re.compile(r"^JDBC v1 Relation from v2 scan (.+)$")
_FILTERS = re.compile(r", (?=\*?[A-Z]\w*\()")
_FILTERED = re.compile(r"\b[A-Z]\w*\((`[^`]+`|[A-Za-z_][\w.]*)[,)]")
"""The column of `EqualTo(city,Rome)`; `And(…` and similar filters begin with another filter."""
_CALL = re.compile(r"^(\w+)\((.*)\)$", re.DOTALL)


@operator("RelationScan")
def relation_scan(op: Operation) -> Flow:
    """Output the relation's columns; pushed-down aggregates depend on the columns that they name.

    `Scan JDBCRelation(orders) [numPartitions=1]`, `Scan JDBC v1 Relation from v2 scan cat.ns.t` (4.0+; before,
    the class name only).
    """
    items = op.node.items("Output")
    if match := _KAFKA.match(op.node.argument):
        return _topics(op, match[1])
    dataset = _dataset(op)
    outputs = source_outputs(dataset, items)
    pushed = split_items(op.node.text("PushedAggregates").removeprefix("[").removesuffix("]"))
    if pushed and pushed != [""]:
        outputs = _aggregated(outputs, pushed, dataset)
    columns = tuple(dict.fromkeys(origin.column for output in outputs for origin, _ in output.derivation.sources))
    flow = scan_flow(dataset, outputs, columns or column_names(outputs[:0]), op.node.name)
    return flow.with_conditions(*_applied_filters(op.node.text("PushedFilters"), dataset))


def _applied_filters(text: str, dataset: Dataset) -> list[Condition]:
    """Return the filters that only the relation applies, `PushedFilters: [*IsNotNull(city), *EqualTo(city,Rome)]`.

    A star marks a filter that the relation applies itself, and that Spark removes from the plan
    (`RowDataSourceScanExec.metadata`, `handledFilters`, 2.x to 4.x). A Filter repeats the others.

    Args:
        text: `PushedFilters`.
        dataset: The dataset that is scanned.
    """
    items = [item[1:] for item in _FILTERS.split(text.removeprefix("[").removesuffix("]")) if item.startswith("*")]
    columns = {item: dict.fromkeys(each.strip("`") for each in _FILTERED.findall(item)) for item in items}
    compared = {column for item, names in columns.items() if not item.startswith("IsNotNull(") for column in names}
    found = []
    for item, names in columns.items():
        if names and not (item.startswith("IsNotNull(") and compared >= names.keys()):
            sources = merge(source(dataset.name, column).sources for column in names)
            found.append(Condition(Derivation(sources, (Constant(item),)), Transformation.FILTER))
    return found


def _topics(op: Operation, strategy: str) -> Flow:
    """Return the columns of Kafka's topics: `Subscribe[a, b]`, `Assign[a-0]`; unknown for `SubscribePattern[a.*]`.

    Args:
        op: The scan.
        strategy: The consumer strategy as printed.
    """
    datasets = stream_source(f"Kafka[{strategy}]") or ()
    if strategy.startswith("SubscribePattern"):
        op.gap(GapReason.UNKNOWN_SOURCE, strategy, "the plan does not list the topics that match the pattern")
    attributes = (read_attribute(item) or (item, -1) for item in op.node.items("Output"))
    return stream_flow(op, datasets, attributes)


def _dataset(op: Operation) -> Dataset:
    name = op.node.argument
    if match := _JDBC.match(name):
        return naming.jdbc(_SUBQUERY_ALIAS.sub("", match[1].strip()))
    if match := _JDBC_V2.match(name):
        return Dataset(naming.table_name(match[1]), "jdbc", "jdbc")
    if named := named_by_format(op):
        return named
    table = name.rpartition(" ")[2]
    if re.fullmatch(r"[\w-]+\.[\w-]+\.[\w.-]+", table):
        return naming.table(table, format=name.partition(" ")[0])
    op.gap(GapReason.UNKNOWN_SOURCE, name, "this version of Spark prints no name for the relation")
    kind = "jdbc" if "jdbc" in name.lower() else "other"
    return Dataset(f"{kind}:unknown", kind)


def _aggregated(outputs: tuple[Output, ...], pushed: list[str], dataset: Dataset) -> tuple[Output, ...]:
    """Return the outputs; the last ones are the pushed-down aggregates, in order: `COUNT(id)` depends on `id`.

    Args:
        outputs: The scan's outputs.
        pushed: The pushed-down aggregates.
        dataset: The dataset that is scanned.
    """
    keys = outputs[: len(outputs) - len(pushed)]
    computed = []
    for output, text in zip(outputs[len(keys) :], pushed, strict=False):
        call = _CALL.match(text)
        argument = call[2].removeprefix("DISTINCT ").strip('`"') if call else ""
        if re.fullmatch(r"[\w.]+", argument) and argument != "1":
            below = source(dataset.name, argument)
            masking = text.upper().startswith("COUNT")
            derivation = Derivation(below.through(Transformation.AGGREGATION, masking=masking), (text,))
        else:
            derivation = Derivation(merge(()), (Constant(text),))
        computed.append(Output(output.name, output.expr_id, derivation))
    return (*keys, *computed)
