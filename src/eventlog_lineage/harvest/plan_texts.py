"""The texts of a log's plans, until it is known which of them are traced."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import IO

import zstandard

from eventlog_lineage.events.listener_events import Event, ExecutionStart, ParsedStatement, PartEnd
from eventlog_lineage.events.read_options import DEFAULT, CpuBudget, ReadOptions
from eventlog_lineage.events.reading import read_part
from eventlog_lineage.events.sources.layouts import LogPart
from eventlog_lineage.plan.plan_text import PlanText, views_of
from eventlog_lineage.plan.summary_cache import SummaryCache
from eventlog_lineage.redaction import Redaction

from .row_batches import describe_error

_MOST_HELD = 16 * 1024 * 1024
"""Characters that are held in memory; further texts go to a file."""


_COMPRESSOR = zstandard.ZstdCompressor(level=1)
"""One for all texts of a worker: to make one costs as much as to compress a text."""


class PlanTexts:
    """The first text of each plan of a log, by fingerprint; to be closed.

    Args:
        clean: Takes the secrets out of a text before it is written or returned.
    """

    def __init__(self, clean: Callable[[str], str] = str) -> None:
        self._clean = clean
        self._texts: dict[str, str] = {}
        self._positions: dict[str, tuple[int, int]] = {}
        self._held = 0
        self._file: IO[bytes] | None = None

    def __contains__(self, fingerprint: str) -> bool:
        return fingerprint in self._texts or fingerprint in self._positions

    def add(self, fingerprint: str, text: str) -> None:
        """Add a plan's text, unless there is one of this fingerprint."""
        if fingerprint in self:
            return
        if self._held + len(text) <= _MOST_HELD:
            self._held += len(text)
            self._texts[fingerprint] = text
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the rest
        packed = pack_text(self._clean(text))
        self._positions[fingerprint] = (self._file.seek(0, 2), len(packed))
        self._file.write(packed)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def packed(self, fingerprint: str) -> bytes | None:
        """Return a plan's text without secrets, as `pack_text` packs it; None if there is none."""
        if fingerprint in self._texts:
            return pack_text(self._clean(self._texts[fingerprint]))
        if fingerprint not in self._positions or self._file is None:
            return None
        offset, size = self._positions[fingerprint]
        self._file.seek(offset)
        return self._file.read(size)


def pack_text(text: str) -> bytes:
    """Return a text, compressed."""
    return _COMPRESSOR.compress(text.encode("utf-8", "surrogatepass"))


def unpack_text(packed: bytes) -> str:
    """Return the text that `pack_text` packed."""
    return zstandard.decompress(packed).decode("utf-8", "surrogatepass")


# -- replace plan texts by summaries in events, which are small enough to send and to group into statements


def summarized_events(
    part: LogPart, options: ReadOptions = DEFAULT, budget: CpuBudget | None = None
) -> Iterator[tuple[Event, str]]:
    """Yield a part's events with summaries instead of plan texts; an internal error ends the part only.

    Args:
        options: What is taken out of it, and the limits.
        budget: The CPU time left for the log; None for a budget of the part's own.

    Yields:
        Each event, and the text of its plan as it was logged: a caller that keeps the text takes the secrets out.
    """
    given = 0
    try:
        for event in read_part(part, replace(options, plans_as_logged=True), budget):
            summarized = summarized_event(event, options.redaction)
            given += 1
            yield summarized
    except Exception as error:  # what was read before it is kept
        yield PartEnd(part.index, lines=given, events=given, failed=describe_error(error)), ""


def summarized_event(event: Event, redaction: Redaction) -> tuple[Event, str]:
    """Return an event with the summary of its plan (a Thrift server's: the views), and the plan's text.

    Args:
        redaction: Takes the secrets out of what a summary keeps.
    """
    if isinstance(event, ExecutionStart) and isinstance(event.plan, PlanText):
        summary = shared_summaries(redaction).read(event.plan)
        return event.with_plan(summary), event.plan.text if summary.fingerprint else ""
    if isinstance(event, ParsedStatement):
        return replace(event, plan=views_of(event.plan)), ""
    return event, ""


@lru_cache(maxsize=8)
def shared_summaries(redaction: Redaction) -> SummaryCache:
    """Return the summaries that this process has read so far."""
    return SummaryCache(redaction.text)
