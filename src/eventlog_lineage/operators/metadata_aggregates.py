"""Aggregates that a connector answers from its metadata: their sources if the log shows them, or their gap."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

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
    settings = sorted((each.metadata.setting for each in formats() if each.metadata.setting), reverse=True)
    return (
        "set spark.sql.ui.explainMode=extended (an UPDATE's result has to be collected as well), so that the next run "
        f"is resolved in full; or turn such answers off: {', '.join(f'{each}=false' for each in settings)}"
    )


def answered_flow(tables: TableNames, attributes: Sequence[tuple[str, int]], *, is_only: bool) -> Flow | None:
    """Return the flow of rows that the statistics of tables answer; None if the log does not show their sources.

    Args:
        tables: The tables whose statistics the statement looks up, and its aggregates.
        is_only: Whether the plan has no other rows without a source.
    """
    known = dict(tables.aggregates)
    texts = [known.get(expr_id) or (name if ANSWERED.match(name) else "") for name, expr_id in attributes]
    if any(texts):
        values, confidence = [tuple(_columns(tables, text)) for text in texts], EXACT
    elif is_only and len(attributes) == 1 and (only := _only_column(tables)) is not None:
        values, confidence = [only], INFERRED
    else:
        return None
    if None in chain.from_iterable(values):
        return None
    columns = [tuple(filter(None, value)) for value in values]
    outputs = tuple(
        Output(name, expr_id, _derived(value, text or name, confidence))
        for (name, expr_id), value, text in zip(attributes, columns, texts, strict=True)
    )
    return Flow(outputs=outputs, reads=_reads(tables, set(chain.from_iterable(columns))))


def _only_column(tables: TableNames) -> tuple[tuple[str, str] | None, ...] | None:
    """Return the one column whose statistics a statement looks up, none for a count of rows; None for several."""
    if len(tables.answered) != 1 or len(tables.answered[0].columns) > 1:
        return None
    (table,) = tables.answered
    return tuple((table.dataset.name, column) for column in table.columns)


def _columns(tables: TableNames, text: str) -> Iterator[tuple[str, str] | None]:
    """Yield (dataset, column) of the minima and maxima in an expression; None for a column that is ambiguous.

    Args:
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
    """Return the tables, with the used columns: an aggregate without columns counts the rows of one of them."""
    datasets = {name for name, _ in used}
    chosen = [each for each in tables.answered if each.dataset.name in datasets or not each.columns]
    return tuple(
        Read(each.dataset, tuple(name for name in each.columns if (each.dataset.name, name) in used), "LocalTableScan")
        for each in chosen or tables.answered
    )
