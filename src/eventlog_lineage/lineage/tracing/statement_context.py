"""What an application says of a statement outside of the statement's own plans."""

from __future__ import annotations

from dataclasses import dataclass

from .match_by_name import ScannedTable


@dataclass(frozen=True, slots=True)
class StatementContext:
    """What jobs, neighbours and other plans add.

    Attributes:
        commit_place: Where the table lies that its jobs commit to, where its plans do not name it.
        tables: (bare name, name with its database) of the tables that its plans print without one.
        tended: The table that upkeep ran on within it, by its full name.
        scanned: The tables that its jobs scan, where its plans do not tell the query of the rows.
        row: (place in the root plan's numbering, distance) of the attributes whose ids are near that of the first one
            which another plan explains.
    """

    commit_place: str = ""
    tables: tuple[tuple[str, str], ...] = ()
    maintained_table: str = ""
    scanned: tuple[ScannedTable, ...] = ()
    row: tuple[tuple[int, int], ...] = ()


NO_CONTEXT = StatementContext()
