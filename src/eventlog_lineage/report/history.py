"""What changed over time: the columns' types, changes of schemas, changes of lineage."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from eventlog_lineage.store.queries.open_store import OpenStore

from .numbering import Numbering
from .queries import Rows

_SPANS = """
    SELECT node, data_type, epoch_ms(valid_from), epoch_ms(valid_to)
    FROM report_schema ORDER BY node, valid_from, valid_to NULLS LAST
"""

_SCHEMA_CHANGES = """
    SELECT dataset_node, column_node, column_name, epoch_ms(changed_at), change, old_value, new_value, nature,
           confidence, job_name, detail
    FROM report_schema_changes ORDER BY changed_at, dataset_node, change, column_node, old_value, new_value
"""

_LINEAGE_CHANGES = """
    SELECT target, source, concat_ws('.', source_dataset, source_column), epoch_ms(changed_at), change, old_value,
           new_value, job_name
    FROM report_lineage_changes ORDER BY changed_at, target, change, source, old_value, new_value, job_name
"""


def history_block(store: OpenStore) -> dict[str, Any]:
    """Return the columns' types over time, and the changes of schemas and lineage, the oldest first."""
    types = Numbering[str]()
    spans = _spans(store.connection.execute(_SPANS).fetchall())
    return {
        "spans": {
            "column": [span[0] for span in spans],
            "type": [types.number(span[1] or "") for span in spans],
            "from": [span[2] for span in spans],
            "to": [span[3] for span in spans],
            "types": types.values,
        },
        "schema": store.connection.execute(_SCHEMA_CHANGES).fetchall(),
        "lineage": store.connection.execute(_LINEAGE_CHANGES).fetchall(),
    }


def _spans(found: Rows) -> Rows:
    """Join the versions in a row that show the same type of a column."""
    joined: Rows = []
    for _, versions in groupby(found, lambda row: row[0]):
        span: tuple[Any, ...] | None = None
        for node, data_type, valid_from, valid_to in versions:
            if span is not None and span[1] == data_type and span[3] == valid_from:
                span = (node, data_type, span[2], valid_to)
                continue
            if span is not None:
                joined.append(span)
            span = (node, data_type, valid_from, valid_to)
        if span is not None:
            joined.append(span)
    return joined
