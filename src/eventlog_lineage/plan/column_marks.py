"""The columns of Hudi's and Paimon's tables, as an application's plans show them.

A statement of theirs may print the names of attributes and no relation: what other plans show of its tables tells which
names are columns.
"""

from __future__ import annotations

import re

WORDS = ("Hudi", "hudi", "aimon")
"""Words of which one stands in each text that has such a mark."""

_SCAN_LINE = re.compile(r"\bBatchScan (?P<table>[\w$-]+\.[\w$-]+)\[(?P<columns>[^\]\n]*)\] Paimon")
_SCAN = re.compile(
    r"\n\(\d+\) (?:BatchScan|Scan Hudi\w*) (?P<table>[\w$-]+(?:\.[\w$-]+)+)\nOutput \[\d+\]: \[(?P<columns>[^\n]*)\]\n"
)
_RELATION = re.compile(
    r"\bRelation(?:V2)?(?: (?P<hudi>[\w-]+(?:\.[\w-]+)+))?\[(?P<columns>[^\]\n]*)\] "
    r"(?:[\w.$-]+ (?P<paimon>[\w$-]+\.[\w$-]+),|Hudi|org\.apache\.hudi\.)"
)
_DEFINED = re.compile(
    r"\nArguments: org\.apache\.paimon\.spark\.Spark(?:Generic)?Catalog(?:@\w+|\([\w-]+\)), (?P<table>[\w.$-]+), "
    r"\[(?P<columns>ColumnImpl\([^\n]*?)\], (?:\[|TableSpec)"
)
_NAME = re.compile(r"(?:^|,\s?)([A-Za-z_]\w*)#\d+L?(?=,|$)")
_COLUMN = re.compile(r"ColumnImpl\((\w+),")
_OWN = "_hoodie_"


def column_marks(text: str) -> list[tuple[str, str, str]]:
    """(`columns`, table as printed, names joined by commas), as in `SnapshotMark`; the whole list begins with `=`.

    Args:
        text: `physicalPlanDescription`.
    """
    defined = [(match["table"], "=" + ",".join(_COLUMN.findall(match["columns"]))) for match in _DEFINED.finditer(text)]
    related = [
        (match["hudi"] or match["paimon"] or "", "=" + _names(match["columns"])) for match in _RELATION.finditer(text)
    ]
    scans = (*_SCAN.finditer(text), *_SCAN_LINE.finditer(text))
    scanned = [(match["table"], _names(match["columns"])) for match in scans]
    found = (*defined, *related, *scanned)
    return [("columns", table, names) for table, names in found if table and names.strip("=")]


def _names(columns: str) -> str:
    return ",".join(name for name in _NAME.findall(columns) if not name.startswith(_OWN))
