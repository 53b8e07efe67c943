"""Complete lists that Spark truncated, `... 37 more fields`, by the attributes that the operators above use.

An attribute that an operator names and that no operator below prints is in a truncated list. A scan's list continues
with its `ReadSchema`; a projection passes on outputs of its input that an operator above names; an Expand outputs the
cells of its rows. Attributes that are matched only by name are inferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from eventlog_lineage.plan.expressions.attribute_ids import read_attribute
from eventlog_lineage.plan.expressions.lists import split_items, split_named, without_truncation
from eventlog_lineage.plan.expressions.types import struct_fields
from eventlog_lineage.plan.nodes import Field

from .described_operator import DescribedOperator, list_field
from .missing_attributes import SYNTHETIC, Below, MissingAttributes

_MORE = " more fields"
_ROW = re.compile(r"^(?:List|ArrayBuffer|Vector|Stream)?[\[(](.*)[\])]$", re.DOTALL)


class ListCompletion:
    """Completes the truncated lists of one tree, from the leaves to the root."""

    def __init__(self, below: Below, described: Mapping[int, DescribedOperator], absent: MissingAttributes) -> None:
        """Prepare a tree.

        Args:
            below: Index to the indexes of the inputs.
            described: Index to the operator of a line.
            absent: The attributes that operators name and no operator below prints.
        """
        self._below = below
        self._absent = absent
        self._any = any(_MORE in field.text for operator in described.values() for field in operator.fields.values())
        self._outputs: dict[int, set[int]] = {}

    def complete(self, at: int, operator: DescribedOperator) -> None:
        """Complete an operator's list as far as possible.

        Args:
            at: The operator's index.
            operator: The operator; updated.
        """
        if not self._any:
            return
        if operator.name == "Project":
            self._project(at, operator)
        elif operator.name == "Expand":
            self._expand(at, operator)
        elif "Output" in operator.fields:
            self._scan(at, operator)
        self._record_outputs(at, operator)

    def _record_outputs(self, at: int, operator: DescribedOperator) -> None:
        field = operator.fields.get("Results") or operator.fields.get("Output")
        if field is not None:
            self._outputs[at] = _ids(field.items)
            return
        passed = set().union(*(self._outputs.get(child, set()) for child in self._below[at]))
        self._outputs[at] = _ids(_last(operator)) if operator.name in {"Expand", "Project"} else passed
        self._outputs[at] |= self._absent.produced(at)

    def _passing(self, at: int, printed: set[int]) -> list[str]:
        """Return the attributes that the inputs output and that operators above name.

        Args:
            at: The operator's index.
            printed: The ids that its own list prints.
        """
        below = set().union(*(self._outputs.get(child, set()) for child in self._below[at]))
        above = self._absent.references_above(at).items()
        return [f"{name}#{expr_id}" for expr_id, name in above if expr_id in below and expr_id not in printed]

    def _scan(self, at: int, operator: DescribedOperator) -> None:
        """Complete a scan's list: by its `ReadSchema`, and by the attributes that operators above request.

        Args:
            at: The operator's index.
            operator: The operator; updated.
        """
        listed, missing = without_truncation(list(operator.fields["Output"].items))
        if not missing:
            return
        schema = operator.fields.get("ReadSchema", Field(""))
        columns = [name for name, _ in struct_fields(schema.text)]
        printed = {found[0] for item in listed if (found := read_attribute(item))}
        rest = [name for name in columns if name not in printed]
        requested: dict[str, int] = {}
        for expr_id, name in self._absent.requested_above(at).items():
            requested.setdefault(name, expr_id)
        names = rest if len(rest) == missing else [name for name in requested if not rest or name in rest][:missing]
        ids = {name: requested.get(name, SYNTHETIC + at * 10_000 + index) for index, name in enumerate(names)}
        items = [*listed, *(f"{name}#{expr_id}" for name, expr_id in ids.items())]
        operator.fields["Output"] = list_field(items, ", ".join([*items, *_rest(missing - len(names))]))
        operator.inferred.update(ids.values())
        self._absent.mark_bound(ids.values())

    def _project(self, at: int, operator: DescribedOperator) -> None:
        """Complete a projection's list by the attributes that it passes on.

        Args:
            at: The operator's index.
            operator: The operator; updated.
        """
        items = _last(operator) if "Output" not in operator.fields else []
        listed, missing = without_truncation(items)
        if not missing:
            return
        passing = self._passing(at, _ids(listed))[:missing]
        completed = [*listed, *passing]
        if len(passing) == missing or self._absent.is_projected_above(at):
            del operator.fields["Arguments"]
            operator.fields["Output"] = list_field(completed)
        else:
            operator.fields["Arguments"] = Field(f"[{', '.join([*completed, *_rest(missing - len(passing))])}]")
        self._absent.mark_bound(_ids(passing))

    def _expand(self, at: int, operator: DescribedOperator) -> None:
        """Complete an Expand's outputs: by the cells of its rows if they are complete, else by the operators above.

        Args:
            at: The operator's index.
            operator: The operator; updated.
        """
        listed, missing = without_truncation(_last(operator))
        if not missing:
            return
        printed = _ids(listed)
        passing = self._passing(at, printed)
        above = self._absent.requested_above(at).items()
        new = {name: f"{name}#{expr_id}" for expr_id, name in above if expr_id not in printed | _ids(passing)}
        first = split_items(operator.fields["Arguments"].text)[0]
        rows = [_cells(row) for row in split_items(first[1:-1])]
        if rows and all(len(row) == len(listed) + missing for row in rows):
            columns = [[row[index] for row in rows] for index in range(len(listed), len(listed) + missing)]
            added = [_output(at, index, cells, new) for index, cells in enumerate(columns)]
        else:
            added = [*passing, *new.values()][:missing]
            operator.inferred.update(_ids(passing))
        operator.inferred.update(_ids(new.values()) & _ids(added))
        completed = ", ".join([*listed, *added, *_rest(missing - len(added))])
        operator.fields["Arguments"] = Field(f"{first}, [{completed}]")
        self._absent.mark_bound(_ids(added))


def _output(at: int, index: int, cells: Sequence[str], new: dict[str, str]) -> str:
    """Return the attribute that outputs a column of an Expand's rows.

    A cell that is the same in all rows is passed on with its id. A grouping key is null in some rows, and the column
    that distinguishes the rows contains only ids: these have new ids, which the aggregate above names.

    Args:
        at: The operator's index.
        index: The column's index.
        cells: The column's cells, row by row.
        new: Name to attribute, of the attributes that the operators above name and no input outputs.
    """
    if len(set(cells)) == 1 and read_attribute(cells[0]):
        return cells[0]
    names = [found[0] for cell in cells if (found := read_attribute(cell))]
    if not names:
        names = [name for name in new if name in {"gid", "spark_grouping_id", "grouping_id", "grouping__id"}]
    name = next((name for name in names if name in new), "")
    return new[name] if name else f"{names[0] if names else 'cell'}#{SYNTHETIC + at * 10_000 + 5_000 + index}"


def _last(operator: DescribedOperator) -> list[str]:
    """Return the items of the last list of an operator's arguments."""
    arguments = operator.fields.get("Arguments", Field("")).text
    last = arguments if operator.name == "Project" else (split_items(arguments) or [""])[-1]
    return split_named(last[1:-1], None) if last.startswith("[") and last.endswith("]") else []


def _cells(row: str) -> list[str]:
    match = _ROW.match(row)
    return without_truncation(split_items(match[1]))[0] if match else []


def _rest(missing: int) -> list[str]:
    return [f"... {missing} more fields"] if missing > 0 else []


def _ids(items: Iterable[str]) -> set[int]:
    return {found[1] for item in items if (found := read_attribute(item))}
