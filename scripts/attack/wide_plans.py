"""Trace plans that are wide or deep in different ways; time per unit must not grow with the size.

    python scripts/attack/wide_plans.py [--size 1000] [--only SHAPE]

Prints CPU seconds at 1, 2 and 4 times the size of each shape. A shape is found that takes more than 7 times the CPU
time for 4 times the size, in two of two measurements, or whose trace fails.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import product

from attack import exit_code, options
from eventlog_lineage.lineage.trace_statement import trace_texts

_SLACK = 7
_LEAST = 0.1
"""Seconds below which the ratio is noise."""


Plan = Callable[[str, Iterable[str], Iterable[str]], str]
"""Returns the plan of a write of a projection of a scan: its `ReadSchema`, its columns, the projection's."""


def formatted(schema: str, columns: Iterable[str], outputs: Iterable[str]) -> str:
    """Return a plan in formatted text."""
    read, made = list(columns), list(outputs)
    names = [each.rpartition(" AS ")[2] for each in made]
    return f"""== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand (3)
+- * Project (2)
   +- Scan parquet db.t (1)


(1) Scan parquet db.t
Output [{len(read)}]: [{", ".join(read)}]
Batched: true
Location: InMemoryFileIndex [file:/w/t]
ReadSchema: {schema}

(2) Project [codegen id : 1]
Output [{len(made)}]: [{", ".join(made)}]
Input [{len(read)}]: [{", ".join(read)}]

(3) Execute InsertIntoHadoopFsRelationCommand
Input [{len(made)}]: [{", ".join(names)}]
Arguments: {_written(names)}

"""


def extended(schema: str, columns: Iterable[str], outputs: Iterable[str]) -> str:
    """Return a plan in extended text."""
    made = list(outputs)
    scan = "Batched: true, DataFilters: [], Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/w/t]"
    return f"""== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand {_written([each.rpartition(" AS ")[2] for each in made])}
+- *(1) Project [{", ".join(made)}]
   +- *(1) ColumnarToRow
      +- FileScan parquet db.t[{",".join(columns)}] {scan}, PartitionFilters: [], ReadSchema: {schema}
"""


def _written(names: Iterable[str]) -> str:
    columns = ", ".join(each.rpartition("#")[0] for each in names)
    return f"file:/w/out, false, Parquet, [path=file:/w/out], Append, [{columns}]"


def _all(pattern: str, count: int) -> str:
    return ",".join(pattern.format(i=i) for i in range(count))


def _taken(pattern: str, count: int) -> list[str]:
    return [f"{pattern.format(i=i)} AS c{i}#{i + 10}" for i in range(count)]


def _nested(count: int) -> str:
    return "struct<a:" * count + "int" + ">" * count


SHAPES: dict[str, Callable[[Plan, int], str]] = {
    "columns": lambda plan, n: plan(
        f"struct<{_all('f{i}:int', n)}>", [f"f{i}#{i + 10**6}" for i in range(n)], _taken("f{i}#100000{i}", n)
    ),
    "fields of a struct": lambda plan, n: plan(
        f"struct<s:struct<{_all('f{i}:int', n)}>>", ["s#1"], _taken("s#1.f{i}", n)
    ),
    "fields of an array of structs": lambda plan, n: plan(
        f"struct<s:array<struct<{_all('f{i}:int', n)}>>>", ["s#1"], _taken("s#1.f{i}", n)
    ),
    "paths of a VARIANT": lambda plan, n: plan(
        f"struct<s:struct<{_all('{i}:int', n)}>>", ["s#1"], _taken("s#1.{i}", n)
    ),
    "fields by number": lambda plan, n: plan(
        f"struct<s:array<struct<{_all('f{i}:int', n)}>>>", ["s#1"], [*_taken("s#1[{i}]", n)]
    ),
    "a built struct": lambda plan, n: plan(
        "struct<a:int>", ["a#1"], [f"named_struct({', '.join(f'f{i}, a#1' for i in range(n))}) AS c#10"]
    ),
    "fields of a built struct": lambda plan, n: plan(
        "struct<a:int>",
        ["a#1"],
        [f"named_struct({', '.join(f'f{i}, a#1' for i in range(n))}).f{j} AS c{j}#{j + 10}" for j in range(4)],
    ),
    "levels of a type": lambda plan, n: plan(f"struct<s:{_nested(n)}>", ["s#1"], ["s#1.a AS c#10"]),
    "levels of a path": lambda plan, n: plan(f"struct<s:{_nested(n)}>", ["s#1"], [f"s#1{'.a' * n} AS c#10"]),
    "levels of VARIANTs": lambda plan, n: plan(
        f"struct<s:{'struct<0:' * n}int{'>' * n}>", ["s#1"], [f"s#1{'.0' * n} AS c#10"]
    ),
    "levels of calls": lambda plan, n: plan("struct<a:int>", ["a#1"], [f"{'upper(' * n}a#1{')' * n} AS c#10"]),
    "levels of brackets": lambda plan, n: plan("struct<a:int>", ["a#1"], [f"{'(' * n}a#1{' + 1)' * n} AS c#10"]),
    "arguments": lambda plan, n: plan("struct<a:int>", ["a#1"], [f"concat({', '.join(['a#1'] * n)}) AS c#10"]),
    "branches": lambda plan, n: plan(
        "struct<a:int>", ["a#1"], [f"CASE {' '.join(f'WHEN (a#1 = {i}) THEN {i}' for i in range(n))} END AS c#10"]
    ),
}


def seconds(text: str) -> tuple[float, str]:
    """Return the CPU seconds of a trace, and its internal error."""
    started = time.process_time()
    lineage = trace_texts(text)
    failed = [gap.detail for gap in lineage.gaps if gap.reason == "internal_error"]
    return time.process_time() - started, failed[0] if failed else ""


def attack(size: int, only: str) -> Iterator[str]:
    """Trace the shapes; give those that grow or fail."""
    for form, (name, made) in product((formatted, extended), SHAPES.items()):
        if only not in name:
            continue
        texts = [made(form, size * times) for times in (1, 2, 4)]
        taken, errors = zip(*map(seconds, texts), strict=True)
        if grows := taken[2] > max(taken[0], _LEAST) * _SLACK:
            taken, errors = zip(*map(seconds, texts), strict=True)
            grows = taken[2] > max(taken[0], _LEAST) * _SLACK
        print(f"{form.__name__:9} {name:32}", *(f"{each:7.2f} s" for each in taken), flush=True)
        if grows or any(errors):
            yield f"{form.__name__} {name}: {max(errors) or 'time grows'}"


def main() -> int:
    """Run the attack; return 1 if it finds something."""
    given = options(__doc__, size=1000, only="")
    return exit_code(attack(given.size, given.only))


if __name__ == "__main__":
    sys.exit(main())
