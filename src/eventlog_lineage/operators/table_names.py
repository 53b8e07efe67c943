"""Full names of tables that plans print incompletely."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableNames:
    """Full names of the tables that a statement's plans print without a database, or not at all.

    Attributes:
        bare: (name without database, full name), from plans of the same application.
        typed: (name as the user wrote it, quoted; full name), for commands of the session catalog.
        unnamed: Full name of the table that a plan prints only as an object.
        is_assumed: That name follows only from the columns of the application's tables.
        loaded: Location of the only table whose state the statement loads.
    """

    bare: tuple[tuple[str, str], ...] = ()
    typed: tuple[tuple[str, str], ...] = ()
    unnamed: str = ""
    loaded: str = ""
    is_assumed: bool = False

    def of_bare(self, name: str) -> str:
        """Return the full name of a table that is printed without its database; empty if unknown."""
        return dict(self.bare).get(name, "")

    def of_typed(self, quoted: str) -> str:
        """Return the full name of a table as the user wrote it, in backquotes; empty if unknown."""
        return dict(self.typed).get(quoted, "")


NO_NAMES = TableNames()
"""The names of a statement whose plans print all names completely."""
