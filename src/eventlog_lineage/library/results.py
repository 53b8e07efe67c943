"""Answers as rows, records, JSON, data frames and, in a notebook, as a table with a small graph."""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from eventlog_lineage.errors import UsageError
from eventlog_lineage.safe_text import escape_controls
from eventlog_lineage.store.queries.open_store import Answer

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_Row = TypeVar("_Row", bound=Mapping[str, object])

_SHOWN_ROWS = 50
"""Rows that a notebook shows."""
_DRAWN = 40
"""Datasets that a notebook draws."""
_BOX = (220, 26, 60, 12)
"""Width and height of a box, and the gaps between columns and rows."""


@contextmanager
def _installed(package: str) -> Iterator[None]:
    """Name the package to install where one is missing that is not a dependency."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(f"{package} is not installed", hint=f"pip install {package}") from error


class Result(Generic[_Row]):
    """The rows of an answer; `library.answer_rows` has their types.

    Attributes:
        columns: The names of the columns.
    """

    def __init__(self, answer: Answer) -> None:
        """Hold an answer; all its rows are in memory."""
        self._answer = answer
        self.columns = answer.names

    def fetchall(self) -> list[tuple[object, ...]]:
        """Return the rows as tuples; times are UTC without a zone."""
        return list(self._answer.rows)

    def records(self) -> list[_Row]:
        """Return the rows as dictionaries by column name."""
        return cast("list[_Row]", list(self._answer.records()))

    def json(self) -> str:
        """Return the rows as a JSON array of objects; times in ISO 8601, UTC."""
        return json.dumps(self.records(), default=_as_json, ensure_ascii=False)

    def arrow(self) -> pyarrow.Table:
        """Return a `pyarrow.Table`."""
        import pyarrow  # noqa: PLC0415 - a question that prints rows needs none of it

        return pyarrow.table({name: [row[i] for row in self._answer.rows] for i, name in enumerate(self.columns)})

    def df(self) -> pandas.DataFrame:
        """Return a `pandas.DataFrame`; pandas must be installed."""
        with _installed("pandas"):
            return self.arrow().to_pandas()

    def pl(self) -> polars.DataFrame:
        """Return a `polars.DataFrame`; polars must be installed."""
        with _installed("polars"):
            import polars  # noqa: PLC0415 - not a dependency

        frame = polars.from_arrow(self.arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._answer.rows)

    def __iter__(self) -> Iterator[_Row]:
        """Iterate over the rows as dictionaries."""
        return iter(self.records())

    def __repr__(self) -> str:
        """Return the size and the columns."""
        return f"<{type(self).__name__} of {_counted(len(self))}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """Return a table of the first rows, for notebooks."""
        title = "".join(f"<th>{_escaped(name)}</th>" for name in self.columns)
        rows = self._answer.rows[:_SHOWN_ROWS]
        body = "".join(f"<tr>{''.join(f'<td>{_escaped(_text(cell))}</td>' for cell in row)}</tr>" for row in rows)
        note = f"{len(rows)} of {_counted(len(self))}" if len(rows) < len(self) else _counted(len(self))
        return f"<table><thead><tr>{title}</tr></thead><tbody>{body}</tbody></table><p>{note}</p>"


class Trace(Result[_Row]):
    """The edges of a trace; a notebook shows them as a graph of datasets above the table."""

    def _repr_html_(self) -> str:
        return _graph(self.records()) + super()._repr_html_()


class Explanation(Result[_Row]):
    """What a thing is: the evidence as rows, and sentences.

    Attributes:
        sentences: The summary, a sentence each.
    """

    def __init__(self, answer: Answer, sentences: Sequence[str]) -> None:
        """Hold the evidence and the sentences."""
        super().__init__(answer)
        self.sentences = list(sentences)

    def __str__(self) -> str:
        """Return the sentences."""
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        return f"<p>{'<br>'.join(map(_escaped, self.sentences))}</p>{super()._repr_html_()}"


def _counted(rows: int) -> str:
    return f"{rows} row{'' if rows == 1 else 's'}"


def _as_json(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime | date) else str(value)


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    return "" if value is None else str(value)


def _escaped(text: str) -> str:
    return html.escape(escape_controls(text))


def _graph(edges: Sequence[Mapping[str, object]]) -> str:
    """Return the datasets of edges as an SVG, in columns by their distance from the sources; empty for many."""
    pairs = {
        (str(edge["source_dataset"]), str(edge["target_dataset"]))
        for edge in edges
        if edge["source_dataset"] and edge["target_dataset"] and edge["source_dataset"] != edge["target_dataset"]
    }
    names = sorted({name for pair in pairs for name in pair})
    if not names or len(names) > _DRAWN:
        return ""
    width, height, _, _ = _BOX
    at = _places(names, sorted(pairs))
    lines = "".join(
        f'<line x1="{at[source][0] + width}" y1="{at[source][1] + height // 2}" x2="{at[target][0]}" '
        f'y2="{at[target][1] + height // 2}" stroke="#888"/>'
        for source, target in sorted(pairs)
    )
    boxes = "".join(
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="none" stroke="#888"/>'
        f'<text x="{x + 6}" y="{y + 17}" font-size="11" fill="currentColor"><title>{_escaped(name)}</title>'
        f"{_escaped(name if len(name) < 34 else '…' + name[-32:])}</text>"
        for name, (x, y) in at.items()
    )
    size = (max(x for x, _ in at.values()) + width, max(y for _, y in at.values()) + height)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}">{lines}{boxes}</svg>'


def _places(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """Return the place of each dataset's box; its column is its longest distance from a source."""
    level = dict.fromkeys(names, 0)
    for _ in names:  # a cycle ends after as many rounds as there are datasets
        moved = [(source, target) for source, target in pairs if level[target] <= level[source] < len(names)]
        for source, target in moved:
            level[target] = max(level[target], level[source] + 1)
        if not moved:
            break
    width, height, across, between = _BOX
    rows: Counter[int] = Counter()
    at: dict[str, tuple[int, int]] = {}
    for name in names:
        at[name] = (level[name] * (width + across), rows[level[name]] * (height + between))
        rows[level[name]] += 1
    return at
