"""`InsertIntoDataSourceCommand`: INSERT INTO a view or a table `USING` a V1 provider."""

from __future__ import annotations

import re

from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.flow import Flow, Write
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.source_relations import inserted_relation
from eventlog_lineage.operators.write_targets import columns_of, table_of, written
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, read

_RELATION = re.compile(r"^Relation ?(?:(?P<name>\S+) ?)?\[(?P<columns>[^\]]*)\] ", re.DOTALL)
_FLAG = re.compile(r", (?P<overwrite>true|false)$")


@operator("InsertIntoDataSourceCommand")
def insert_into_data_source(op: Operation) -> Flow:
    """Write its input to the table that its relation reads.

    `Arguments: Relation [day#838,revenue#839] JDBCRelation(sales.daily) [numPartitions=1], false`; a save of the
    provider follows as a nested execution.
    """
    below = op.raw_input.completed().sorted_by_user()
    text = op.node.text("Arguments")
    match, flag = _RELATION.match(text), _FLAG.search(text)
    relation = text[match.end() : flag.start() if flag else None] if match else text
    target = inserted_relation(op, relation) or table_of([match["name"] or ""] if match else [])
    if target is None:
        op.gap(GapReason.UNKNOWN_TARGET, text[:500], "the relation prints neither its table nor a path")
        return below
    listed = read(EXPRESSIONS, match["columns"].replace(",", ", ")) if match else None
    names = [name for name, _ in listed.attributes] if listed is not None else []
    mode = "overwrite" if flag and flag["overwrite"] == "true" else "append"
    return written(op, below, Write(target, mode, columns_of(below.outputs, names), node_name=op.node.name))
