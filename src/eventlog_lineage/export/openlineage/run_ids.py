"""Ids of runs: UUIDs of version 7 that follow from what ran, so that a run exported again has the same id.

The bytes are those of `openlineage.client.uuid.generate_static_uuid` (openlineage-python 1.15 and newer): the time in
milliseconds, then 76 bits of a SHA-1 of the time and the name.
"""

from __future__ import annotations

from datetime import datetime, timezone
from hashlib import sha1
from uuid import UUID


def run_id(started_at: datetime, name: str) -> str:
    """Return the id of a run.

    Args:
        started_at: UTC, without a zone.
        name: `app_id/attempt_id` of an application; the same and `/execution_id` of a statement.
    """
    instant = started_at.replace(tzinfo=timezone.utc)
    digest = sha1(instant.isoformat().encode() + name.encode(), usedforsecurity=False).hexdigest()
    number = (int(instant.timestamp() * 1000) & 0xFFFFFFFFFFFF) << 80 | int(digest, 16) >> 84
    number = number & ~(0xF000 << 64) | 7 << 76
    number = number & ~(0xC000 << 48) | 0x8000 << 48
    return str(UUID(int=number))
