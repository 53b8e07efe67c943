"""Decides for each difference of `random_statements.py` whether Spark's optimizer made it, or this program.

A statement that differs is planned again, and its analyzed and its optimized plan are read as Spark's objects
(`plan_trees.py`), without any of this program's code. A source that is missing is proved if the optimized plan does not
have it in that role, and an additional one if the optimized plan has it; whatever else differs is ours. A missing
source that even the analyzed plan does not have is an error of the statement's truth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plan_trees import NOT_NULL, Read, UnreadError, everything, read_plan

OPTIMIZER, TRUTH, OURS, UNREAD = "optimizer", "truth", "ours", "unread"
WORST = (OURS, UNREAD, TRUTH, OPTIMIZER)
_LINES = {
    "FILTER": ("Filter ",),
    "JOIN": ("Join ", "Intersect", "Except"),
    "GROUP_BY": ("Aggregate ", "Distinct", "Deduplicate"),
    "SORT": ("Sort ",),
}
_ROWS = tuple(word for words in _LINES.values() for word in words)
_LONGEST_LINE = 400


@dataclass(frozen=True)
class Difference:
    """A difference between a statement's truth and its lineage.

    Attributes:
        kind: `direct`, `indirect`, `rows` or `name`.
        text: What differs, for people.
        where: A column's place, or `rows`, with the role: `(0, "DIRECT")`; of rows no role is any one. None for a name
            or a number of columns.
        sources: What is missing or too much.
        is_extra: Whether it is too much.
        found: What the program found there: a column stands for its fields, too.
    """

    kind: str
    text: str
    where: tuple[int | str, str] | None = None
    sources: frozenset[str] = frozenset()
    is_extra: bool = False
    found: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Proof:
    """A statement's plans, and their text."""

    analyzed: Read | None
    optimized: Read | None
    text: str


def proofs(path: Path) -> dict[str, Proof]:
    """The plans of statements, by name."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        plans = json.loads(line)
        analyzed, optimized = _read(plans["analyzed"]), _read(plans["optimized"])
        if analyzed and optimized:
            _count_written_checks(analyzed, optimized)
        found[plans["name"]] = Proof(analyzed, optimized, plans["text"])
    return found


def _count_written_checks(analyzed: Read, optimized: Read) -> None:
    """Adds the checks for NULL that the statement has to the filters, not those that the optimizer adds below joins."""
    written = analyzed.rows.get(NOT_NULL, set())
    for plan in (analyzed, optimized):
        plan.rows["FILTER"] = plan.rows.get("FILTER", set()) | plan.rows.get(NOT_NULL, set()) & written


def _read(tree: str) -> Read | None:
    try:
        return read_plan(tree)
    except UnreadError:
        return None


def verdict(difference: Difference, proof: Proof | None) -> str:
    """Who made a difference: `optimizer`, `truth`, `ours`, or `unread` if the plans cannot be read."""
    if difference.where is None:
        return OURS
    if proof is None or proof.optimized is None:
        return UNREAD
    has = _in(proof.optimized, difference)
    missing = difference.sources
    if difference.is_extra:
        return OPTIMIZER if all(map(has, difference.sources)) else OURS
    if any(has(each) and not _is_covered(each, difference.found) and not _is_pruned(each, proof) for each in missing):
        return OURS
    before = _in(proof.analyzed, replace(difference, where=(difference.where[0], ""))) if proof.analyzed else None
    return OPTIMIZER if before is None or all(map(before, difference.sources)) else TRUTH


def _is_covered(source: str, found: Collection[str]) -> bool:
    return any(source.startswith(f"{each}.") for each in found)


def _is_pruned(source: str, proof: Proof) -> bool:
    """Whether the optimizer took fields of a column away: what reads the rest of it does not read the column."""
    before = proof.analyzed.types.get(source) if proof.analyzed else None
    return before is not None and proof.optimized is not None and proof.optimized.types.get(source) != before


def _in(plan: Read, difference: Difference) -> Callable[[str], bool]:
    """A function that says whether a plan has a source where a difference is, in its role."""
    assert difference.where is not None
    where, role = difference.where
    if where == "rows":
        kinds: Sequence[str] = [role] if role else list(plan.rows)
        names = frozenset().union(*(plan.rows.get(kind, ()) for kind in kinds))
    elif int(where) >= len(plan.columns):
        return lambda _: False
    else:
        column = plan.columns[int(where)]
        names = column.get(role, frozenset()) if role else everything(column)
    return lambda source: any(source == each or source.startswith(f"{each}.") for each in names)


def lines_of(difference: Difference, proof: Proof) -> Iterator[str]:
    """The lines of the analyzed and the optimized plan that show it: operators of that kind, or the column's text."""
    for title in ("Analyzed", "Optimized"):
        _, _, section = proof.text.partition(f"== {title} Logical Plan ==\n")
        section = section.partition("\n== ")[0]
        yield f"{title}:"
        where, role = difference.where or (0, "")
        words = _LINES.get(role, _ROWS) if where == "rows" else ("Project ", "Aggregate ", "Window ")
        for line in section.splitlines():
            if re.sub(r"^[ :+|-]*", "", line).startswith(words):
                yield line[:_LONGEST_LINE]


def statements_of(path: Path, names: Collection[str]) -> str:
    """The lines of a file of statements that prepare others, and those of some statements."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if json.loads(line).get("name") in {None, *names})
