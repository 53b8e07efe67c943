"""The gaps of an operator's expressions: attributes that no input has, arguments that Spark truncated."""

from __future__ import annotations

from eventlog_lineage.model import GapReason

REPORT = "please report it with the plan's text"
WIDER = "set spark.sql.debug.maxToStringFields to at least the number of columns"

GapTexts = tuple[GapReason, str, str, str]
"""The reason, the detail, the hint and the key of a gap, see `Gap`."""


def truncated_arguments(function: str, missing: int) -> GapTexts:
    """Return the gap of a call whose arguments Spark truncated.

    Args:
        function: The function.
        missing: The number of missing arguments.
    """
    what = f"{missing} arguments of {function}"
    hint = "set spark.sql.debug.maxToStringFields to at least the number of arguments"
    return GapReason.TRUNCATED_FIELDS, f"{what} are truncated", hint, f"{what} are cut off"


def unknown_attribute(attribute: str, *, is_truncated: bool) -> GapTexts:
    """Return the gap of an attribute that is not an output of the operator's inputs.

    Args:
        attribute: The attribute, `name#id`.
        is_truncated: Whether Spark truncated a list below the operator.
    """
    if is_truncated:
        detail = f"{attribute} is in the truncated part of a list"
        return GapReason.TRUNCATED_FIELDS, detail, WIDER, f"{attribute} stood in a list that is cut off"
    detail = f"{attribute} is not an output of the operator's inputs"
    return GapReason.DANGLING_ATTRIBUTE, detail, REPORT, f"{attribute} is no output of the operator's inputs"
