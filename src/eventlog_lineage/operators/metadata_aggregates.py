"""Aggregates that a connector answers from its metadata: their sources if the log shows them, or their gap."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from eventlog_lineage.extensions import formats
from eventlog_lineage.model import Transformation

from .derivations.derivation import EXACT, INFERRED, Derivation, merge
from .flow import Flow, Output, Read
from .plan_context import TableNames
from .scans import generated, source

FROM_METADATA = "a connector answered it from its metadata, and the plan does not name the table"

ANSWERED = re.compile(r"^(?:(?:count|min|max|sum)\(.*\)|(?:count|min|max)_\d+)$", re.IGNORECASE | re.DOTALL)
"""An attribute that is named by its aggregate."""
_CALL = re.compile(r"\b(?:min|max)\(((?:[^()]|\([^()]*\))*)\)")


@cache
def metadata_hint() -> str:
    """Return the hint for resolving the next run completely."""
    settings = sorted((each.metadata_setting for each in formats() if each.metadata_setting), reverse=True)
    return (
        "set spark.sql.ui.explainMode=extended (an UPDATE's result has to be collected as well), so that the next run "
        f"is resolved in full; or turn such answers off: {', '.join(f'{each}=false' for each in settings)}"
    )


def answered_flow(tables: TableNames, attributes: Sequence[tuple[str, int]], *, is_only: bool) -> Flow | None:
    """Return the flow of rows that the statistics of tables answer; None if the log does not show their sources.

    Args:
        tables: The tables whose statistics the statement looks up, and its aggregates.
        attributes: (name, id) of the rows' columns.
        is_only: Whether the plan has no other rows without a source.
    """
    known = dict(tables.aggregates)
    texts = [known.get(expr_id) or (name if ANSWERED.match(name) else "") for name, expr_id in attributes]
    if any(texts):
        values = [tuple(_columns(tables, text)) for text in texts]
        if None in [column for value in values for column in value]:
            return None
        confidence = EXACT
    elif is_only and len(attributes) == 1 and len(tables.answered) == 1 and len(tables.answered[0].columns) < 2:
        values = [tuple((tables.answered[0].dataset.name, column) for column in tables.answered[0].columns)]
        confidence = INFERRED
    else:
        return None
    outputs = tuple(
        Output(name, expr_id, _derived([each for each in value if each], text or name, confidence))
        for (name, expr_id), value, text in zip(attributes, values, texts, strict=True)
    )
    return Flow(outputs=outputs, reads=_reads(tables, {each for value in values for each in value if each}))


def _columns(tables: TableNames, text: str) -> Iterator[tuple[str, str] | None]:
    """Yield (dataset, column) of the minima and maxima in an expression; None for a column that is ambiguous.

    Args:
        tables: The tables whose statistics the statement looks up.
        text: The expression, `max(id)`.
    """
    for name in _CALL.findall(text):
        found = [each.dataset.name for each in tables.answered if name in each.columns]
        yield (found[0], name) if len(found) == 1 else None


def _derived(columns: Sequence[tuple[str, str]], text: str, confidence: int) -> Derivation:
    if not columns:
        return generated(text)
    sources = (
        source(*column).through(Transformation.AGGREGATION, confidence=confidence) for column in dict.fromkeys(columns)
    )
    return Derivation(merge(sources), (text,))


def _reads(tables: TableNames, used: set[tuple[str, str]]) -> tuple[Read, ...]:
    """Return the tables, with the used columns: an aggregate without columns counts the rows of one of them.

    Args:
        tables: The tables whose statistics the statement looks up.
        used: (dataset, column) of the aggregates.
    """
    datasets = {name for name, _ in used}
    chosen = [each for each in tables.answered if each.dataset.name in datasets or not each.columns]
    return tuple(
        Read(each.dataset, tuple(name for name in each.columns if (each.dataset.name, name) in used), "LocalTableScan")
        for each in chosen or tables.answered
    )
