"""Complete lists that Spark truncated, `... 37 more fields`, by the attributes that the operators above use.

An attribute that an operator names and that no operator below prints is in a truncated list. A scan's list continues
with its `ReadSchema`; a projection passes on outputs of its input that an operator above names; an Expand outputs the
cells of its rows. Attributes that are matched only by name are inferred. Lines of the extended, simple and cost modes
also omit the results of aggregates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID, ID_PATTERN, attribute_of, ids_in, read_attribute
from eventlog_lineage.plan.grammar.forms import read_form, read_role
from eventlog_lineage.plan.grammar.symbols import (
    EMPTY,
    EXPRESSIONS,
    Field,
    Listed,
    hidden_items,
    inner_collection,
    listed,
    read,
    read_arguments,
)
from eventlog_lineage.plan.grammar.types import struct_fields
from eventlog_lineage.plan.printed.operator_lines import DescribedOperator, list_field

from .nodes import TRUNCATED, Plan, PlanNode, walk

MORE = " more fields"
"""The end of a truncated list, `... 37 more fields`."""
_RELATION = re.compile(
    rf"(?<![\w'])(?:HiveTable)?Relation(?:V2)?\b[^\n]*?\[(?P<listed>[^\[\]\n#]+{ID}[^\[\]\n]*)\]"
    rf"(?:, (?:Partition Cols: )?\[(?P<partitions>[^\[\]\n#]+{ID}[^\[\]\n]*)\])?"
)
_PROJECTED = re.compile(r"^[ :+-]*Project \[([^\n]*), \.\.\. \d+ more fields\]$", re.MULTILINE)
_DEDUPLICATED = re.compile(
    r"(?m)^(?:\w+Command [^\n]*\n\+- )?Deduplicate [^\n]*\n(?: *\+- (?:Filter|SubqueryAlias) [^\n]*\n)* *\+- Relation\b"
)


class LogicalLists:
    """The truncated lists of logical plans."""

    def __init__(self, plans: Sequence[str] = ()) -> None:
        """Read the optimized and the analyzed plan."""
        self._plans = [
            (list(_relations(plan)), frozenset(match[1] for match in _PROJECTED.finditer(plan)), plan)
            for plan in plans
            if MORE in plan
        ]
        self.has_distinct_rows = any(_DEDUPLICATED.search(plan) for _, _, plan in self._plans)

    def relation_of(self, expr_id: int) -> range:
        """Return the ids of the columns of an attribute's relation; none if unknown. Metadata columns have others."""
        known = (ids for relations, *_ in self._plans for ids in relations if expr_id in ids)
        return max(known, key=lambda ids: ids.start, default=range(0))

    def lacks_projection(self, columns: Listed, *, is_cached: bool) -> bool:
        """Return whether a relation is read without a projection to certain columns: the planner added it.

        The optimizer removes a projection to all columns in their order (`ProjectRemoval`, `RemoveNoopOperators`). The
        optimized plan does not have the projections of a cached plan.

        Args:
            is_cached: Whether the projection is in the plan of a cache.
        """
        text, expr_id = ", ".join(columns), columns.attributes[0][1]
        if is_cached and any(text in names for _, names, _ in self._plans):
            return False
        return any(
            text not in names and (f"InMemoryRelation [{text}, " in plan or any(expr_id in ids for ids in relations))
            for relations, names, plan in self._plans
        )


def _relations(plan: str) -> Iterator[range]:
    """Yield the ids of each relation's columns.

    >>> list(_relations("HiveTableRelation `d`.`t`, serde, [a#5, ... 1 more fields], [ds#7]"))
    [range(5, 8)]
    """
    for match in _RELATION.finditer(plan):
        ids = [int(each) for each in ID_PATTERN.findall(match["listed"])]
        whole = range(ids[0], ids[0] + len(ids) + hidden_items(match["listed"]))
        if ids == list(whole[: len(ids)]):
            partitions = [int(each) for each in ID_PATTERN.findall(match["partitions"] or "")]
            follow = partitions == list(range(whole.stop, whole.stop + len(partitions)))
            yield range(whole.start, whole.stop + len(partitions) * follow)


_DEFAULT_ITEMS = 24


class TruncatedLists:
    """The truncated lists of a plan."""

    def __init__(self, plan: Plan) -> None:
        """Store a plan; it is searched on first use."""
        self._plan = plan
        self._known: set[int] | None = None

    def below(self, node: PlanNode) -> bool:
        """Return whether Spark truncated a list of an operator, or of an operator below it."""
        if self._known is None:
            self._known = self._found()
        return id(node) in self._known

    def is_literal(self, visible: int) -> bool:
        """Return whether `... 3 more fields` after a number of arguments is a literal and no truncation.

        Spark prints one item less than `spark.sql.debug.maxToStringFields`, which is 25 by default (`truncatedString`,
        2.4 to 4.3): a lower limit truncates the plan's lists after as many items.
        """
        if visible >= _DEFAULT_ITEMS:
            return False
        return all(
            visible != len(each)
            for node in self._plan.nodes()
            for field in node.fields.values()
            if field.count is not None and (each := listed(field.items)).missing
        )

    def _found(self) -> set[int]:
        found: set[int] = set()
        for root in self._plan.roots:
            for node in reversed(list(walk(root))):
                is_truncated = any(MORE in field.text for field in node.fields.values())
                if is_truncated or any(id(child) in found for child in node.children):
                    found.add(id(node))
        return found


_ALIASED = re.compile(rf"(?: AS [^,\[\]]*?|\bExistenceJoin\(exists){CAPTURED_ID}(?=[,\])])")
_NAME = re.compile(rf"([\w.$-]+)(?:{CAPTURED_ID}(?!\w))?")
"""A word, and the id of one that names an attribute: each word is read once, however long it is."""
_ORDERED = frozenset(
    {"ArrowWindowPython", "Project", "Sort", "TakeOrderedAndProject", "Window", "WindowGroupLimit", "WindowInPandas"}
)
"""Operators whose last list of arguments names their inputs, not their outputs."""
_PASSING = frozenset({"Project", "InMemoryTableScan"})
"""Operators whose output list names attributes from below, next to aliases."""
_NAMING_ALL = frozenset(
    {"Expand", "HashAggregate", "InMemoryTableScan", "ObjectHashAggregate", "Project", "SortAggregate"}
)
"""Operators that output only what they name."""
_NAMING_OUTPUTS = _NAMING_ALL | {"TakeOrderedAndProject"}
_KEEPING = frozenset({"Coalesce", "ColumnarToRow", "Exchange", "Filter", "InMemoryRelation", "Sort"})
"""Operators that output all columns of their input, in order."""
_BY_POSITION = frozenset({"Except", "InMemoryRelation", "Intersect", "ReusedExchange", "Union"})
"""Operators that match their inputs' columns by position."""
SYNTHETIC = 10**17
"""First id that is in no plan: such ids are assigned to functions of aggregates and to truncated columns."""

Below = Mapping[int, Sequence[int]]
"""Index of an operator to the indexes of its inputs."""


class MissingAttributes:
    """The attributes that operators name and no operator below prints.

    Attributes:
        requested: Those that each operator names and nothing below it binds, by its index: id to name.
    """

    def __init__(
        self, order: Sequence[int], below: Below, described: Mapping[int, DescribedOperator], logical: LogicalLists
    ) -> None:
        self._printed = {at: _printed(described[at], logical) for at in order}
        self._parents = {child: at for at in order for child in below[at]}
        self.requested: dict[int, dict[int, str]] = {}
        printed_below: dict[int, set[int]] = {}
        for at in reversed(order):
            references, produced = self._printed[at]
            known = produced.union(*(printed_below.pop(child, ()) for child in below[at]))
            unknown = references.keys() - known if below[at] else set()
            self.requested[at] = {expr_id: name for expr_id, name in references.items() if expr_id in unknown}
            printed_below[at] = known | references.keys()
        self._hidden_keys = {at: _hidden_keys(described[at], logical) for at in order}
        self._described = described

    def _above(self, at: int) -> Iterator[int]:
        while (parent := self._parents.get(at)) is not None:
            yield parent
            at = parent

    def references_above(self, at: int) -> dict[int, str]:
        """Return all attributes that the operators above an operator name, the nearest first: id to name."""
        found: dict[int, str] = {}
        for parent in self._above(at):
            for expr_id, name in self._printed[parent][0].items():
                found.setdefault(expr_id, name)
        return found

    def hidden_keys_from(self, at: int) -> list[str]:
        """Return the keys in the truncated part of an aggregate's list that it or a later step outputs."""
        keys = self._keys(at)
        steps = (step for step in (at, *self._above(at)) if self._keys(step) == keys)
        return list(dict.fromkeys(item for step in steps for item in self._hidden_keys[step]))

    def has_later_step(self, at: int) -> bool:
        """Return whether an aggregate above has no other keys: the keys that it needs are outputs below."""
        keys = self._keys(at)
        return any(later and later <= keys for later in map(self._keys, self._above(at)))

    def _keys(self, at: int) -> set[int]:
        return _ids(self._described[at].fields.get("Keys", Field("")).items)

    def is_projected_above(self, at: int) -> bool:
        """Return whether the operators above name all columns they use: others are dropped, not truncated."""
        columns = _columns(self._described[at])
        for operator in (self._described[parent] for parent in self._above(at)):
            if operator.name in _BY_POSITION and _columns(operator) != columns:  # a cached relation can have new ids
                return False
            if _kind(operator) in _NAMING_ALL:
                return True
        return False

    def is_cached(self, at: int) -> bool:
        """Return whether an operator is in the plan of a cache."""
        return any(self._described[parent].name == "InMemoryRelation" for parent in self._above(at))

    def has_names_above(self, at: int) -> bool:
        """Return whether an operator above names all of its outputs."""
        return any(_kind(self._described[parent]) in _NAMING_OUTPUTS for parent in self._above(at))

    def produced(self, at: int) -> set[int]:
        """Return the ids of an operator's own outputs, as far as its line prints them."""
        return self._printed[at][1]

    def requested_above(self, at: int) -> dict[int, str]:
        """Return the unbound attributes that operators above request, the nearest first: id to name.

        Those above a MERGE's rows are the outputs of `MergeRows`, which are all new (`RewriteMergeIntoTable`, 3.5+).
        """
        found: dict[int, str] = {}
        for parent in self._above(at):
            found.update(self.requested[parent])
            if self._described[parent].name.startswith("MergeRows"):
                break
        return found

    def id_above(self, at: int, name: str) -> int | None:
        """Return the id with which the operators above print a result's name, `min(amount)#371`; None without any."""
        pattern = re.compile(re.escape(name) + CAPTURED_ID)
        fields = (field for parent in self._above(at) for field in self._described[parent].fields.values())
        found = next(filter(None, (pattern.search(field.text) for field in fields)), None)
        return int(found[1]) if found else None

    def mark_bound(self, ids: Iterable[int]) -> None:
        """Mark attributes as bound: an operator outputs them."""
        bound = set(ids)
        for requested in self.requested.values():
            for expr_id in bound & requested.keys():
                del requested[expr_id]


def _kind(operator: DescribedOperator) -> str:
    """Return an operator's name; that of any other cache for one with a name, `Scan In-memory table v` (3.0+)."""
    return "InMemoryTableScan" if operator.name.startswith("Scan In-memory table") else operator.name


def _printed(operator: DescribedOperator, logical: LogicalLists) -> tuple[dict[int, str], set[int]]:
    """Return the attributes that a line names, and the ids of those that it produces: aliases, outputs of leaves."""
    references: dict[int, str] = {}
    for field in _fields(operator).values():
        for item in field.items if field.count is not None else (field.text,):
            for name, expr_id in _names(item):
                references.setdefault(expr_id, name)
    if operator.name == "TakeOrderedAndProject":
        columns = operator.fields["Arguments"].text.rpartition("], [")[2].removesuffix("]")
        references.update({expr_id: name for name, expr_id in read(EXPRESSIONS, columns).attributes if expr_id >= 0})
    hidden = _hidden_keys(operator, logical)
    references |= {expr_id: name for name, expr_id in map(attribute_of, hidden)}
    return references, _produced(operator) - _ids(hidden)


def _hidden_keys(operator: DescribedOperator, logical: LogicalLists) -> list[str]:
    """Return the results of an aggregate that are keys in the truncated part of its list: columns of a relation."""
    keys = listed(operator.fields["Keys"].items) if "Keys" in operator.fields else EMPTY
    if not keys.missing:
        return []
    printed = _ids(keys)
    results = [(item, attribute_of(item)[1]) for item in listed(operator.outputs or ())]
    return [item for item, expr_id in results if expr_id not in printed and logical.relation_of(expr_id)]


def _fields(operator: DescribedOperator) -> Mapping[str, Field]:
    """Return the fields that list inputs and outputs; the arguments of a Hive scan also list the table's columns."""
    if operator.name.startswith("Scan hive "):
        return {label: field for label, field in operator.fields.items() if label != "Arguments"}
    return operator.fields


def _produced(operator: DescribedOperator) -> set[int]:
    produced: set[int] = set()
    for label, field in _fields(operator).items():
        if label == "Output":
            attributes = filter(None, map(read_attribute, field.items))
            own = _kind(operator) not in _PASSING
            produced.update(expr_id for name, expr_id in attributes if own or " AS " in name)
        elif field.count is None:
            produced.update(map(int, _ALIASED.findall(field.text)))
            produced.update(_last_list(field.text) if operator.name not in _ORDERED | _PASSING else ())
    grouped = map(_inputs, operator.fields.get("Keys", Field("")).items)
    return produced | _ids(operator.outputs or ()).difference(*grouped)


def _in_order(outputs: list[str], keys: Sequence[str]) -> list[str]:
    """Return the keys in the order of their relation, by id, if the outputs are the first of them."""
    whole, printed = sorted(keys, key=lambda each: attribute_of(each)[1]), listed(outputs)
    return whole if printed.ids == listed(whole).ids[: len(printed)] and printed.size == len(whole) else outputs


def _inputs(item: str) -> Sequence[int]:
    """Return the ids that an item of a list names: `normalizenanandzero(a#1) AS a#1` has its key's id."""
    ids = ids_in(item)
    return ids[:-1] if " AS " in item else ids


def _last_list(text: str) -> set[int]:
    """Return the ids of the last list of arguments: the outputs of Generate, Expand and Python functions."""
    lists = [part for part in read_arguments(text) if part.startswith("[") and "#" in part]
    return {expr_id for _, expr_id in _names(lists[-1])} if lists else set()


def _names(text: str) -> Iterator[tuple[str, int]]:
    """Yield the attributes of a text: name and id."""
    return ((match[1], int(match[2])) for match in _NAME.finditer(text) if match[2])


class ListCompletion:
    """Completes the truncated lists of one tree, from the leaves to the root."""

    def __init__(
        self, below: Below, described: Mapping[int, DescribedOperator], absent: MissingAttributes, logical: LogicalLists
    ) -> None:
        self._below = below
        self._described = described
        self._logical = logical
        self._absent = absent
        self._any = any(MORE in field.text for operator in described.values() for field in operator.fields.values())
        self._outputs: dict[int, set[int]] = {}
        self._grouped: dict[frozenset[int], list[str]] = {}

    def complete(self, at: int, operator: DescribedOperator) -> None:
        """Complete an operator's list as far as possible."""
        if not self._any:
            return
        if "Keys" in operator.fields:
            self._keys(at, operator)
        elif operator.name == "Project":
            self._project(at, operator)
        elif operator.name == "Expand":
            self._expand(at, operator)
        elif "Output" in operator.fields:
            self._scan(at, operator)

    def record_outputs(self, at: int, operator: DescribedOperator) -> None:
        """Record what an operator outputs, when its fields are complete."""
        if not self._any:
            return
        field = operator.fields.get("Results") or operator.fields.get("Output")
        if field is not None:
            self._outputs[at] = _ids(field.items)
            return
        passed = set().union(*(self._outputs.get(child, set()) for child in self._below[at]))
        self._outputs[at] = _ids(_columns(operator)) if operator.name in {"Expand", "Project"} else passed
        self._outputs[at] |= self._absent.produced(at)

    def _passing(self, at: int, printed: set[int]) -> dict[int, str]:
        """Return the attributes that the inputs output and that operators above name: id to name."""
        below = set().union(*(self._outputs.get(child, set()) for child in self._below[at]))
        above = self._absent.references_above(at).items()
        return {expr_id: name for expr_id, name in above if expr_id in below and expr_id not in printed}

    def _passing_items(self, at: int, printed: set[int]) -> list[str]:
        return [f"{name}#{expr_id}" for expr_id, name in self._passing(at, printed).items()]

    def _requested_of_relation(self, at: int, output: Listed) -> dict[str, int]:
        """Return the attributes that operators above a scan request of its relation, by name: ids ascend in a scan."""
        if self._below[at]:  # an InMemoryTableScan
            return {name: expr_id for expr_id, name in self._passing(at, _ids(output)).items()}
        ids = output.ids
        relation = self._logical.relation_of(ids[0]) if ids else range(0)
        last = ids[-1] if ids and ids == sorted(ids) else -1
        requested: dict[str, int] = {}
        for expr_id, name in self._absent.requested_above(at).items():
            if expr_id > last and (not relation or expr_id in relation):
                requested.setdefault(name, expr_id)
        return requested

    def _scan(self, at: int, operator: DescribedOperator) -> None:
        """Complete a scan's list: by its `ReadSchema`, and by the attributes that operators above request."""
        output = listed(operator.fields["Output"].items)
        missing = output.missing
        if not missing:
            return
        if self._below[at] and (whole := self._scanned(at, output)):
            operator.fields["Output"] = whole
            return
        requested = self._requested_of_relation(at, output)
        names = _unprinted(operator, output, requested)
        ids = {name: requested.get(name, SYNTHETIC + at * 10_000 + index) for index, name in enumerate(names)}
        items = [*output, *(f"{name}#{expr_id}" for name, expr_id in ids.items())]
        operator.fields["Output"] = list_field(items, ", ".join([*items, *more_fields(missing - len(names))]))
        operator.inferred.update(ids.values())
        self._absent.mark_bound(ids.values())
        if len(names) < missing and not self._absent.has_names_above(at):
            operator.fields[TRUNCATED] = Field(f"{missing - len(names)} of {output.size}")

    def _keys(self, at: int, operator: DescribedOperator) -> None:
        """Complete the keys of an aggregate by those that its last step outputs, and the columns of distinct rows."""
        keys = listed(operator.fields["Keys"].items)
        if not keys.missing:
            return
        items = self._absent.hidden_keys_from(at)[: keys.missing]
        if len(items) < keys.missing:
            rest = self._grouped.setdefault(frozenset(_ids(keys)), self._unused_below(at, operator, items))
            items += rest if len(items) + len(rest) == keys.missing else []
        operator.inferred.update(_ids(items))
        operator.fields["Keys"] = list_field([*keys, *items, *more_fields(keys.missing - len(items))])
        if self._logical.has_distinct_rows and not operator.fields["Functions"].items:  # no projection
            operator.outputs = _in_order(operator.outputs or [], [*keys, *items])

    def _unused_below(self, at: int, operator: DescribedOperator, keys: Sequence[str]) -> list[str]:
        """Return the columns of the scan below an aggregate that only its hidden keys can use.

        An aggregate uses all columns of its input: the optimizer adds a projection otherwise (`ColumnPruning`).

        Args:
            keys: The hidden keys that are known.
        """
        functions = listed(operator.fields["Functions"].items)
        used = {expr_id for item in (*keys, *operator.fields["Keys"].items, *functions) for _, expr_id in _names(item)}
        source = self._described[self._source(at)]
        columns = listed(source.fields.get("Output", Field("")).items)
        if "Scan" not in _kind(source) or columns.missing or functions.missing:
            return []
        return [item for item in columns if used.isdisjoint(_ids([item]))]

    def _source(self, at: int) -> int:
        """Return the operator whose columns an operator reads: the first one below that does not keep its input's."""
        while len(self._below[at]) == 1:
            (at,) = self._below[at]
            if self._described[at].name not in _KEEPING:
                break
        return at

    def _project(self, at: int, operator: DescribedOperator) -> None:
        """Complete a projection's list by the attributes that it passes on."""
        columns = _columns(operator) if "Output" not in operator.fields else EMPTY
        missing = columns.missing
        if not missing:
            return
        if scanned := self._scanned(at, columns):
            del operator.fields["Arguments"]
            operator.fields["Output"] = scanned
            return
        passing = self._passing_items(at, _ids(columns))[:missing]
        completed = [*columns, *passing]
        whole = ", ".join([*completed, *more_fields(missing - len(passing))])
        if len(passing) == missing or self._absent.is_projected_above(at):
            del operator.fields["Arguments"]
            operator.fields["Output"] = list_field(completed, whole)
        else:
            operator.fields["Arguments"] = Field(f"[{whole}]")
        self._absent.mark_bound(_ids(passing))

    def _scanned(self, at: int, columns: Listed) -> Field | None:
        """Return the columns of the scan below a projection without a logical plan, or below a cache: it outputs all.

        A cache that is read again has new ids.
        """
        scan = self._described[self._source(at)].fields.get("Output", Field(""))
        output = listed(scan.items)
        is_cached = self._absent.is_cached(at)
        if output.size != columns.size or not self._logical.lacks_projection(columns, is_cached=is_cached):
            return None
        if output.items[: len(columns)] == columns.items:
            return scan
        ids, names = columns.relation_ids, output.names
        is_again = ids and not output.missing and names[: len(columns)] == columns.names
        return list_field([f"{name}#{each}" for name, each in zip(names, ids, strict=True)]) if is_again else None

    def _expand(self, at: int, operator: DescribedOperator) -> None:
        """Complete an Expand's outputs: by the cells of its rows if they are complete, else by the operators above."""
        columns = _columns(operator)
        missing = columns.missing
        if not missing:
            return
        printed = _ids(columns)
        passing = self._passing_items(at, printed)
        above = self._absent.requested_above(at).items()
        new = {name: f"{name}#{expr_id}" for expr_id, name in above if expr_id not in printed | _ids(passing)}
        text = operator.fields["Arguments"].text
        rows = [read(EXPRESSIONS, inner_collection(row)).items for row in read_role("Expand", text, "rows")]
        if rows and {*map(len, rows)} == {columns.size}:
            hidden = list(zip(*rows, strict=True))[len(columns) :]
            added = [_output(at, index, cells, new) for index, cells in enumerate(hidden)]
        else:
            added = [*passing, *new.values()][:missing]
            operator.inferred.update(_ids(passing))
        operator.inferred.update(_ids(new.values()) & _ids(added))
        completed = ", ".join([*columns, *added, *more_fields(missing - len(added))])
        operator.fields["Arguments"] = Field(f"{read_form('Expand', text)['rows']}, [{completed}]")
        self._absent.mark_bound(_ids(added))


def _unprinted(operator: DescribedOperator, output: Listed, requested: dict[str, int]) -> list[str]:
    """Return the names of the columns in the truncated part of a scan's list, as far as they are known.

    Partition columns follow those of `ReadSchema` (`FileSourceStrategy`, 2.4 to 4.3).

    Args:
        requested: The attributes that the operators above request; gets those of the scan's partition filters.
    """
    schema = operator.fields.get("ReadSchema", Field("")).text
    printed = {name for name, expr_id in output.attributes if expr_id >= 0}
    rest = [name for name, _ in struct_fields(schema) if name not in printed]
    if len(rest) == output.missing:
        return rest
    others = requested | dict(_names(operator.fields.get("PartitionFilters", Field("")).text))
    for name in printed.union(rest):
        others.pop(name, None)
    if schema.endswith(">") and len(rest) + len(others) == output.missing:
        requested |= others
        return [*rest, *sorted(others, key=others.__getitem__)]
    return [name for name in requested if not rest or name in rest][: output.missing]


def _output(at: int, index: int, cells: Sequence[str], new: dict[str, str]) -> str:
    """Return the attribute that outputs a column of an Expand's rows.

    A cell that is the same in all rows is passed on with its id. A grouping key is null in some rows, and the column
    that distinguishes the rows contains only ids: these have new ids, which the aggregate above names.

    Args:
        new: Name to attribute, of the attributes that the operators above name and no input outputs.
    """
    if len(set(cells)) == 1 and read_attribute(cells[0]):
        return cells[0]
    names = [found[0] for cell in cells if (found := read_attribute(cell))]
    if not names:
        names = [name for name in new if name in {"gid", "spark_grouping_id", "grouping_id", "grouping__id"}]
    name = next((name for name in names if name in new), "")
    return new[name] if name else f"{names[0] if names else 'cell'}#{SYNTHETIC + at * 10_000 + 5_000 + index}"


def _columns(operator: DescribedOperator) -> Listed:
    return read_role(operator.name, operator.fields.get("Arguments", Field("")).text, "columns")


def more_fields(missing: int) -> list[str]:
    """Return the end of a truncated list; empty for a complete one."""
    return [f"... {missing} more fields"] if missing > 0 else []


def _ids(items: Iterable[str]) -> set[int]:
    return {found[1] for item in items if (found := read_attribute(item))}
