"""What lines do not say: results of aggregates, the column of a Range.

An aggregate's line prints the names of its results at most (`output=[k#1, total#2]`), not how they are made of its
functions. The optimized and the analyzed plan say that. Without these (simple text, `sparkPlanInfo`) the
operators above tell which attributes there must be; what is told so is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, split_named, without_truncation

from .completed_lists import Cuts
from .missing_attributes import SYNTHETIC, Below, Wanted
from .operator_lines import Described, listing

_RESULT_LINE = re.compile(r"(?:^|[- ])Aggregate (\[.*)$", re.MULTILINE)
_FILTER = " FILTER (WHERE "
_PARTIAL = ("partial_", "merge_")


def complete(root: int, below: Below, described: Mapping[int, Described], logical: str) -> None:
    """Puts into the fields of a tree's operators what their own lines leave out.

    Args:
        root: The root's place.
        below: Place to the places of the inputs.
        described: Place to what the line says; changed in place.
        logical: The optimized and the analyzed plan, one after the other; empty where the text has none.
    """
    order = list(_order(root, below))
    results = _results(logical)
    wanted = Wanted(order, below, described)
    cuts = Cuts(below, described, wanted)
    for at in reversed(order):
        known = described[at]
        if "Functions" in known.fields:
            _name_results(at, known, results, wanted)
        elif known.name == "Range" and "Output" not in known.fields:
            _name_range(at, known, wanted)
        cuts.complete(at, known)


def _order(root: int, below: Below) -> Iterator[int]:
    stack = [root]
    while stack:
        at = stack.pop()
        yield at
        stack.extend(reversed(below[at]))


def _results(logical: str) -> dict[int, str]:
    """Id to the named expression that makes it, from the aggregates of logical plans; the optimized one comes first."""
    results: dict[int, str] = {}
    for match in _RESULT_LINE.finditer(logical):
        lists = [part for part in split_items(match[1]) if part.startswith("[")]
        for item in split_named(lists[-1][1:-1], None) if lists else ():
            found = read_attribute(item)
            if found and " AS " in item:
                results.setdefault(found[1], item)
    return results


def _name_results(at: int, known: Described, results: Mapping[int, str], wanted: Wanted) -> None:
    """Gives an aggregate `Aggregate Attributes` and `Results` as formatted text has them, as far as printed."""
    keys, more_keys = without_truncation(list(known.fields["Keys"].items))
    functions, more_functions = without_truncation(list(known.fields["Functions"].items))
    known.fields["Keys"], known.fields["Functions"] = listing(keys), listing(functions)
    numbers = [SYNTHETIC + at * 10_000 + place for place in range(len(functions))]
    values = [f"{function}#{number}" for function, number in zip(functions, numbers, strict=True)]
    if any(function.startswith(_PARTIAL) for function in functions):
        outputs, _ = without_truncation(known.outputs if known.outputs is not None else [*keys, *values])
        known.fields["Aggregate Attributes"] = listing(outputs[len(keys) :])
        known.fields["Results"] = listing(outputs)
        return
    known.fields["Aggregate Attributes"] = listing(values)
    outputs, missing = without_truncation(
        known.outputs if known.outputs is not None else _asked_outputs(at, known, wanted)
    )
    given = len(outputs) + missing if known.outputs is not None else len(keys) + (len(known.inferred) or len(values))
    before = given - len(values) - more_functions
    aligned = before if before == len(keys) + more_keys else -1
    listed = [
        _result(item, place - aligned if aligned >= 0 else -1, known, results) for place, item in enumerate(outputs)
    ]
    known.fields["Results"] = listing([*listed, *([f"... {missing} more fields"] if missing else [])])
    wanted.given(found[1] for item in outputs if (found := read_attribute(item)))


def _asked_outputs(at: int, known: Described, wanted: Wanted) -> list[str]:
    """The outputs of an aggregate that prints none: its keys, and what the operators above want; else its functions."""
    keys, functions = known.fields["Keys"].items, known.fields["Functions"].items
    asked = sorted(wanted.above(at).items())
    if asked:
        known.inferred.update(number for number, _ in asked)
        return [*keys, *(f"{name}#{number}" for number, name in asked)]
    made = [SYNTHETIC + at * 10_000 + 5_000 + place for place in range(len(functions))]
    known.inferred.update(made)
    return [*keys, *(f"{function}#{number}" for function, number in zip(functions, made, strict=True))]


def _result(item: str, index: int, known: Described, results: Mapping[int, str]) -> str:
    """A result as formatted text prints it: `(sum(v#1)#7 / 2.0) AS half#8`.

    Args:
        item: The attribute that is put out.
        index: Which of the functions it must be, by its place; below zero where it is none, or nobody can tell.
        known: The aggregate.
        results: What logical plans say of results.
    """
    keys, functions = known.fields["Keys"].items, known.fields["Functions"].items
    values = known.fields["Aggregate Attributes"].items
    found = read_attribute(item)
    if found is None or item in keys:
        return item
    if found[1] in results:
        return _over_values(results[found[1]], functions, values)
    name = f"{found[0]}#{found[1]}"
    ordered = known.outputs is not None or len(values) < 2 or not any("(distinct " in each for each in functions)
    if ordered and 0 <= index < len(values):
        return f"{values[index]} AS {name}"
    known.inferred.add(found[1])  # which function it is made of cannot be told: DISTINCT ones are printed last
    return f"struct({', '.join(values)}) AS {name}" if values else item


def _over_values(text: str, functions: Sequence[str], values: Sequence[str]) -> str:
    """An expression over functions to one over the attributes that stand for them."""
    for function, value in sorted(zip(functions, values, strict=True), key=lambda pair: -len(pair[0])):
        pieces = text.split(function)
        text = pieces[0]
        for piece in pieces[1:]:
            whole = not (text[-1:].isalnum() or text[-1:] == "_") and not piece.startswith("#")
            text += value + _without_filter(piece) if whole else function + piece
    return text


def _without_filter(text: str) -> str:
    """A text without the `FILTER (WHERE …)` it begins with: the physical plan has it in the first step only."""
    if not text.startswith(_FILTER):
        return text
    depth = 0
    for end in range(len(_FILTER) - 7, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return text[end + 1 :]
    return ""


def _name_range(at: int, known: Described, wanted: Wanted) -> None:
    """A Range's only column is `id`; its line does not print it."""
    number = next((number for number, name in wanted.above(at).items() if name == "id"), SYNTHETIC + at * 10_000)
    known.fields["Output"] = listing([f"id#{number}L"])
    wanted.given([number])
