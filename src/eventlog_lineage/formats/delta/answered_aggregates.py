"""Aggregates that Delta answers from the statistics of its files (`OptimizeMetadataOnlyDeltaQuery`, 3.x and 4.x).

The plan has only the values, `LocalTableScan [n#7L]`. Internal queries of the same statement aggregate the statistics:
the number of rows, and the minimum and maximum of each column that the aggregates name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.datasets import naming
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.operators.plan_context import AnsweredTable
from eventlog_lineage.plan.expressions.attribute_ids import CAPTURED_ID
from eventlog_lineage.plan.plan_text import PlanText

_STATE = re.compile(r"Scan ExistingRDD Delta Table State with Stats #\d+ - (.*?)/_delta_log")
_COUNT = "numLogicalRecords#"
_EXTREME = re.compile(rf"(?:min|max)(?:Values)?\.[^\n]*? AS (?:min|max)\.([^\n]+?){ID}(?=[,\]])")
"""`stats#5.maxValues.id AS max.id#9L`; of a partition's values `… AS max.day#9`."""
_AGGREGATE = re.compile(r"\b(?:min|max|count)\(")
_ALIAS = re.compile(rf" AS [^,#\n]+{CAPTURED_ID}(?=[,\]])")
_LONGEST = 2_000
"""Longest expression, in characters."""


def add_answered_tables(trace: StatementTrace) -> StatementTrace:
    """Add the tables whose statistics answer the statement's aggregates, and the aggregates that its texts name."""
    tables: dict[str, dict[str, None]] = {}
    for text in trace.own_texts:
        if text.is_internal_query and (found := _STATE.search(text.text)):
            columns = _EXTREME.findall(text.text)
            if columns or _COUNT in text.text:
                tables.setdefault(naming.path_name(found[1]), {}).update(dict.fromkeys(columns))
    if not tables:
        return trace
    answered = tuple(AnsweredTable(naming.path(uri, format="delta"), tuple(names)) for uri, names in tables.items())
    return replace(trace, tables=replace(trace.tables, answered=answered, aggregates=_aggregates(trace.own_texts)))


def _aggregates(texts: Sequence[PlanText]) -> tuple[tuple[int, str], ...]:
    """Return (attribute id, expression) of the aggregates that a command's line names.

    `Project [max(id)#3L AS n#5L]` or `Aggregate [max(id#2L) AS n#5L]`.
    """
    found: dict[int, str] = {}
    for text in (each.text for each in texts if not each.is_internal_query):
        for alias in _ALIAS.finditer(text) if _AGGREGATE.search(text) else ():
            expression = _expression(text, alias.start())
            if _AGGREGATE.search(expression):
                found.setdefault(int(alias[1]), re.sub(ID, "", expression))
    return tuple(found.items())


def _expression(text: str, end: int) -> str:
    """Return the item of a list that ends at a position.

    Args:
        text: The command's line.
        end: The position.
    """
    depth = 0
    for index in range(end - 1, max(end - _LONGEST, 0), -1):
        letter = text[index]
        if letter in ")]":
            depth += 1
        elif letter in "([":
            if not depth:
                return text[index + 1 : end]
            depth -= 1
        elif letter == "\n" or (letter == "," and not depth):
            return text[index + 1 : end].strip()
    return ""
