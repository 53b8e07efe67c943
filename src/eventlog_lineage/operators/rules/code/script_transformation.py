"""`TRANSFORM … USING 'script'`: rows are processed by another program."""

from __future__ import annotations

from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator

from .python_rows import row_outputs


@operator("HiveScriptTransformation", "SparkScriptTransformation", "ScriptTransformation")
def script_transformation(op: Operation) -> Flow:
    """Output the results of a script over rows.

    `Arguments: cat, [a#1, b#2], ScriptTransformationIOSchema(…)`; up to 3.1 the script's input precedes it.
    """
    below = op.input
    return below.with_outputs(row_outputs(op, op.node.listed("columns"), below.outputs, "script"))
