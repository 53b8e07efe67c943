"""Logs as the store knows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class KnownLog:
    """A log as the store knows it.

    Attributes:
        size: Bytes of all its files when it was read.
        modified_at: Of its newest file, UTC without a zone.
        state: `complete`, `in_progress`, `truncated`, `compacted` or `unreadable`.
        app_id: The application; empty if it is not known.
        attempt_id: The attempt.
        unreadable: All of it or a part of it could not be read, which may be otherwise now.
    """

    size: int
    modified_at: datetime | None
    state: str
    app_id: str
    attempt_id: str
    unreadable: bool = False
