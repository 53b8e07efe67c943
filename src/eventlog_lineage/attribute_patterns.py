r"""Patterns of attribute ids in plan text: `amount#46`, `id#1L`, `time#7-T10000ms`.

Source: `NamedExpression.toString` and `typeSuffix` of Spark 2.x to 4.3: the name, `#`, the expression id, an `L` for
BIGINT; `EventTimeWatermark` adds the delay. The patterns are pieces for the patterns of other modules, which do not
spell an id. `plan.grammar.attribute_ids` has the functions; redaction is below `plan` and needs the pieces only.
"""

from __future__ import annotations

NUMBER = r"\d{1,18}"
"""The digits of an expression id, a Java long; a longer number is not read."""
SUFFIX = r"L?(?:-T\d+ms)?"
"""What follows the digits: the mark of a BIGINT, the delay of a watermark."""
ID = rf"#{NUMBER}{SUFFIX}"
"""An id, without a group."""
ID_START = r"#\d"
"""The start of an id, where the rest may be truncated or part of a name."""
