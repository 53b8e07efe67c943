"""Clones of Delta tables: their source is the table whose state the statement loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.operators.flow import Flow, Read
from eventlog_lineage.plan.summary.plan_facts import read_marks

COMMAND = "CloneTableCommand"


def from_source(flow: Flow, texts: Sequence[str]) -> Flow:
    """The flow of a clone with the table that it reads: the one of the loaded states that is not its own.

    Args:
        flow: Of the command.
        texts: The plans of the statement's executions.
    """
    own = flow.write.location if flow.write is not None else ""
    sources = [place for place in loaded(texts) if place != own]
    reads = tuple(Read(naming.path(place, format="delta"), (), COMMAND) for place in sources)
    return replace(flow, reads=(*flow.reads, *reads))


def loaded(texts: Sequence[str]) -> tuple[str, ...]:
    """The places of the Delta tables whose state a statement loaded, each once.

    Args:
        texts: The plans of the statement's executions.
    """
    places = [mark.place for text in texts for mark in read_marks(text) if mark.role == "state" and mark.place]
    return tuple(dict.fromkeys(places))
