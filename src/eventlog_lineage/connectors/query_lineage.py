"""The lineage of a query: columns, conditions and tables of a database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from eventlog_lineage.model import EXACT, INFERRED, Influence, Influences, Transformation, merge, stepped

T = Transformation


class SourceColumn(NamedTuple):
    """A column of a table of the database; the table as written, the parts of its name without quotes."""

    table: tuple[str, ...]
    column: str


Uses = Influences[SourceColumn]


@dataclass(frozen=True, slots=True)
class QueryColumn:
    """A column of a query: its name, its sources, and its expression as text."""

    name: str
    uses: Uses
    text: str = ""


@dataclass(frozen=True, slots=True)
class QueryCondition:
    """A condition on the rows of a query; `is_test` for a null test that Spark's optimizer may have inferred."""

    kind: Transformation
    uses: Uses
    text: str
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """The lineage of a query.

    Attributes:
        columns: Its columns in order, without those of stars over tables.
        star_tables: The tables of which it returns all columns.
        unparsed: Why it cannot be read; then only `tables` are known.
        unresolved: What depends on columns that the text does not list: the keys of a NATURAL JOIN of tables.
    """

    columns: tuple[QueryColumn, ...] = ()
    conditions: tuple[QueryCondition, ...] = ()
    tables: tuple[tuple[str, ...], ...] = ()
    star_tables: tuple[tuple[str, ...], ...] = ()
    unparsed: str = ""
    unresolved: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its columns; none if the text does not name all of them."""
        named = tuple(each.name for each in self.columns)
        return named if all(named) and not self.star_tables else ()

    def column(self, name: str, listed: Mapping[tuple[str, ...], frozenset[str]] = MappingProxyType({})) -> QueryColumn:
        """Return the column of a name, in any case; an expression without one, or one of a star if no column has it.

        Args:
            listed: Columns that tables have; a table that is not listed may have any. The columns of a star over
                several tables are distinct (`JdbcUtils.getSchema` fails otherwise), so one of them has the column.
        """
        if (found := find_column(self.columns, name)) is not None:
            return found
        if not self.star_tables and (uses := unnamed_uses(self.columns)):
            return QueryColumn(name, uses)
        tables = self.star_tables or (self.tables if self.unparsed else ())
        having = [table for table in tables if name.lower() in listed.get(table, ())]
        tables = tuple(having) if len(having) == 1 else tables
        return QueryColumn(name, candidates(tables, name))

    def lacks(self, name: str) -> bool:
        """Return whether no column that the text lists can have the name."""
        may_have = self.unparsed or self.star_tables or any(not each.name for each in self.columns)
        return not may_have and find_column(self.columns, name) is None


def candidates(tables: Collection[tuple[str, ...]], name: str) -> Uses:
    """Return the column of a name of one of the tables, `inferred` if there are several."""
    influence = Influence(confidence=INFERRED if len(tables) > 1 else EXACT)
    return {(SourceColumn(table, name), T.IDENTITY): influence for table in tables}


def find_column(columns: Iterable[QueryColumn], name: str) -> QueryColumn | None:
    """Return the column of a name; else the one expression that a database calls so: by its function, or its text.

    >>> find_column([QueryColumn("", {}, "MAX(a + b)"), QueryColumn("a", {})], "max").text
    'MAX(a + b)'
    """
    listed, key = list(columns), "".join(name.lower().split())
    if named := next((each for each in listed if each.name and each.name.lower() == name.lower()), None):
        return named
    texts = [(each, "".join(each.text.lower().split())) for each in listed if not each.name]
    fitting = [each for each, text in texts if key in {text, text.partition("(")[0]}]
    return fitting[0] if len(fitting) == 1 else None


def unnamed_uses(columns: Iterable[QueryColumn]) -> Uses:
    """Return the uses of the expressions without a name, each of which may be the column that is asked for."""
    found = [each.uses for each in columns if not each.name]
    return inferred(merge(found)) if len(found) > 1 else merge(found)


def inferred(uses: Uses) -> Uses:
    """Return uses as one of several candidates."""
    return stepped(uses, T.IDENTITY, confidence=INFERRED)
