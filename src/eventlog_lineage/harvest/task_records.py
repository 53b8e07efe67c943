"""What a task yields: rows, statements to trace, its progress and checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from eventlog_lineage.lineage.statement import Statement

from .checkpoints import Checkpoint


class Batch(NamedTuple):
    """Rows of a table, as `pack` packs them."""

    table: str
    payload: bytes


UNKNOWN_START = 1 << 62
"""Takes the place of an unknown start in a rank: later than any time."""


class NewStatement(NamedTuple):
    """A statement that has to be traced: the store has no lineage of its combination of plans.

    Attributes:
        statement: The statement.
        rank: (start in epoch milliseconds, number of the log, id of the root execution). Of several runs the first
            one is traced, one with an unknown start (`UNKNOWN_START`) last.
        texts: Fingerprint to text, as `pack_text` packs it.
    """

    statement: Statement
    rank: tuple[int, int, int]
    texts: Mapping[str, bytes]

    @property
    def traced_at(self) -> int | None:
        """When the run started, in epoch milliseconds; None if that is unknown."""
        return None if self.rank[0] == UNKNOWN_START else self.rank[0]


class Progress(NamedTuple):
    """What a task has read, and how many statements it found that have to be traced."""

    logs: int
    bytes_read: int
    new_statements: int = 0


Record = Batch | NewStatement | Progress | Checkpoint
