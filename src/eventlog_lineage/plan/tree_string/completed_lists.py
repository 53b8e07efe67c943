"""Lists that Spark cut, `... 37 more fields`, completed by what the operators above must have from them.

An attribute that an operator names and that stands nowhere below it was in a list that is cut. A scan's goes on with
its `ReadSchema`; a projection passes on what its input puts out and an operator above names; an Expand puts out the
cells of its rows. What is known by its name alone is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, split_named, without_truncation
from eventlog_lineage.plan.expressions.types import struct_fields
from eventlog_lineage.plan.nodes import Field

from .missing_attributes import SYNTHETIC, Below, Wanted
from .operator_lines import Described, listing

_MORE = " more fields"
_ROW = re.compile(r"^(?:List|ArrayBuffer|Vector|Stream)?[\[(](.*)[\])]$", re.DOTALL)


class Cuts:
    """The cut lists of one tree; its operators are given from the leaves to the root."""

    def __init__(self, below: Below, described: Mapping[int, Described], wanted: Wanted) -> None:
        """Takes a tree.

        Args:
            below: Place to the places of the inputs.
            described: Place to what the line says.
            wanted: What the operators name.
        """
        self._below = below
        self._wanted = wanted
        self._any = any(_MORE in field.text for known in described.values() for field in known.fields.values())
        self._outputs: dict[int, set[int]] = {}

    def complete(self, at: int, known: Described) -> None:
        """Completes an operator's list as far as it goes; `known` is changed in place."""
        if not self._any:
            return
        if known.name == "Project":
            self._project(at, known)
        elif known.name == "Expand":
            self._expand(at, known)
        elif "Output" in known.fields:
            self._scan(at, known)
        self._note_outputs(at, known)

    def _note_outputs(self, at: int, known: Described) -> None:
        listed = known.fields.get("Results") or known.fields.get("Output")
        if listed is not None:
            self._outputs[at] = _numbers(listed.items)
            return
        passed = set().union(*(self._outputs.get(child, set()) for child in self._below[at]))
        self._outputs[at] = _numbers(_last(known)) if known.name in {"Expand", "Project"} else passed
        self._outputs[at] |= self._wanted.made(at)

    def _passing(self, at: int, printed: set[int]) -> list[str]:
        """What comes from below and is named above, as items."""
        below = set().union(*(self._outputs.get(child, set()) for child in self._below[at]))
        above = self._wanted.references_above(at).items()
        return [f"{name}#{number}" for number, name in above if number in below and number not in printed]

    def _scan(self, at: int, known: Described) -> None:
        """A scan's list: by its `ReadSchema`, and by what the operators above want of it."""
        there, missing = without_truncation(list(known.fields["Output"].items))
        if not missing:
            return
        schema = known.fields.get("ReadSchema", Field(""))
        columns = [name for name, _ in struct_fields(schema.text)]
        printed = {found[0] for item in there if (found := read_attribute(item))}
        rest = [name for name in columns if name not in printed]
        asked: dict[str, int] = {}
        for number, name in self._wanted.above(at).items():
            asked.setdefault(name, number)
        names = rest if len(rest) == missing else [name for name in asked if not rest or name in rest][:missing]
        numbers = {name: asked.get(name, SYNTHETIC + at * 10_000 + place) for place, name in enumerate(names)}
        items = [*there, *(f"{name}#{number}" for name, number in numbers.items())]
        known.fields["Output"] = listing(items, ", ".join([*items, *_rest(missing - len(names))]))
        known.inferred.update(numbers.values())
        self._wanted.given(numbers.values())

    def _project(self, at: int, known: Described) -> None:
        """A projection's list: with the attributes that it passes on."""
        items = _last(known) if "Output" not in known.fields else []
        there, missing = without_truncation(items)
        if not missing:
            return
        passing = self._passing(at, _numbers(there))[:missing]
        whole = [*there, *passing]
        if len(passing) == missing or self._wanted.is_closed(at):
            del known.fields["Arguments"]
            known.fields["Output"] = listing(whole)
        else:
            known.fields["Arguments"] = Field(f"[{', '.join([*whole, *_rest(missing - len(passing))])}]")
        self._wanted.given(_numbers(passing))

    def _expand(self, at: int, known: Described) -> None:
        """An Expand's outputs: the cells of its rows where these are whole, else what is named above."""
        there, missing = without_truncation(_last(known))
        if not missing:
            return
        printed = _numbers(there)
        passing = self._passing(at, printed)
        above = self._wanted.above(at).items()
        new = {name: f"{name}#{number}" for number, name in above if number not in printed | _numbers(passing)}
        first = split_items(known.fields["Arguments"].text)[0]
        rows = [_cells(row) for row in split_items(first[1:-1])]
        if rows and all(len(row) == len(there) + missing for row in rows):
            columns = [[row[place] for row in rows] for place in range(len(there), len(there) + missing)]
            added = [_output(at, place, cells, new) for place, cells in enumerate(columns)]
        else:
            added = [*passing, *new.values()][:missing]
            known.inferred.update(_numbers(passing))
        known.inferred.update(_numbers(new.values()) & _numbers(added))
        whole = ", ".join([*there, *added, *_rest(missing - len(added))])
        known.fields["Arguments"] = Field(f"{first}, [{whole}]")
        self._wanted.given(_numbers(added))


def _output(at: int, place: int, cells: Sequence[str], new: dict[str, str]) -> str:
    """The attribute that a column of an Expand's rows is put out as.

    A cell that is the same in all rows is passed on under its own id. A grouping key is null in some rows, and the
    column that tells the rows apart holds numbers alone: these have new ids, which the aggregate above names.
    """
    if len(set(cells)) == 1 and read_attribute(cells[0]):
        return cells[0]
    names = [found[0] for cell in cells if (found := read_attribute(cell))]
    if not names:
        names = [name for name in new if name in {"gid", "spark_grouping_id", "grouping_id", "grouping__id"}]
    name = next((name for name in names if name in new), "")
    return new[name] if name else f"{names[0] if names else 'cell'}#{SYNTHETIC + at * 10_000 + 5_000 + place}"


def _last(known: Described) -> list[str]:
    """The items of the last list of an operator's arguments."""
    arguments = known.fields.get("Arguments", Field("")).text
    last = arguments if known.name == "Project" else (split_items(arguments) or [""])[-1]
    return split_named(last[1:-1], None) if last.startswith("[") and last.endswith("]") else []


def _cells(row: str) -> list[str]:
    match = _ROW.match(row)
    return without_truncation(split_items(match[1]))[0] if match else []


def _rest(missing: int) -> list[str]:
    return [f"... {missing} more fields"] if missing > 0 else []


def _numbers(items: Iterable[str]) -> set[int]:
    return {found[1] for item in items if (found := read_attribute(item))}
