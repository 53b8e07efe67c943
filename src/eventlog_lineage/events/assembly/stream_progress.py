"""Track streaming queries: the micro-batches of executions, and the runs of each query."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from eventlog_lineage.events.records import StreamProgress, StreamRun

if TYPE_CHECKING:
    from eventlog_lineage.events.listener_events import StreamEnd, StreamStart

    from .log_state import Shared

_BATCH = re.compile(r"(?:^|\n)id = (\S+)\nrunId = (\S+)\nbatch = (\d+|init\b)")


class MicroBatch(NamedTuple):
    """The ids of a micro-batch; empty strings and None if unknown."""

    query_id: str
    run_id: str
    batch_id: int | None


def micro_batch_of(description: str) -> MicroBatch | None:
    r"""Read the ids from the description that `MicroBatchExecution` sets for its jobs; None for other descriptions.

    It is `[name\n]id = <id>\nrunId = <id>\nbatch = <N>`, where N is `init` before the first batch; Delta adds `Delta: `
    before it, and its current step after it.

    >>> micro_batch_of("feed\nid = 0f1a\nrunId = 9b2c\nbatch = 3")
    MicroBatch(query_id='0f1a', run_id='9b2c', batch_id=3)
    """
    matched = _BATCH.search(description)
    if matched is None:
        return None
    return MicroBatch(matched[1], matched[2], int(matched[3]) if matched[3].isdigit() else None)


def shared_progress(event: StreamProgress, shared: Shared) -> StreamProgress:
    """Return an equal progress event with interned strings.

    Args:
        shared: Interns values that micro-batches repeat.
    """
    return replace(
        event,
        query_id=shared(event.query_id),
        run_id=shared(event.run_id),
        name=shared(event.name),
        sink=shared(event.sink),
        sources=tuple((shared(what), start, end, rows) for what, start, end, rows in event.sources),
    )


class StreamRuns:
    """The runs of streaming queries, updated by their events."""

    def __init__(self) -> None:
        self._runs: dict[str, StreamRun] = {}

    def started(self, event: StreamStart) -> None:
        """Add a start."""
        self._runs.setdefault(event.run_id, StreamRun(event.query_id, event.run_id, event.name, ended=False, error=""))

    def ended(self, event: StreamEnd) -> None:
        """Add an end; its start may be missing."""
        known = self._runs.get(event.run_id)
        name = known.name if known is not None else ""
        self._runs[event.run_id] = StreamRun(event.query_id, event.run_id, name, ended=True, error=event.error)

    def all(self) -> tuple[StreamRun, ...]:
        """Return the runs, in the order of their first events."""
        return tuple(self._runs.values())
