"""Statements whose truth is known by construction: they are built from values, and each value names its sources.

A value is `Value("total", "sum(t.km)", "trips.km")`: a target column, its SQL, the columns that make it. The SELECT,
the MERGE or the frame of a statement and the truth about it are made from the same values. `{trips}` in SQL stands
for a dataset of the workload.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lakehouse.medallion import Night

Action = Callable[[Night], object]


@dataclass(frozen=True)
class Value:
    """A target column.

    Attributes:
        column: Its name.
        expression: The SQL that makes it.
        sources: `dataset.column` of what makes its value, separated by spaces; empty for a literal.
    """

    column: str
    expression: str
    sources: str = ""


def same(columns: str, dataset: str, alias: str = "") -> list[Value]:
    """Return values that pass columns of a dataset on unchanged.

    Args:
        columns: Their names, separated by spaces.
        dataset: Its short name.
        alias: What the SQL calls it.
    """
    prefix = f"{alias}." if alias else ""
    return [Value(name, f"{prefix}{name}", f"{dataset}.{name}") for name in columns.split()]


def select(values: Sequence[Value], rest: str) -> str:
    """Return a SELECT of values."""
    return f"SELECT {', '.join(f'{each.expression} AS {each.column}' for each in values)} {rest}"


class Workload:
    """Statements in order, with their truth.

    Args:
        tables: Short name to the full name of a table, `raw.trips`, as SQL has it.
        catalog: What precedes them in lineage; empty if SQL has it already.
        paths: Short name to (format, path below the root).
        root: The folder for all that the job writes.
    """

    def __init__(
        self, tables: Mapping[str, str], catalog: str, paths: Mapping[str, tuple[str, str]], root: str
    ) -> None:
        self._names = {short: f"{catalog}{name}" for short, name in tables.items()}
        self._names |= {short: f"file://{root}/{path}" for short, (_, path) in paths.items()}
        self._sql = {**tables, **{short: f"{form}.`{root}/{path}`" for short, (form, path) in paths.items()}}
        self._steps: list[tuple[str, Action]] = []
        self._truth: list[dict[str, Any]] = []
        self.schema_changes: list[dict[str, str]] = []

    def add_datasets(self, names: Mapping[str, str]) -> None:
        """Add datasets that SQL does not name, short name to full name."""
        self._names |= names

    def filled(self, text: str) -> str:
        """Return SQL with the names of its datasets."""
        for short, name in self._sql.items():
            text = text.replace(f"{{{short}}}", name)
        return text

    def run(self, text: str) -> None:
        """Add SQL that the truth does not list: DDL without a query, settings."""
        name = f"ddl {len(self._steps)}"
        self._steps.append((name, lambda night: night.spark.sql(self.filled(text)).collect()))

    def run_step(self, action: Action) -> None:
        """Add a function of the night that names its statements itself, or has none; `expect` has their truth."""
        self._steps.append((f"step {len(self._steps)}", action))

    def sql(
        self, name: str, text: str, writes: str = "", values: Iterable[Value] = (), conditions: Iterable[str] = ()
    ) -> None:
        """Add a statement in SQL.

        Args:
            name: Its name.
            text: The SQL.
            writes: Kind and dataset, `append trips`; empty for a query.
            values: The target's columns.
            conditions: The INDIRECT edges that it has at least, `FILTER trips.km`.
        """
        self.frame(name, lambda night: night.spark.sql(self.filled(text)).collect(), writes, values, conditions)

    def frame(
        self, name: str, action: Action, writes: str = "", values: Iterable[Value] = (), conditions: Iterable[str] = ()
    ) -> None:
        """Add a statement that is a function of the night; the other arguments are those of `sql`."""
        self._steps.append((name, action))
        self.expect(name, writes, values, conditions)

    def expect(self, name: str, writes: str = "", values: Iterable[Value] = (), conditions: Iterable[str] = ()) -> None:
        """Add the truth about a statement that another step starts, as a stream does."""
        truth: dict[str, Any] = {"name": name, **({"writes": writes} if writes else {})}
        if columns := {each.column: each.sources.split() for each in values}:
            truth["columns"] = columns
        if wanted := list(conditions):
            truth["conditions"] = wanted
        self._truth.append(truth)

    def insert(
        self, name: str, target: str, values: Sequence[Value], rest: str, *conditions: str, overwrite: bool = False
    ) -> None:
        """Add `INSERT INTO target SELECT values rest`."""
        verb, kind = ("OVERWRITE", "overwrite") if overwrite else ("INTO", "append")
        self.sql(name, f"INSERT {verb} {{{target}}} {select(values, rest)}", f"{kind} {target}", values, conditions)

    def ctas(self, name: str, target: str, using: str, values: Sequence[Value], rest: str, *conditions: str) -> None:
        """Add `CREATE TABLE target using AS SELECT values rest`."""
        text = f"CREATE TABLE {{{target}}} {using} AS {select(values, rest)}"
        self.sql(name, text, f"create {target}", values, conditions)

    def query(self, name: str, values: Sequence[Value], rest: str, *conditions: str) -> None:
        """Add `SELECT values rest`."""
        self.sql(name, select(values, rest), "", values, conditions)

    def merge(
        self,
        name: str,
        target: str,
        source: str,
        on: str,
        clauses: Sequence[tuple[str, Sequence[Value]]],
        *conditions: str,
    ) -> None:
        """Add `MERGE INTO target t USING source s ON on clauses`.

        Args:
            name: Its name.
            target: The dataset.
            source: A dataset in braces, or a query in parentheses.
            on: The condition.
            clauses: (`WHEN MATCHED THEN UPDATE`, values); no values for DELETE and for `SET *`, which the text holds.
            *conditions: As of `sql`.
        """
        text, columns = f"MERGE INTO {{{target}}} t USING {source} s ON {on}", {}
        for words, values in clauses:
            text += f" {words}"
            if values and words.endswith("UPDATE"):
                text += f" SET {', '.join(f'{each.column} = {each.expression}' for each in values)}"
            elif values and words.endswith("INSERT"):
                names, given = (", ".join(getattr(each, key) for each in values) for key in ("column", "expression"))
                text += f" ({names}) VALUES ({given})"
            for each in values:
                sources = dict.fromkeys([*columns.get(each.column, "").split(), *each.sources.split()])
                columns[each.column] = " ".join(sources)
        merged = [Value(column, "", sources) for column, sources in columns.items()]
        self.sql(name, text, f"merge {target}", merged, conditions)

    def update(self, name: str, target: str, values: Sequence[Value], where: str, *conditions: str) -> None:
        """Add `UPDATE target SET values WHERE where`."""
        given = ", ".join(f"{each.column} = {each.expression}" for each in values)
        self.sql(name, f"UPDATE {{{target}}} SET {given} WHERE {where}", f"update {target}", values, conditions)

    def delete(self, name: str, target: str, where: str, *conditions: str) -> None:
        """Add `DELETE FROM target WHERE where`."""
        self.sql(name, f"DELETE FROM {{{target}}} WHERE {where}", f"delete {target}", (), conditions)

    def play(self, night: Night) -> None:
        """Run all statements, and write their truth to `truth.json` in the root, without those that were refused."""
        for name, action in self._steps:
            night.step(name, lambda action=action: action(night))
        record = (night.root / "snapshots.jsonl").read_text(encoding="utf-8").splitlines()
        refused = {each["statement"] for each in map(json.loads, record) if each["error"]}
        self.write(night.root / "truth.json", refused)

    def write(self, path: Path, refused: Iterable[str] = ()) -> None:
        """Write the truth, a line per statement."""
        left_out = set(refused)
        lines = [json.dumps(each) for each in self._truth if each["name"] not in left_out]
        names = ",\n".join(f"    {json.dumps(short)}: {json.dumps(name)}" for short, name in self._names.items())
        changes = ",\n".join(f"    {json.dumps(each)}" for each in self.schema_changes)
        statements = ",\n".join(f"    {line}" for line in lines)
        text = f'{{\n  "datasets": {{\n{names}\n  }},\n  "statements": [\n{statements}\n  ],\n'
        path.write_text(f'{text}  "schema_changes": [\n{changes}\n  ]\n}}\n', encoding="utf-8")


def wide(number: int, dataset: str, alias: str = "") -> list[Value]:
    """Return the columns `w0` … of a wide table, passed on unchanged."""
    return same(" ".join(f"w{each}" for each in range(number)), dataset, alias)


def made(number: int, source: str, column: str) -> list[Value]:
    """Return the columns `w0` … of a wide table, made of one column."""
    return [Value(f"w{each}", f"CAST({column} + {each} AS BIGINT)", f"{source}.{column}") for each in range(number)]


def land(root: Path, night: int) -> None:
    """Write the files of a night: trips as JSON lines, vehicles as CSV."""
    first = night * 100
    trips = [
        {
            "trip_id": first + each,
            "vehicle": f"v{each % 4}",
            "driver": {"id": each % 3, "name": f"d{each % 3}"},
            "km": 12.5 * each,
            "liters": 1.0 + each,
            "tags": ["a", "b"],
            "ts": 1_700_000_000 + first + each,
            "region": "north" if each % 2 else "south",
        }
        for each in range(8)
    ]
    vehicles = [f"v{each},make{each}-{night},{each + 2},202{each}-01-0{night}" for each in range(4)]
    for name, lines in (
        (f"landing/trips/n{night}.json", map(json.dumps, trips)),
        (f"landing/vehicles/n{night}.csv", iter(["plate,make,seats,bought", *vehicles])),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
