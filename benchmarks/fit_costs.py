"""Fit the costs of ambiguous text (`plan/grammar/costs.py`) to statements whose sources are known.

    python benchmarks/fit_costs.py                # how far each cost can move
    python benchmarks/fit_costs.py --fit          # search for costs with a smaller loss, one after the other
    python benchmarks/fit_costs.py --step 0.5     # how far a cost is moved (default: a quarter)
    python benchmarks/fit_costs.py --step 1       # which costs are needed: the loss without each

The statements are those of `tests/lineage/random_statements`: real plans of made-up statements, with their sources. A
statement with other sources and no gap has the loss 1, one with a gap 0.1. Only statements are read whose text the
costs can change: those with names or literals that look like structure.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import Edge
from eventlog_lineage.plan.grammar import literals
from eventlog_lineage.plan.grammar.costs import COSTS

FIXTURES = Path(__file__).resolve().parent.parent / "tests" / "lineage" / "random_statements"
OF_COLUMNS = ("CONDITIONAL", "WINDOW", "SORT")
GAP = 0.1


@cache
def statements() -> tuple[dict[str, Any], ...]:
    """Read the statements, with the sources that they are made of."""
    return tuple(json.loads(path.read_text(encoding="utf-8")) for path in sorted(FIXTURES.glob("*.json")))


def _source(edge: Edge) -> str:
    return f"{(edge.source_dataset or '').rpartition('.')[2]}.{edge.source_column}"


def _columns(lineage: StatementLineage) -> Iterator[tuple[str, dict[str, set[str]]]]:
    """Yield the names of target columns with their sources by kind."""
    found: dict[int, tuple[str, dict[str, set[str]]]] = {}
    for edge in lineage.edges:
        if edge.target_ordinal is not None:
            kinds = found.setdefault(edge.target_ordinal, ((edge.target_column or "").lower(), {}))[1]
            kind = "DIRECT" if edge.dependency == "DIRECT" else str(edge.transformation)
            if edge.source_column is not None and kind in ("DIRECT", *OF_COLUMNS):
                kinds.setdefault(kind, set()).add(_source(edge))
    return (found[ordinal] for ordinal in sorted(found))


def loss_of(statement: dict[str, Any]) -> float:
    """Return the loss of one statement."""
    lineage = trace_texts("\n".join(statement["plan"]))
    if lineage.gaps:
        return GAP
    wanted = [(name.lower(), {kind: set(of) for kind, of in kinds.items()}) for name, kinds in statement["columns"]]
    return float(list(_columns(lineage)) != wanted)


def loss(sample: Sequence[dict[str, Any]]) -> float:
    """Return the loss of all statements."""
    literals.escape_literals.cache_clear()
    literals.escape_items.cache_clear()
    return sum(map(loss_of, sample))


def with_cost(name: str, value: int, sample: Sequence[dict[str, Any]]) -> float:
    """Return the loss with another value of one cost."""
    before = getattr(COSTS, name)
    object.__setattr__(COSTS, name, value)
    try:
        return loss(sample)
    finally:
        object.__setattr__(COSTS, name, before)


def main() -> None:
    """Print the table, or fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fit", action="store_true", help="move each cost to the better neighbour, if there is one")
    parser.add_argument("--step", type=float, default=0.25, help="how far a cost is moved, as a share of it")
    parser.add_argument("--only", nargs="*", help="costs (default: all)")
    arguments = parser.parse_args()
    sample = statements()
    least = loss(sample)
    print(f"{len(sample)} statements, loss {least:.1f}\n")
    print("| cost | value | lower | loss | higher | loss |\n|---|---|---|---|---|---|")
    for name in arguments.only or [field.name for field in fields(COSTS)]:
        value: int = getattr(COSTS, name)
        step = max(1, round(value * arguments.step))
        found = {other: with_cost(name, other, sample) for other in (max(0, value - step), value + step)}
        cells = " | ".join(f"{other} | {lost:.1f}" for other, lost in found.items())
        print(f"| {name} | {value} | {cells} |", flush=True)
        best = min(found, key=lambda other: found[other])
        if arguments.fit and found[best] < least:
            object.__setattr__(COSTS, name, best)
            least = found[best]
            print(f"\n{name} = {best}: loss {least:.1f}\n", flush=True)


if __name__ == "__main__":
    main()
