"""How long a plan takes to be understood: of TPC-DS, and of texts of up to 100 MB.

The large texts are made here, in the shape that Spark 3.5 prints: a union of many joins (`branches`), a table of many
columns through many projections (`columns`). Time is of one core, the trace of a whole statement: read, resolve, edges.

Usage: `python benchmarks/trace_speed.py FOLDER [--megabytes 1 4 16 100]`, the folder with the plan-stability suites'
`explain.txt`. Fails where the median is 10 ms or more, or a megabyte costs over 1.5 times what it costs in the smallest
text.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from eventlog_lineage.lineage.trace_statement import trace_texts

_MOST_MILLISECONDS = 10
_MOST_GROWTH = 1.5
_COLUMNS = 40


def main() -> None:
    """Prints the figures, and fails where one is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--megabytes", type=float, nargs="+", default=[1, 4, 16, 100])
    options = parser.parse_args()
    texts = [path.read_text() for path in sorted(options.folder.rglob("tpcds*/**/explain.txt"))]
    if not texts:
        raise SystemExit(f"{options.folder}: no tpcds*/**/explain.txt below it")
    times = [min(_seconds(text) for _ in range(3)) * 1000 for text in texts]
    centiles = statistics.quantiles(times, n=100)
    print(
        f"{len(texts)} plans of TPC-DS: median {statistics.median(times):.1f} ms, 90 % {centiles[89]:.1f} ms, "
        f"longest {max(times):.1f} ms ({sum(map(len, texts)) / sum(times) / 1000:.2f} MB/s)"
    )
    missed = statistics.median(times) >= _MOST_MILLISECONDS
    for name, make in (("branches", branches), ("columns", columns)):
        missed |= _grows(name, make, options.megabytes)
    sys.exit(missed)


def _seconds(text: str) -> float:
    gc.collect()
    begin = time.process_time()
    trace_texts(text)
    return time.process_time() - begin


def _grows(name: str, make: Callable[[int], str], sizes: list[float]) -> bool:
    """Times texts of growing size, and tells whether a megabyte grows dearer."""
    each = []
    for size in sizes:
        text = make(int(size * 1e6))
        seconds = _seconds(text)
        each.append(seconds / len(text))
        growth = each[-1] / each[0]
        print(f"{name:<9} {len(text) / 1e6:7.1f} MB  {seconds:8.2f} s  {growth:5.2f} of the first's time per MB")
    return each[-1] > _MOST_GROWTH * each[0]


def branches(size: int) -> str:
    """A union of joins of two tables each."""
    count = max(1, size // sum(map(len, _branch(100_000))))
    made = [_branch(number) for number in range(count)]
    total = count * 6 + 1
    tree = [f"Union ({total})", *(line for lines, _ in made for line in lines.splitlines())]
    details = "".join(text for _, text in made)
    return "== Physical Plan ==\n" + "\n".join(tree) + f"\n\n\n{details}({total}) Union\n\n"


def _branch(number: int) -> tuple[str, str]:
    """One join: the tree's lines and the details."""
    at, ids, table = number * 6, number * 1000, number % 50
    left = [f"l{place}#{ids + place}" for place in range(_COLUMNS)]
    right = [f"r{place}#{ids + 100 + place}" for place in range(_COLUMNS)]
    pairs = enumerate(zip(left, right, strict=True))
    made = [f"({one} + {two}) AS s{place}#{ids + 200 + place}" for place, (one, two) in pairs]
    lines = (
        f":- Project ({at + 6})\n:  +- BroadcastHashJoin Inner BuildRight ({at + 5})\n"
        f":     :- Filter ({at + 2})\n:     :  +- Scan parquet lake.big.left{table} ({at + 1})\n"
        f":     +- BroadcastExchange ({at + 4})\n:        +- Scan parquet lake.big.right{table} ({at + 3})"
    )
    lefts, rights = ", ".join(left), ", ".join(right)
    blocks = (
        (
            f"({at + 1}) Scan parquet lake.big.left{table}\nOutput [{_COLUMNS}]: [{lefts}]\n"
            f"Location: InMemoryFileIndex [file:/lake/left{table}]\n"
        ),
        f"({at + 2}) Filter\nInput [{_COLUMNS}]: [{lefts}]\nCondition : (isnotnull({left[0]}) AND ({left[1]} > 7))\n",
        (
            f"({at + 3}) Scan parquet lake.big.right{table}\nOutput [{_COLUMNS}]: [{rights}]\n"
            f"Location: InMemoryFileIndex [file:/lake/right{table}]\n"
        ),
        (
            f"({at + 4}) BroadcastExchange\nInput [{_COLUMNS}]: [{rights}]\n"
            f"Arguments: HashedRelationBroadcastMode(List(input[0, bigint, false]),false), [plan_id={number}]\n"
        ),
        (
            f"({at + 5}) BroadcastHashJoin\nLeft keys [1]: [{left[0]}]\nRight keys [1]: [{right[0]}]\n"
            "Join type: Inner\nJoin condition: None\n"
        ),
        f"({at + 6}) Project\nOutput [{_COLUMNS}]: [{', '.join(made)}]\nInput [{2 * _COLUMNS}]: [{lefts}, {rights}]\n",
    )
    return lines, "".join(f"{block}\n" for block in blocks)


def columns(size: int) -> str:
    """Ten projections of as many columns as it takes."""
    steps = 10
    width = max(1, size // (steps * 70))
    total = steps + 1
    tree = [f"Project ({total})"]
    tree += [f"{'   ' * (step - 1)}+- Project ({total - step})" for step in range(1, steps)]
    tree.append(f"{'   ' * (steps - 1)}+- Scan parquet lake.big.wide (1)")
    below = [f"c{place}#{place}L" for place in range(width)]
    details = [f"(1) Scan parquet lake.big.wide\nOutput [{width}]: [{', '.join(below)}]\n"]
    for step in range(1, steps + 1):
        made = [f"c{place}#{step * width + place}L" for place in range(width)]
        items = [f"({one} + 1) AS {two}" for one, two in zip(below, made, strict=True)]
        details.append(
            f"({step + 1}) Project\nOutput [{width}]: [{', '.join(items)}]\nInput [{width}]: [{', '.join(below)}]\n"
        )
        below = made
    return "== Physical Plan ==\n" + "\n".join(tree) + "\n\n\n" + "\n".join(details) + "\n"


if __name__ == "__main__":
    main()
