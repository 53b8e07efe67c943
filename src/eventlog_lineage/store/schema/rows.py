"""Rows by name: values are given by column name and checked against the table's declaration."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, NewType

Row = NewType("Row", tuple[Any, ...])
"""A row of a table, its values in the order of the columns.

It is a type of its own, which only `RowType` makes: no tuple that lists values by position passes for a row.
"""


class RowType:
    """Makes the rows of one table.

    Attributes:
        table: The table's name.
        names: The names of its columns, in order; two at least.
        set_by_store: The columns that the store fills; they may be left out and are None then.
    """

    __slots__ = ("_attributes", "_in_order", "names", "set_by_store", "table")

    def __init__(self, table: str, names: tuple[str, ...], set_by_store: tuple[str, ...] = ()) -> None:
        self.table = table
        self.names = names
        self.set_by_store = set_by_store
        self._in_order = itemgetter(*names)
        self._attributes = tuple(name for name in names if name not in set_by_store)

    def __call__(self, **values: object) -> Row:
        """Return a row.

        Args:
            values: Column name to value.

        Raises:
            TypeError: A column is missing, or a name is not a column of the table.
        """
        for name in self.set_by_store:
            values.setdefault(name, None)
        try:
            row: Row = self._in_order(values)
        except KeyError as error:
            raise TypeError(f"a row of {self.table} lacks {error}") from None
        if len(row) != len(values):
            unknown = ", ".join(sorted(values.keys() - set(self.names)))
            raise TypeError(f"{self.table} has no column {unknown}")
        return row

    def of(self, record: object, **values: object) -> Row:
        """Return a row of a record whose attributes have the names of columns.

        Args:
            record: A value with an attribute for each column that neither `values` names nor the store sets.
            values: Column name to value, for the other columns.

        Raises:
            TypeError: `values` names something that is not a column of the table.
            AttributeError: The record lacks an attribute.
        """
        for name in self._attributes:
            if name not in values:
                values[name] = getattr(record, name)
        return self(**values)
