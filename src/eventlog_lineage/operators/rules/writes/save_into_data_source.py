"""`SaveIntoDataSourceCommand`: writes through a V1 provider, such as JDBC or Delta by path."""

from __future__ import annotations

import re
from collections.abc import Mapping

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.streams import topic
from eventlog_lineage.extensions import SaveOptions, contributions, formats
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.arguments import arguments, inner, is_list
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.write_targets import (
    columns_of,
    columns_of_topic,
    is_truncated,
    mode_of,
    topic_of_rows,
    written,
)
from eventlog_lineage.plan.expressions.lists import split_items

_PROVIDER = re.compile(r"([A-Za-z]+?)(?:Relation|Source|DataSource)?(?:Provider)?(?:@|$)")
_KAFKA = "KafkaSourceProvider"
_SERVERS = "kafka.bootstrap.servers"


@operator("SaveIntoDataSourceCommand")
def save_into_data_source(op: Operation) -> Flow:
    """Write its input to the dataset in the options: `path=`, `dbtable=`, `topic=`.

    `Arguments: <provider>@hash, [url=…, dbtable=J1], Append`; the query is a logical tree below it, its physical
    plan may run in a nested execution. The options' URLs are redacted.
    """
    below = op.raw_input.completed().sorted_by_user()
    parts = arguments(op.node)
    options = _options(parts)
    saved = _of_format(options)
    provider = parts[0].rpartition(".")[2] if parts else ""
    target = _target(provider, options, saved)
    if target is None and provider.startswith(_KAFKA):
        target = topic_of_rows(below.outputs, options.get(_SERVERS, ""))
    if target is None:
        op.gap(
            GapReason.UNKNOWN_TARGET,
            f"{parts[0] if parts else ''} with options {', '.join(sorted(options))}",
            "the provider's options name neither a path nor a table",
        )
        return below
    mode = "append" if target.kind == "topic" else saved[1].mode or mode_of(parts)
    rows = columns_of_topic(below.outputs) if target.kind == "topic" else below.outputs
    columns = () if mode == "delete" else columns_of(rows) or None
    replaces = any(options.get(option, "").lower() == "true" for option in contributions("replacing_option"))
    write = Write(
        target,
        mode,
        columns,
        partition_columns=saved[1].partition_columns,
        node_name=op.node.name,
        is_truncated=is_truncated(below),
        replaces_schema=replaces,
    )
    return written(op, below, write)


def _options(parts: list[str]) -> dict[str, str]:
    for part in parts:
        if is_list(part) and "=" in part:
            pairs = (item.partition("=") for item in split_items(inner(part)))
            return {key.lower(): value for key, _, value in pairs}
    return {}


def _of_format(options: Mapping[str, str]) -> tuple[str, SaveOptions]:
    """Return the table format that recognizes the options, with what it reads from them; empty if none does."""
    found = ((each.name, each.save_options(options)) for each in formats())
    return next(((name, saved) for name, saved in found if saved is not None), ("", SaveOptions()))


def _target(provider: str, options: Mapping[str, str], saved: tuple[str, SaveOptions]) -> Dataset | None:
    word = provider.partition("@")[0]
    name = _PROVIDER.match(word)
    kind = (name[1] if name else word).lower()
    if "dbtable" in options:
        return naming.jdbc(options["dbtable"], options.get("url", ""))
    if "topic" in options:
        return topic(options["topic"], options.get(_SERVERS, ""))
    if "path" in options:
        return naming.path(options["path"], format=saved[0] or kind)
    table = options.get("table") or saved[1].table
    return Dataset(f"{kind}:{table}", "other", kind) if table else None
