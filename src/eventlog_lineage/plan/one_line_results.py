"""What lines do not say: results of aggregates, the column of a Range, what Spark cut from wide lists.

An aggregate's line prints the names of its results at most (`output=[k#1, total#2]`), not how they are made of its
functions. The optimized and the analyzed plan say that. Without these (simple text, `sparkPlanInfo`), and for lists
that Spark cut, the operators above tell which attributes there must be; what is told so is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .items import cut_fields, split_items, split_named
from .lexer import read_attribute
from .nodes import Field
from .one_line_fields import Described, listing
from .types import struct_fields

_REFERENCE = re.compile(r"([\w.$-]+)#(\d{1,18})L?(?:-T\d+ms)?(?!\w)")
_RESULT_LINE = re.compile(r"(?:^|[- ])Aggregate (\[.*)$", re.MULTILINE)
_FILTER = " FILTER (WHERE "
_PARTIAL = ("partial_", "merge_")
_SYNTHETIC = 10**17
"""Ids from here on are no plan's: they stand for functions within an aggregate and for columns that were cut."""

Below = Mapping[int, Sequence[int]]


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
    wanted = _Wanted(order, below, described)
    for at in reversed(order):
        known = described[at]
        if "Functions" in known.fields:
            _name_results(at, known, results, wanted)
        elif known.name == "Range" and "Output" not in known.fields:
            _name_range(at, known, wanted)
        elif "Output" in known.fields:
            _uncut(at, known, wanted)


def _order(root: int, below: Below) -> Iterator[int]:
    stack = [root]
    while stack:
        at = stack.pop()
        yield at
        stack.extend(reversed(below[at]))


class _Wanted:
    """The attributes that operators name and nothing below them prints."""

    def __init__(self, order: Sequence[int], below: Below, described: Mapping[int, Described]) -> None:
        printed = {at: _printed(described[at]) for at in order}
        parents = {child: at for at in order for child in below[at]}
        lowest: dict[int, str] = {}
        self._of: dict[int, dict[int, str]] = {at: {} for at in order}
        there: dict[int, set[int]] = {}
        for at in reversed(order):
            inner = set().union(*(there.pop(child) for child in below[at] if child in there)) if below[at] else set()
            references, made = printed[at]
            for number, name in references.items():
                if number not in inner and number not in made and below[at]:
                    self._of[at][number] = name
                    lowest[number] = name
            there[at] = inner | made | references.keys()
        self._parents = parents

    def above(self, at: int) -> dict[int, str]:
        """Id to name of what the operators above a place want and nobody has given yet, the nearest first."""
        found: dict[int, str] = {}
        parent = self._parents.get(at)
        while parent is not None:
            found.update(self._of[parent])
            parent = self._parents.get(parent)
        return found

    def given(self, numbers: Iterable[int]) -> None:
        """Takes note of attributes that an operator turned out to put out."""
        gone = set(numbers)
        for wanted in self._of.values():
            for number in gone & wanted.keys():
                del wanted[number]


def _printed(known: Described) -> tuple[dict[int, str], set[int]]:
    """The attributes that a line names, and those of them that it makes: aliases, the outputs of leaves."""
    references: dict[int, str] = {}
    made: set[int] = set()
    for label, field in known.fields.items():
        items = field.items if field.count is not None else (field.text,)
        for item in items:
            for match in _REFERENCE.finditer(item):
                references.setdefault(int(match[2]), match[1])
        if label == "Output":
            attributes = (read_attribute(item) for item in field.items)
            made.update(found[1] for found in attributes if found and (" AS " in found[0] or known.name != "Project"))
        elif field.count is None:
            made.update(int(number) for number in re.findall(r" AS [^,\[\]]*?#(\d{1,18})L?(?=[,\]])", field.text))
            made.update(_last_list(field.text))
    for item in known.outputs or ():
        found = read_attribute(item)
        if found:
            made.add(found[1])
    return references, made


def _last_list(text: str) -> set[int]:
    """The ids of the last list of arguments: what Generate, Expand and Python functions put out."""
    lists = [part for part in split_items(text) if part.startswith("[") and "#" in part]
    return {int(match[2]) for match in _REFERENCE.finditer(lists[-1])} if lists else set()


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


def _name_results(at: int, known: Described, results: Mapping[int, str], wanted: _Wanted) -> None:
    """Gives an aggregate `Aggregate Attributes` and `Results` as formatted text has them."""
    keys, functions = known.fields["Keys"].items, known.fields["Functions"].items
    if any(function.startswith(_PARTIAL) for function in functions):
        buffers = [f"{function}#{_SYNTHETIC + at * 10_000 + place}" for place, function in enumerate(functions)]
        outputs = known.outputs if known.outputs is not None else [*keys, *buffers]
        known.fields["Aggregate Attributes"] = listing(outputs[len(keys) :])
        known.fields["Results"] = listing(outputs)
        return
    numbers = [_SYNTHETIC + at * 10_000 + place for place in range(len(functions))]
    known.fields["Aggregate Attributes"] = listing(
        [f"{function}#{number}" for function, number in zip(functions, numbers, strict=True)]
    )
    values = [f"{function}#{number}" for function, number in zip(functions, numbers, strict=True)]
    outputs = known.outputs if known.outputs is not None else _asked_outputs(at, known, wanted)
    there, _ = cut_fields(list(outputs))
    known.fields["Results"] = listing(
        [_result(item, place, known, results, values) for place, item in enumerate(there)]
    )
    wanted.given(found[1] for item in there if (found := read_attribute(item)))


def _asked_outputs(at: int, known: Described, wanted: _Wanted) -> list[str]:
    """The outputs of an aggregate that prints none: its keys, and what the operators above want; else its functions."""
    keys, functions = known.fields["Keys"].items, known.fields["Functions"].items
    asked = sorted(wanted.above(at).items())
    if asked:
        known.guessed.update(number for number, _ in asked)
        return [*keys, *(f"{name}#{number}" for number, name in asked)]
    made = [_SYNTHETIC + at * 10_000 + 5_000 + place for place in range(len(functions))]
    known.guessed.update(made)
    return [*keys, *(f"{function}#{number}" for function, number in zip(functions, made, strict=True))]


def _result(item: str, place: int, known: Described, results: Mapping[int, str], values: Sequence[str]) -> str:
    """A result as formatted text prints it: `(sum(v#1)#7 / 2.0) AS half#8`."""
    keys, functions = known.fields["Keys"].items, known.fields["Functions"].items
    found = read_attribute(item)
    if found is None or item in keys:
        return item
    if found[1] in results:
        return _over_values(results[found[1]], functions, values)
    outputs = len(known.outputs or ()) or len(keys) + len(values)
    name = f"{found[0]}#{found[1]}"
    if known.outputs is None:
        outputs = len(keys) + len(known.guessed)
    index = place - (outputs - len(values))
    ordered = known.outputs is not None or len(values) < 2 or not any("(distinct " in each for each in functions)
    if ordered and outputs == len(keys) + len(values) and 0 <= index < len(values):
        return f"{values[index]} AS {name}"
    known.guessed.add(found[1])  # which function it is made of cannot be told: DISTINCT ones are printed last
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


def _name_range(at: int, known: Described, wanted: _Wanted) -> None:
    """A Range's only column is `id`; its line does not print it."""
    number = next((number for number, name in wanted.above(at).items() if name == "id"), _SYNTHETIC + at * 10_000)
    known.fields["Output"] = listing([f"id#{number}L"])
    wanted.given([number])


def _uncut(at: int, known: Described, wanted: _Wanted) -> None:
    """Completes a scan's list that Spark cut: by its `ReadSchema`, and by what the operators above want of it."""
    there, missing = cut_fields(list(known.fields["Output"].items))
    if not missing or known.name == "Project":
        return
    schema = known.fields.get("ReadSchema", Field(""))
    columns = [name for name, _ in struct_fields(schema.text)]
    printed = {found[0] for item in there if (found := read_attribute(item))}
    rest = [name for name in columns if name not in printed]
    asked = {name: number for number, name in wanted.above(at).items()}
    names = rest if len(rest) == missing else [name for name in asked if not rest or name in rest]
    numbers = {name: asked.get(name, _SYNTHETIC + at * 10_000 + place) for place, name in enumerate(names)}
    known.fields["Output"] = listing([*there, *(f"{name}#{number}" for name, number in numbers.items())])
    known.guessed.update(numbers.values())
    wanted.given(numbers.values())
