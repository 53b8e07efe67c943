"""Scans of rows that another execution or the driver program computed, as a plan text prints them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from eventlog_lineage.plan.explain_sections import Mode, Sections
from eventlog_lineage.plan.expressions.attribute_ids import CAPTURED_ID

_WORDS = ("ExistingRDD", "LogicalRDD")

_BLOCK = re.compile(
    r"\n\(\d+\) (?:Scan ExistingRDD[^\n]*\n(?:Output \[\d+\]: \[(?P<output>[^\n]*)\]\n)?"
    r"(?:Arguments: [^\n]*?\], \w+\[(?P<rdd>\d+)\] at )?"
    r"|LogicalRDD\nArguments: \[(?P<listed>[^\n]*?)\], (?:true|false)\n)"
)
_LINE = re.compile(
    r"(?:^|[ )])(?:Scan ExistingRDD|LogicalRDD)[^\n\[]*\[(?P<output>[^\n]*?)(?:\][^,]|\]$|\], (?:true|false)$)",
    re.MULTILINE,
)
_ID = re.compile(rf"{CAPTURED_ID}(?=,|$|\])")


@dataclass(frozen=True, slots=True)
class RowScan:
    """A scan of an RDD's rows.

    Attributes:
        ids: The ids of its attributes, in order.
        rdd: The RDD's number, which formatted text prints; None in other texts.
        names: The names of its attributes, as printed.
    """

    ids: tuple[int, ...]
    rdd: int | None = None
    names: str = ""


def find_row_scans(parts: Sections) -> tuple[RowScan, ...]:
    """Return the scans of a text's physical plan.

    Args:
        parts: The parts of the text. Formatted text has `Arguments: [k#1], MapPartitionsRDD[12] at checkpoint at …`
            (`RDDScanExec`, 3.0 to 4.3), others `Scan ExistingRDD[k#1]`; below commands both have `LogicalRDD`.
    """
    if not any(word in parts.physical for word in _WORDS):
        return ()
    is_formatted = parts.mode is Mode.FORMATTED
    found = []
    for match in (_BLOCK if is_formatted else _LINE).finditer(parts.physical):
        listed = match["output"] or (is_formatted and match["listed"]) or ""
        rdd = int(match["rdd"]) if is_formatted and match["rdd"] else None
        found.append(RowScan(tuple(map(int, _ID.findall(listed))), rdd, _ID.sub("", listed)))
    return tuple(found)
