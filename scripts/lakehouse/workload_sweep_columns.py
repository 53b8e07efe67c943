"""The columns of the sweep's tables: how a target's column of a number is made, in SQL and in the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Columns:
    """`id`, `k` and `c1`, `c2`, … of a target, made of `id`, `k` and `s1`, `s2`, … of a source.

    Attributes:
        width: How many columns a table has.
    """

    width: int

    @property
    def numbers(self) -> range:
        """The numbers of the columns."""
        return range(1, self.width - 1)

    def ddl(self) -> str:
        """Return the columns with their types."""
        return ", ".join(("id BIGINT", "k STRING", *(f"c{n} BIGINT" for n in self.numbers)))

    def listed(self) -> str:
        """Return the columns' names."""
        return ", ".join(("id", "k", *(f"c{n}" for n in self.numbers)))

    def expressions(self) -> tuple[str, ...]:
        """Return an expression for each column of the target."""
        return ("id", "upper(k) AS k", *(f"{_made(n)[0]} AS c{n}" for n in self.numbers))

    def query(self, table: str) -> str:
        """Return a query of all columns."""
        return f"SELECT {', '.join(self.expressions())} FROM {table}"

    def reversed(self) -> str:
        """Return the expressions from the last to the first."""
        return ", ".join(self.expressions()[:1:-1])

    def made(self, source: str, also: str = "") -> str:
        """Return the truth of `query`.

        Args:
            source: Its table.
            also: A table whose equal columns are sources, too.
        """
        more = {name: [f"{also}.{name}"] for name in ("id", "k", *(f"c{n}" for n in self.numbers))} if also else {}
        found = {"id": [f"{source}.id"], "k": [f"{source}.k"]}
        found |= {f"c{n}": [f"{source}.s{each}" for each in _made(n)[1]] for n in self.numbers}
        return _truth({name: [*sources, *more.get(name, ())] for name, sources in found.items()})

    def copied(self, source: str) -> str:
        """Return the truth of a copy."""
        return _truth({name: [f"{source}.{name}"] for name in ("id", "k", *(f"c{n}" for n in self.numbers))})

    def plain(self, source: str) -> str:
        """Return the truth of `values`."""
        return _truth(
            {"id": [f"{source}.id"], "k": [f"{source}.k"], **{f"c{n}": [f"{source}.s{n}"] for n in self.numbers}}
        )

    def values(self, alias: str) -> str:
        """Return a value for each numbered column, of the source's column of its number."""
        return ", ".join(f"{alias}.s{n}" + (f" % {n + 7}" if n % 2 else "") for n in self.numbers)

    def assigned(self, target: str, source: str) -> str:
        """Return assignments of all numbered columns, of both sides."""
        return ", ".join(
            f"{target}.c{n} = " + (f"{source}.s{n}" if n % 3 else f"{target}.c{n} - {source}.s{n}")
            for n in self.numbers
        )

    def merged(self, target: str, source: str) -> str:
        """Return the truth of `assigned` and `values` in one MERGE."""
        found = {"id": [f"{source}.id"], "k": [f"{source}.k"]}
        found |= {f"c{n}": [f"{source}.s{n}", *([] if n % 3 else [f"{target}.c{n}"])] for n in self.numbers}
        return _truth(found)

    def shifted(self) -> str:
        """Return assignments of each numbered column from its neighbour."""
        return ", ".join(f"c{n} = c{self._next(n)} + {n}" for n in self.numbers)

    def shifts(self, table: str) -> str:
        """Return the truth of `shifted`."""
        return _truth({f"c{n}": [f"{table}.c{self._next(n)}"] for n in self.numbers})

    def _next(self, number: int) -> int:
        return number + 1 if number + 1 in self.numbers else 1

    def both(self, one: str, other: str) -> str:
        """Return columns of two tables: `s1`, … of the one, `c1`, … of the other."""
        return ", ".join(f"{one}.s{n} AS c{n}" if n % 2 else f"{other}.c{n} || '' AS c{n}" for n in self.numbers)

    def joined(self, one: str, other: str) -> str:
        """Return the truth of `both` with `id` of the one and `k` of the other."""
        found = {"id": [f"{one}.id"], "k": [f"{other}.k"]}
        return _truth(found | {f"c{n}": [f"{one}.s{n}" if n % 2 else f"{other}.c{n}"] for n in self.numbers})

    def aggregates(self) -> str:
        """Return aggregates of the source's columns."""
        return ", ".join(f"{('sum', 'max', 'avg')[n % 3]}(s{n}) AS c{n}" for n in self.numbers)

    def aggregated(self, source: str) -> str:
        """Return the truth of `aggregates` with the key `k`."""
        return _truth({"k": [f"{source}.k"], **{f"c{n}": [f"{source}.s{n}"] for n in self.numbers}})

    def some(self, source: str, columns: Mapping[str, str]) -> str:
        """Return the truth of some columns; the others get NULL."""
        found = {
            name: [f"{source}.{columns[name]}"] if name in columns else []
            for name in ("id", "k", *(f"c{n}" for n in self.numbers))
        }
        return _truth(found)

    def parts(self, source: str, columns: Mapping[str, int]) -> str:
        """Return the truth of columns that are made of `query`'s columns of some numbers."""
        return _truth({name: [f"{source}.s{each}" for each in _made(n)[1]] for name, n in columns.items()})


def _made(number: int) -> tuple[str, list[int]]:
    """Return the expression of a target's column, and the source's columns that its value is made of."""
    if number % 7 == 0:
        return f"CASE WHEN s{number} > 3 THEN s{number - 1} ELSE 0 END", [number - 1]
    if number % 5 == 0:
        return f"s{number} + s1", [number, 1]
    if number % 3 == 0:
        return f"s{number}", [number]
    if number % 11 == 0:
        return f"CAST({number} AS BIGINT)", []
    return f"s{number} * 2", [number]


def _truth(columns: Mapping[str, list[str]]) -> str:
    return "; ".join(f"{name} < {' '.join(dict.fromkeys(sources))}" for name, sources in columns.items())
