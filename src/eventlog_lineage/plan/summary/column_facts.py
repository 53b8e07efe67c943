"""The columns of Hudi's and Paimon's tables that an application's plans list.

Their statements may print names of attributes and no relation. Which of the names are columns follows from other plans
that list the columns of the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from eventlog_lineage.plan.printed_operators import PrintedOperator, matches

from .plan_facts import PlanFact, TableColumns

WORDS = ("Hudi", "hudi", "aimon")
_SCAN_LINE = re.compile(r"\bBatchScan (?P<table>[\w$-]+\.[\w$-]+)\[(?P<columns>[^\]\n]*)\] Paimon")
_SCAN = re.compile(r"(?:BatchScan|Scan Hudi\w*) (?P<table>[\w$-]+(?:\.[\w$-]+)+)")
_RELATION = re.compile(
    r"\bRelation(?:V2)?(?: (?P<hudi>[\w-]+(?:\.[\w-]+)+))?\[(?P<columns>[^\]\n]*)\] "
    r"(?:[\w.$-]+ (?P<paimon>[\w$-]+\.[\w$-]+),|Hudi|org\.apache\.hudi\.)"
)
_DEFINED = re.compile(
    r"org\.apache\.paimon\.spark\.Spark(?:Generic)?Catalog(?:@\w+|\([\w-]+\)), (?P<table>[\w.$-]+), "
    r"\[(?P<columns>ColumnImpl\([^\n]*?)\], (?:\[|TableSpec)"
)
_NAME = re.compile(r"(?:^|,\s?)([A-Za-z_]\w*)#\d+L?(?=,|$)")
_COLUMN = re.compile(r"ColumnImpl\((\w+),")
_OWN = "_hoodie_"


def scan_columns(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of tables that a plan lists.

    Args:
        operators: The plan's operators.
    """
    facts: list[PlanFact] = []
    for operator in operators:
        if defined := _DEFINED.match(operator.arguments):
            facts += _columns(defined["table"], _COLUMN.findall(defined["columns"]), is_complete=True)
    for related in matches(_RELATION, operators):
        facts += _columns(related["hudi"] or related["paimon"] or "", _names(related["columns"]), is_complete=True)
    for operator in operators:
        if scan := _SCAN.fullmatch(operator.name):
            facts += _columns(scan["table"], _names(operator.output))
    for line in matches(_SCAN_LINE, operators):
        facts += _columns(line["table"], _names(line["columns"]))
    return facts


def _columns(table: str, names: list[str], *, is_complete: bool = False) -> list[PlanFact]:
    return [TableColumns(table, tuple(names), is_complete)] if table and names else []


def _names(columns: str) -> list[str]:
    return [name for name in _NAME.findall(columns) if not name.startswith(_OWN)]
