"""Nine questions that the people who run a data platform ask of a store, as SQL over its public tables.

A panel is an SQL file of this folder and an entry in `panels.toml`. The SQL names public tables only and no macro or
view: it runs over the Parquet files as well as in `lineage.duckdb`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eventlog_lineage.errors import UsageError
from eventlog_lineage.user_input import load_toml, read_span

if TYPE_CHECKING:
    from eventlog_lineage.store.queries.open_store import Answer, OpenStore

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart of a dashboard, over the rows of a panel.

    Attributes:
        name: Unique among all charts; what ids are made of.
        title: Above the chart.
        kind: Rows as a `table`, `bars` along `x`, or one number in `tiles`.
        x: The column along which the bars are; empty for other kinds.
        values: The columns whose sums are drawn, stacked.
        where: A condition on the panel's rows; empty for all.
        width: Of twelve.
    """

    name: str
    title: str
    kind: str
    x: str = ""
    values: tuple[str, ...] = ()
    where: str = ""
    width: int = 12


@dataclass(frozen=True, slots=True)
class Panel:
    """A question with the query that answers it.

    Attributes:
        name: The SQL file's name; also the panel's id in reports and dashboards.
        note: What to know when reading the answer.
        summary: What the command of the panel does.
        empty: The answer without rows.
        columns: Of the page: query column to its kind.
        chart: Of the page: its kind and the columns that it draws; empty for none.
        charts: Of dashboards.
    """

    name: str
    title: str
    question: str
    note: str
    summary: str
    empty: str
    columns: Mapping[str, str]
    charts: tuple[Chart, ...]
    chart: Mapping[str, Any] = field(default_factory=dict)

    @property
    def query(self) -> str:
        """The query."""
        return (_FOLDER / f"{self.name}.sql").read_text(encoding="utf-8")

    def answer(self, store: OpenStore) -> Answer:
        """Return the answer of a store; errors are one line."""
        from eventlog_lineage.store.queries.open_store import with_error_lines  # noqa: PLC0415 - help needs none of it

        if self.name == "personal_data":
            from eventlog_lineage.store.queries.inventory import check_tags  # noqa: PLC0415 - as above

            check_tags(store)
        found = store.ask(self.query)
        return with_error_lines(found, "error") if "error" in found.names else found


def _read_panel(entry: dict[str, Any]) -> Panel:
    charts = (Chart(**{**each, "values": tuple(each.get("values", ()))}) for each in entry.pop("charts"))
    return Panel(**entry, charts=tuple(charts))


_DECLARED = load_toml((_FOLDER / "panels.toml").read_text(encoding="utf-8"), "panels.toml")

PANELS = tuple(map(_read_panel, _DECLARED["panel"]))
"""The panels, in the order in which they are shown."""


def find_panel(name: str) -> Panel:
    """Return a panel by its name.

    Raises:
        UsageError: There is no such panel.
    """
    for panel in PANELS:
        if panel.name == name.replace("-", "_"):
            return panel
    raise UsageError(f"no panel is called {name}", hint=f"one of {', '.join(panel.name for panel in PANELS)}")


@dataclass(frozen=True, slots=True)
class Due:
    """A rule for datasets.

    Attributes:
        pattern: A dataset's name, `spark_catalog.` may be left out; `*` matches any text.
        seconds: The longest time between two writes.
    """

    pattern: str
    seconds: int

    def matches(self, dataset: str) -> bool:
        """Return whether the rule is one for a dataset."""
        return fnmatchcase(dataset, self.pattern) or fnmatchcase(dataset.removeprefix("spark_catalog."), self.pattern)


def read_due(texts: Sequence[str]) -> tuple[Due, ...]:
    """Return rules that a user wrote: `sales.daily=26h`, `gold.*=1d`.

    Raises:
        UsageError: A rule has no name, or its span is invalid.
    """
    return tuple(_read(text) for text in texts)


def _read(text: str) -> Due:
    name, _, span = text.rpartition("=")
    with suppress(UsageError):
        if name.strip() and (seconds := int(read_span(span).total_seconds())):
            return Due(name.strip(), seconds)
    raise UsageError(f"invalid rule {text!r}", hint="use NAME=SPAN such as sales.daily=26h or gold.*=1d")


def late(store: OpenStore, due: Sequence[Due] = ()) -> Answer:
    """Return the panel Late: the age of each dataset's last write, in units of its usual gap or of what a rule states.

    Args:
        due: The rules; the first that matches a dataset counts. A dataset with a rule needs one write only.
    """
    from eventlog_lineage.store.schema.relations import sql_text  # noqa: PLC0415 - help needs none of it

    found = find_panel("late").answer(store)
    if not due:
        return found
    stated: list[tuple[object, ...]] = []
    for dataset, last_write, age, writes, *known in store.ask(sql_text("queries/last_writes")).rows:
        rule = next((each for each in due if each.matches(str(dataset))), None)
        if rule:
            times = round(float(str(age)) / rule.seconds, 1)
            stated.append((dataset, last_write, float(rule.seconds), age, times, writes, *known))
    ruled = {row[0] for row in stated}
    rows = [*(row for row in found.rows if row[0] not in ruled), *stated]
    return replace(found, rows=sorted(rows, key=lambda row: (-float(str(row[4])), str(row[0]))))
