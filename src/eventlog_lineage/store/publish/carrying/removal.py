"""Remove the versions that a store does not need any more."""

from __future__ import annotations

import logging
from pathlib import Path

from eventlog_lineage.store.publish.database import DamagedError
from eventlog_lineage.store.publish.versions import (
    DAMAGED,
    KEPT_VERSIONS,
    REMOVED,
    VERSIONS,
    current_version,
    remove_drafts,
    remove_ended,
    version_number,
    version_numbers,
)

from .spares import keep_spare

_LOG = logging.getLogger(__name__)


def remove_unused(store: Path, previous: int | None = None, keep: int = KEPT_VERSIONS) -> None:
    """Remove drafts and, after publishing, old versions; what cannot be removed now is left to the next harvest.

    Args:
        store: The store's folder.
        previous: The number of the version that was current before a new one was published; None if none was.
        keep: How many versions stay, as in `remove_old_versions`.
    """
    try:
        if previous is not None:
            remove_old_versions(store, previous, keep)
        elif (store / VERSIONS).is_dir():
            remove_drafts(store)
    except (OSError, DamagedError) as error:
        _LOG.warning("old versions cannot be removed", extra={"facts": {"store": str(store), "error": str(error)}})


def remove_old_versions(store: Path, previous: int, keep: int = KEPT_VERSIONS) -> None:
    """Remove old versions but the newest ones, which readers may have open; of the last one a spare may stay.

    Args:
        store: The store's folder; its current version is whole.
        previous: The number of the version that was current before; it stays.
        keep: How many versions stay, the current one and the one before it included.
    """
    current = current_version(store)
    if current is None:
        return
    remove_drafts(store)
    others = [number for number in version_numbers(store) if number not in (version_number(current), previous)]
    old = [store / VERSIONS / str(number) for number in others[: max(0, len(others) - max(0, keep - 2))]]
    for version in old[:-1]:
        version.rename(version.with_suffix(REMOVED))
    keep_spare(store, current, old[-1] if old else None)
    if old and old[-1].exists():
        old[-1].rename(old[-1].with_suffix(REMOVED))
    remove_ended(store, REMOVED, DAMAGED)
