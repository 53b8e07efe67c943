"""Commits to tables, as the descriptions of a connector's jobs name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableCommit:
    """A commit to a table.

    Attributes:
        table: The table's name without its database.
        place: Where the table lies, as printed; empty where no description says it.
        instant: The commit's instant; empty with `place`.
    """

    table: str
    place: str = ""
    instant: str = ""


def commit_places(commits: Iterable[TableCommit | None]) -> dict[str, str]:
    """Table's short name to its place, for the names that an application uses for one place only."""
    found: dict[str, set[str]] = {}
    for commit in commits:
        if commit is not None and commit.place:
            found.setdefault(commit.table, set()).add(commit.place)
    return {table: next(iter(places)) for table, places in found.items() if len(places) == 1}


def place_of(commit: TableCommit | None, places: Mapping[str, str]) -> str:
    """Where a table lies that is committed to: as its jobs say, else as those of other commits to that name do.

    Args:
        commit: Of an execution.
        places: What `commit_places` gives.
    """
    return (commit.place or places.get(commit.table, "")) if commit is not None else ""
