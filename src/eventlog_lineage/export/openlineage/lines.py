"""Write events as lines of JSON, with a summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import orjson

from .facets import Json

LARGE = 5_000_000
"""Bytes from which consumers refuse an event: Dataplex's limit; Marquez and proxies have limits of their own."""


@dataclass(slots=True)
class Tally:
    """What was written.

    Attributes:
        events: Events.
        bytes: Bytes of all events.
        large: Events over `LARGE` bytes.
        largest: Bytes of the largest event.
        largest_job: The job of it.
        runs: Ids of runs.
        jobs: Names of jobs.
    """

    events: int = 0
    bytes: int = 0
    large: int = 0
    largest: int = 0
    largest_job: str = ""
    runs: set[str] = field(default_factory=set)
    jobs: set[str] = field(default_factory=set)

    def add(self, event: Json, size: int) -> None:
        """Count an event.

        Args:
            event: The event.
            size: Its bytes.
        """
        self.events += 1
        self.bytes += size
        self.large += size > LARGE
        self.runs.add(event["run"]["runId"])
        self.jobs.add(event["job"]["name"])
        if size > self.largest:
            self.largest, self.largest_job = size, event["job"]["name"]


def event_lines(events: Iterable[Json], tally: Tally) -> Iterator[bytes]:
    """Return each event as compact JSON with sorted keys, without a line end.

    Args:
        events: The events.
        tally: Counts them.
    """
    for event in events:
        line = orjson.dumps(event, option=orjson.OPT_SORT_KEYS)
        tally.add(event, len(line))
        yield line
