"""Find files of which Spark reads a line, to name the columns of a relation that it creates next."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.plan.printed_operators import PrintedOperator

from .plan_facts import PlanFact, SampledFile

WORDS = ("Scan text",)
_LOCATION = re.compile(r"^Location: InMemoryFileIndex \[(?P<first>[^,\]\n]+)(?P<others>, [^\]\n]+)?\]$", re.MULTILINE)
_LINE = re.compile(rf"^value#({NUMBER})$")
_NOT_EMPTY = "(length(trim(value#{}, None)) > 0)"


def scan_samples(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the files whose first line with text a plan reads.

    Source: `CSVUtils.filterCommentAndEmpty(…).take(1)`, 2.3 to 4.3.

    Args:
        operators: The plan's operators.
    """
    if [each.name.partition(" ")[0] for each in operators] != ["Scan", "Filter", "CollectLimit"]:
        return []
    scan, where = operators[:2]
    line, location = _LINE.match(scan.output), _LOCATION.search(scan.printed)
    if line is None or location is None or _NOT_EMPTY.format(line[1]) not in where.printed:
        return []
    return [SampledFile(location["first"], int(line[1]), bool(location["others"]))]
