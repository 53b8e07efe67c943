"""Procedures that maintain tables: compaction, clean-up and restoring keep values."""

from __future__ import annotations

import re

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, GapReason
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.plan.grammar.symbols import EMPTY

_ARGUMENT = re.compile(r"^\w*?(?:PositionalArgument\(|NamedArgument\((\w+),)(.*)\)$", re.DOTALL)
_PROCEDURE = re.compile(r"^[\w$.]+\.spark\.[\w$.]+@")
"""A connector's procedure; its catalog's class is of the same package."""


@operator("Call")
def maintenance(op: Operation) -> Flow:
    """Name the table that a procedure maintains; reads and writes of its executions are not lineage.

    The arguments begin with the table's name (3.5, 4.0): `…RewriteDataFilesProcedure@24ec7177, [shop.orders,null]`.
    """
    target = _called(op, op.node.arguments)
    if target is None:
        return Flow(command=op.node.operator)
    return op.writes(Write(target, "maintenance"))


def procedure_catalog(op: Operation, package: str) -> str:
    """Return the catalog of a procedure; empty, with a gap, if nothing shows which of several it is.

    Args:
        package: The package of the connector: `org.apache.iceberg`.
    """
    name = op.plan.catalogs.get(f"{package}.spark")
    if name is None:
        found = (name for word, name in op.plan.catalogs.items() if word.startswith(package))
        return next(found, naming.SESSION_CATALOG)
    if not name:
        op.gap(
            GapReason.UNKNOWN_TARGET,
            "the plan prints the procedure and no catalog, and several catalogs of the application have it",
            "read or write the table by its catalog's name in the same application, or set the CALL's SQL as the job"
            " description (spark-sql and Thrift servers do)",
        )
    return name


@operator("CallStatement")
def parsed_call(op: Operation) -> Flow:
    """Name the table of a parsed CALL; the analyzed plan of extended text has a description instead.

    `Arguments: [lake, system, rewrite_data_files], [NamedArgument(table,shop.orders), NamedArgument(options,…)]`, or a
    list of `PositionalArgument(shop.orders)`; Paimon's have a word more. The procedure's name begins with the catalog.
    """
    words, values = call_arguments(op)
    named = [value for name, value in values if name == "table"] or [value for name, value in values if not name]
    name = named[0] if named else ""
    if "." not in name or len(words) < 3:
        return Flow(command="Call")
    full = naming.name_for_procedure(name, words[0])
    return Flow(write=Write(Dataset(full, "table"), "maintenance", (), node_name="Call"), command="Call")


def call_arguments(op: Operation) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    """Return the words of the procedure's name in a parsed CALL, and (name, value) of its arguments.

    An argument by position has no name.
    """
    called, *rest = op.node.lists or [EMPTY]
    matches = (_ARGUMENT.match(item) for listed in rest for item in listed)
    return called.items, [(match[1] or "", match[2].strip("'\"` ")) for match in matches if match]


def _called(op: Operation, parts: list[str]) -> Dataset | None:
    procedure = next((part for part in parts if _PROCEDURE.search(part)), "")
    if not procedure or not parts[-1].startswith("["):
        return None
    name = parts[-1].strip("[]").split(",")[0].strip("`'\" ")
    catalog = procedure_catalog(op, procedure.partition(".spark.")[0])
    words = naming.split_name(name)
    if len(words) < 2 or not catalog:
        return None
    return Dataset(naming.name_for_procedure(name, catalog), "table")
