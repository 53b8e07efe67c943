"""An impact as Markdown for a pull request, and in few columns for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from eventlog_lineage.safe_text import markdown_text

from .common import counted
from .drawing import draw_mermaid
from .output import as_text
from .tree import Trace
from .writers import markdown_table

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.dependants import Changed
    from eventlog_lineage.store.queries.open_store import Answer

_MOST_OPEN = 20
"""Rows that a comment shows at once; more are folded."""
_MOST_ANNOTATED = 5
"""Dependants that an annotation names."""
_MOST_ARROWS = 280
"""Arrows of a graph that GitHub draws within its limits (500 edges, 50,000 characters)."""
_MOST_CHARACTERS = 45_000

Edge = dict[str, object]


def short_impact(answer: Answer) -> Answer:
    """Return an impact in fewer columns: what a change affects and how, jobs, a reader's last read, whom to call."""
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    rows: list[tuple[object, ...]] = []
    for row in answer.records():
        masked = "yes" if row["masked"] else "no" if row["dependency"] == "DIRECT" else None
        kinds = (row["dependency"], row["transformations"])
        call = " ".join(str(row[name]) for name in ("owner", "contact") if row[name])
        facts = (row["depth"], row["jobs"], row["last_read"], call, row["tags"])
        rows.append((row["changed"], _affected(row), *kinds, masked, *facts))
    names = ("changed", "affected", "dependency", "transformations", "masked", "depth", "jobs", "last_read")
    optional = ("owner", "tags")
    shown = [place for place in (-2, -1) if any(row[place] for row in rows)]
    kept = [(*row[:-2], *(row[place] for place in shown)) for row in rows]
    return Answer((*names, *(optional[place] for place in shown)), kept)


def _affected(row: Mapping[str, object]) -> str:
    """Return what a change affects: a column, a dataset, or a consumer with what it reads."""
    if row["kind"] != "consumer":
        return ".".join(str(part) for part in (row["dataset"], row["column_name"]) if part)
    listed = row["columns"] if isinstance(row["columns"], list) else []
    return f"{row['user_name'] or 'a query'} reads {row['reads']} ({', '.join(map(str, listed)) or 'rows'})"


def impact_markdown(
    answer: Answer, changed: Sequence[Changed], edges: Sequence[Edge], labels: Mapping[str, str], verdict: str
) -> Iterable[str]:
    """Return the lines of a comment: a sentence, the table, a graph.

    Args:
        labels: `Trace.labels`.
        verdict: The result of the check; empty if nothing is checked.
    """
    names = ", ".join(f"**{markdown_text(each.full_name)}**{_change(each)}" for each in changed) or "Nothing"
    yield "### Impact on lineage"
    yield ""
    yield f"{names}: {_counts(answer)}"
    if verdict:
        yield ""
        yield markdown_text(verdict)
    if answer.rows:
        yield ""
        yield from _folded(answer)
        yield ""
        yield from _graph(edges, [Trace(each.dataset, each.column, False, labels=labels) for each in changed])


def github_annotations(
    answer: Answer, places: Mapping[tuple[str, str], tuple[str, int]], fail_on: str | None
) -> Iterator[str]:
    """Yield GitHub's workflow commands that show an impact at the lines of a pull request.

    Args:
        places: The file and line of each changed name and its change.
        fail_on: What the check fails on: such statements are errors, others with dependants warnings.
    """
    from eventlog_lineage.store.queries.dependants import fails  # noqa: PLC0415
    from eventlog_lineage.store.queries.open_store import Answer  # noqa: PLC0415

    for (name, change), (file, line) in places.items():
        rows = [row for row in answer.rows if row[:2] == (name, change)]
        if not rows:
            continue
        own = Answer(answer.names, rows)
        level = "error" if fail_on and fails(own, fail_on) else "warning"
        text = f"{name} is {change}: {_dependants(own)} depend on it{_calls(own)}"
        yield f"::{level} file={_property(file)},line={line},title=Impact on lineage::{_escaped(text)}"


def _dependants(answer: Answer) -> str:
    found = [".".join(str(part) for part in row[3:5] if part) or str(row[10]) for row in answer.rows]
    more = f" and {len(found) - _MOST_ANNOTATED} more" if len(found) > _MOST_ANNOTATED else ""
    return f"{', '.join(found[:_MOST_ANNOTATED])}{more}"


def _calls(answer: Answer) -> str:
    """Return whom to call about dependants; empty if no file names an owner."""
    calls = {" ".join(str(row[key]) for key in ("owner", "contact") if row[key]) for row in answer.records()} - {""}
    return "; call " + ", ".join(sorted(calls)) if calls else ""


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _change(each: Changed) -> str:
    return f" ({each.change})" if each.change else ""


def _counts(answer: Answer) -> str:
    rows = list(answer.records())
    columns = {(row["dataset"], row["column_name"]) for row in rows if row["kind"] != "consumer"}
    datasets = {dataset for dataset, _ in columns}
    consumers = {(str(row["jobs"]), row["user_name"]) for row in rows if row["kind"] == "consumer"}
    if not rows:
        return "nothing in the store depends on it."
    number = sum(1 for _, column in columns if column)
    within = f"{counted(number, 'column')} of {counted(len(datasets), 'dataset')}"
    return f"{within} and {counted(len(consumers), 'consumer')} depend on it."


def _folded(answer: Answer) -> Iterator[str]:
    short = short_impact(answer)
    columns = [[as_text(value) for value in column] for column in zip(*short.rows, strict=True)]
    table = markdown_table(short.names, columns)
    if len(short.rows) <= _MOST_OPEN:
        yield from table
        return
    yield f"<details><summary>{counted(len(short.rows), 'dependant')}</summary>"
    yield ""
    yield from table
    yield ""
    yield "</details>"


def _graph(edges: Sequence[Edge], traces: Sequence[Trace]) -> Iterator[str]:
    for detail in ("auto", "tables"):
        lines = list(draw_mermaid(edges, traces, detail))
        arrows = sum("-->" in line or "-.->" in line for line in lines)
        if arrows <= _MOST_ARROWS and sum(map(len, lines)) <= _MOST_CHARACTERS:
            yield "```mermaid"
            yield from lines
            yield "```"
            return
    yield f"The graph has {arrows} arrows, more than GitHub draws: see `eventlog-lineage downstream NAME --format dot`."
