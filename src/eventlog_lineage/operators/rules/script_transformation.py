"""`TRANSFORM … USING 'script'`: rows through another program."""

from __future__ import annotations

from ...plan.items import split_items
from ..arguments import lists
from ..flow import Flow
from ..operation import Operation
from ..registry import operator
from .python_rows import row_outputs


@operator("HiveScriptTransformation", "SparkScriptTransformation", "ScriptTransformation")
def script_transformation(at: Operation) -> Flow:
    """Outputs whatever a script makes of the rows.

    `Arguments: cat, [a#1, b#2], ScriptTransformationIOSchema(…)`; up to 3.1 the script's input stands before it.
    """
    below = at.input
    parts = lists(at.node)
    names = split_items(parts[-1]) if parts else []
    return below.with_outputs(row_outputs(at, names, below.outputs, "script"))
