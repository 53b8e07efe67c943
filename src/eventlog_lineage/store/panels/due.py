"""How often datasets have to be written, as a user states it: it replaces their own cadence in the panel Late."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.panels import find_panel
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.relations import sql_text
from eventlog_lineage.user_times import read_span


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
    return Answer(found.names, sorted(rows, key=lambda row: (-float(str(row[4])), str(row[0]))), found.types)
