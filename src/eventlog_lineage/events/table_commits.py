"""Commits to tables, from the descriptions of a connector's jobs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableCommit:
    """A commit to a table.

    Attributes:
        table: The table's name without its database.
        location: The table's location, as printed; empty if no description has it.
        instant: The commit's instant; empty if it is unknown, as with `location`.
    """

    table: str
    location: str = ""
    instant: str = ""


def commit_locations(commits: Iterable[TableCommit | None]) -> dict[str, str]:
    """Return (short name: location) of the tables whose name an application uses for a single location."""
    found: dict[str, set[str]] = {}
    for commit in commits:
        if commit is not None and commit.location:
            found.setdefault(commit.table, set()).add(commit.location)
    return {table: next(iter(locations)) for table, locations in found.items() if len(locations) == 1}


def location_of(commit: TableCommit | None, locations: Mapping[str, str]) -> str:
    """Return the location of a commit's table: from its jobs, else from other commits with the table's name.

    Args:
        locations: The result of `commit_locations`.
    """
    return (commit.location or locations.get(commit.table, "")) if commit is not None else ""
