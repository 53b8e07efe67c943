"""`--limit`, `--sort` and `--columns`: which rows and columns of an answer are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eventlog_lineage.errors import UsageError

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer

    from .output import Shown


@dataclass(slots=True)
class Selection:
    """Which rows and columns to write.

    Attributes:
        limit: The most rows; 0 for all.
        sort: The column to sort by, with `-` before it for the largest first; empty for the order of the answer.
        columns: The columns to write; empty for those of the format.
    """

    limit: int = 0
    sort: str = ""
    columns: tuple[str, ...] = ()

    def of(self, shown: Shown) -> Shown:
        """Return an answer with the selected rows and columns.

        Raises:
            UsageError: The answer has no such column.
        """
        answer, table, hidden = shown.answer, shown.table, shown.hidden
        if table is not None and len(table.rows) != len(answer.rows):
            table = None
        if self.sort:
            order = _order(answer, self.sort)
            answer = _picked(answer, order)
            table = _picked(table, order) if table is not None else None
        if self.limit:
            answer = _picked(answer, range(min(self.limit, len(answer.rows))))
            table = _picked(table, range(len(answer.rows))) if table is not None else None
        if self.columns:
            answer, table, hidden = answer.only(*(_known(answer, name) for name in self.columns)), None, ()
        if answer is shown.answer:
            return shown
        plain = {} if self.columns else shown.writers
        trace = None if self.columns and shown.form == "table" else shown.trace
        total = len(shown.answer.rows)
        return replace(shown, answer=answer, table=table, hidden=hidden, writers=plain, trace=trace, total=total)


def _known(answer: Answer, name: str) -> str:
    found = name.strip().lower().replace("-", "_")
    if found not in answer.names:
        raise UsageError(f"the answer has no column {name}", hint=f"it has {', '.join(answer.names)}")
    return found


def _order(answer: Answer, sort: str) -> list[int]:
    """Return the places of the rows in order; rows without a value are last."""
    place = answer.names.index(_known(answer, sort.removeprefix("-")))
    values = [row[place] for row in answer.rows]
    empty = [at for at, value in enumerate(values) if value is None]
    known = [at for at, value in enumerate(values) if value is not None]
    try:
        known.sort(key=lambda at: values[at], reverse=sort.startswith("-"))  # type: ignore[arg-type,return-value]
    except TypeError:
        known.sort(key=lambda at: str(values[at]), reverse=sort.startswith("-"))
    return [*known, *empty]


def _picked(answer: Answer, places: Sequence[int]) -> Answer:
    return replace(answer, rows=[answer.rows[at] for at in places])
