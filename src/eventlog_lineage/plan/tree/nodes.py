"""Plans as read, before resolution: operators with their printed fields, and the attributes that their lists name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID, attribute_of, read_attribute, unescaped
from eventlog_lineage.plan.grammar.forms import LABELS, lists_of, read_form, read_role
from eventlog_lineage.plan.grammar.parser import split_alias
from eventlog_lineage.plan.grammar.symbols import (
    ATTRIBUTES,
    ENDING_IN_IDS,
    EXPRESSIONS,
    NAMED,
    Field,
    Listed,
    inner,
    inner_collection,
    is_list,
    listed,
    read,
    read_arguments,
)

LOGICAL_RESULTS = "Logical results"
"""The label of an aggregate's results as a logical plan of the text has them: over the input of its first step."""

TRUNCATED = "Truncated"
"""The label of the number of a scan's outputs that are not printed, if they reach the plan's result: `37 of 62`."""


@dataclass(frozen=True, slots=True, eq=False)
class PlanNode:
    """An operator of a plan, as printed.

    Attributes:
        operator: The canonical operator, `HashAggregate`, the same for all engines and versions.
        name: The node's name as printed, `Scan parquet spark_catalog.default.orders`.
        argument: The rest of the name: a table, a join type, a format and a table.
        operator_id: Spark's operator id; None if it prints none or `unknown`.
        fields: Label and field, in printed order.
        children: The inputs, left to right; for commands and cached relations also their inner plan.
        reuses: The operator id that a ReusedExchange refers to.
        consumer_input: The `Input` list of the only consumer: the node's outputs.
        inferred: The ids of outputs that the text does not print, or whose sources it does not print.
    """

    operator: str
    name: str
    argument: str
    operator_id: int | None
    fields: dict[str, Field]
    children: tuple[PlanNode, ...] = ()
    reuses: int | None = None
    consumer_input: Field | None = None
    inferred: frozenset[int] = frozenset()

    @property
    def only_child(self) -> PlanNode | None:
        """The input of an operator with one input; None for others."""
        return self.children[0] if len(self.children) == 1 else None

    def text(self, label: str) -> str:
        """Return the text of a field; empty if the node has no such field."""
        found = self.fields.get(label)
        return found.text if found else ""

    def items(self, label: str) -> tuple[str, ...]:
        """Return the items of a counted list; empty if the node has no such field."""
        found = self.fields.get(label)
        return found.items if found else ()

    def attributes(self, label: str) -> list[tuple[str, int]]:
        """Return name and id of the items of a counted list; the text and -1 for an item that is not an attribute."""
        return [attribute_of(item) for item in self.items(label)]

    @property
    def arguments(self) -> list[str]:
        """The operator's arguments as printed: values, and lists in brackets."""
        return read_arguments(self.text("Arguments"))

    @property
    def lists(self) -> list[Listed]:
        """The arguments that are lists of expressions."""
        return [listed(read_arguments(inner(argument))) for argument in self.arguments if is_list(argument)]

    def listed(self, role: str) -> Listed:
        """Return a list: by its label in formatted text, `Results`, or by its role in `FORMS`, `keys`."""
        if role in self.fields:
            return listed(self.fields[role].items)
        return read_role(self.operator, self.text("Arguments"), role)

    @property
    def columns(self) -> Listed:
        """The columns that a projection or a relation lists, in `Output` or in its arguments."""
        return self.listed("Output") or self.listed("columns")

    def rows(self, role: str) -> list[Listed]:
        """Return a list of lists, by its role in `FORMS`."""
        return [read(EXPRESSIONS, inner_collection(row)) for row in self.listed(role)]

    def value(self, role: str) -> str:
        """Return an argument as printed, by its role in `FORMS`; empty if it is not printed."""
        return read_form(self.operator, self.text("Arguments")).get(role, "")


@dataclass(frozen=True, slots=True, eq=False)
class Subquery:
    """A subquery of a plan.

    Attributes:
        expr_id: The `711` of `Subquery subquery#711`; None if the hosting expression has none.
        host: The id of the operator that hosts it.
        expression: The hosting expression, as printed.
        root: Its plan; None if another subquery with the same id has it.
    """

    expr_id: int | None
    host: int | None
    expression: str
    root: PlanNode | None


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A plan.

    Attributes:
        root: The outermost operator; None for an empty plan.
        subqueries: In printed order: a subquery follows the one that hosts it.
        orphans: Operators that only reused exchanges refer to (`Adaptively Optimized Out Exchanges`).
        ambiguous: Expressions whose literals can be read in two ways, to the other one.
        other_names: Ids of attributes whose names can be read in two ways, to the other name.
    """

    root: PlanNode | None
    subqueries: tuple[Subquery, ...] = ()
    orphans: tuple[PlanNode, ...] = ()
    ambiguous: Mapping[str, str] = field(default_factory=dict)
    other_names: Mapping[int, str] = field(default_factory=dict)

    @property
    def roots(self) -> list[PlanNode]:
        """The outermost operators: of the plan, of its subqueries, and the orphans."""
        roots = (self.root, *(subquery.root for subquery in self.subqueries), *self.orphans)
        return [root for root in roots if root is not None]

    def nodes(self) -> Iterator[PlanNode]:
        """Yield every operator, in the order of `roots`."""
        return chain.from_iterable(map(walk, self.roots))


def first_branch(node: PlanNode) -> PlanNode:
    """Return the first operator below a chain of operators with one input: a join, a union, a leaf."""
    while (child := node.only_child) is not None:
        node = child
    return node


def walk(root: PlanNode | None) -> Iterator[PlanNode]:
    """Yield every node from `root` down, consumers before their inputs, left to right; none without a root."""
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def loop_references(loop: PlanNode) -> list[Sequence[str]]:
    """Return the attributes of a loop's references, as printed, each reference's in the order of the loop's columns."""
    loop_id = loop.text("Loop id") or loop.text("Arguments").partition(",")[0]
    return [
        node.items("Output")
        for node in walk(loop)
        if node.operator == "UnionLoopRef" and node.text("Loop id") == loop_id
    ]


def loop_columns(loop: PlanNode) -> Sequence[str]:
    """Return the columns of a loop, as printed; a loop in another one's anchor prints none: `UnionLoop 1`.

    They have the names of the loop's reference, and the ids that follow it (`UnionLoop.outputAttrIds`).
    """
    if printed := loop.items("Output"):
        return printed
    found = [list(filter(None, map(read_attribute, columns))) for columns in loop_references(loop)]
    after = max((expr_id for columns in found for _, expr_id in columns), default=-1) + 1
    return [f"{name}#{after + place}" for place, (name, _) in enumerate(found[0])] if found else []


_OUTER = re.compile(rf"\bouter\([^()]*{CAPTURED_ID}\)")
_TEMPORARY = "_tmp_metadata_"
_ROW_INDEX = f"{_TEMPORARY}row_index"
"""An attribute named `row_index` above the scan (`FileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME`, 3.4 to 4.3)."""
_REPEATING = frozenset({"TakeOrderedAndProject", "Window"})
_ROUND = re.compile(r"[()]")
_OPTIONS = re.compile(r"\[[\w.]+=[^\[\]]*\]")
"""Options and static partitions of a write: `[p=x, y#1]`."""
_ARGUMENT = re.compile(rf"(?<=[\[ ])([^\s\[\](),#]+){CAPTURED_ID}(?=[,\]])")
_WORD = re.compile(rf"([^\s\[\](),#]+){CAPTURED_ID}(?!\w)")
_SIGNS = ("-", "~")
"""Operators without a space: `-amount#4` in a list of values is an expression if another list has `amount#4`."""
_ARGUMENT_ALIAS = re.compile(rf" AS ([^\s\[\](),#]+){CAPTURED_ID}(?=[,\]])")


def attribute_names(plan: Plan) -> dict[int, tuple[str, ...]]:
    """Return the attributes of a plan: id to names, from the lists of all operators.

    Lists of plain attributes take precedence (`Input`, `Keys`): their names are complete, whatever characters they
    contain. Operators below a join or an aggregation name the attributes in its keys and functions. Aliases name
    attributes that are in no such list; arguments are used for attributes that are in neither, as in logical trees.
    """
    plain, aliased, arguments = _items(plan)
    found: dict[int, dict[str, None]] = {}
    for name, expr_id in filter(None, map(read_attribute, plain)):
        found.setdefault(expr_id, {})[name] = None
    names = {expr_id: tuple(known) for expr_id, known in found.items()}
    for item in aliased:
        if alias := split_alias(item, names):
            names.setdefault(alias[2], (alias[1],))
    for expr_id, name in (*_in_arguments(arguments), *_hidden_columns(plan), *_pruned_columns(plan)):
        names.setdefault(expr_id, (name,))
    row_indexes = [expr_id for expr_id, known in names.items() if _ROW_INDEX in known]
    return names | {each: (*names[each], _ROW_INDEX.removeprefix(_TEMPORARY)) for each in row_indexes}


def _in_arguments(arguments: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the attributes in the lists of arguments, those that may be negated last."""
    texts = [_OPTIONS.sub("", _outside_calls(text)) for text in arguments]
    listed = (each for text in texts for pattern in (_ARGUMENT, _ARGUMENT_ALIAS) for each in pattern.findall(text))
    for name, expr_id in sorted(listed, key=lambda each: each[0].startswith(_SIGNS)):
        yield int(expr_id), unescaped(name)


def _hidden_columns(plan: Plan) -> Iterator[tuple[int, str]]:
    """Yield the columns that truncated lists of relations do not print and that other operators name."""
    nodes = list(plan.nodes())
    lists = (node.listed("columns") for node in nodes if node.operator == "LogicalRelation")
    ids = set(chain.from_iterable(columns.relation_ids for columns in lists if columns.missing))
    for printed in chain.from_iterable(node.fields.values() for node in nodes) if ids else ():
        for name, expr_id in _WORD.findall(printed.text):
            if int(expr_id) in ids:
                yield int(expr_id), unescaped(name)


def _pruned_columns(plan: Plan) -> Iterator[tuple[int, str]]:
    """Yield the partition columns that V2 scans of files filter by, which need not be outputs (3.0 to 4.3)."""
    texts = [node.text("PartitionFilters") for node in plan.nodes() if node.operator == "BatchScan"]
    yield from ((int(expr_id), unescaped(name)) for text in texts for name, expr_id in _WORD.findall(text))


def outer_ids(text: str) -> frozenset[int]:
    """Return the ids of an expression's attributes of the outer query.

    >>> outer_ids("(cid#16L = outer(cust#11L))"), outer_ids("(name#17 = outer(x))")
    (frozenset({11}), frozenset())
    """
    return frozenset(map(int, _OUTER.findall(text))) if "outer(" in text else frozenset()


def outer_attributes(plan: Plan) -> frozenset[int]:
    """Return the ids of outer attributes in correlated subqueries of logical trees: `outer(id#143L)`."""
    texts = (field.text for node in plan.nodes() for field in node.fields.values())
    return frozenset(chain.from_iterable(map(outer_ids, texts)))


def _items(plan: Plan) -> tuple[Iterable[str], Iterable[str], list[str]]:
    """Return the distinct items of all lists, plain ones and aliased ones, and the arguments of all operators."""
    plain: dict[str, None] = {}
    aliased: dict[str, None] = {}
    repeated: dict[str, None] = {}  # the operators below list the same attributes, with ambiguous names escaped
    arguments: list[str] = []
    seen: set[tuple[int, bool]] = set()  # one list is shared by many operators
    for node in plan.nodes():
        if node.operator == "UnionLoop":
            plain.update(dict.fromkeys(loop_columns(node)))
        for label, printed in node.fields.items():
            if printed.count is not None:
                if (key := (id(printed), LABELS.get(label) is ATTRIBUTES)) not in seen:
                    seen.add(key)
                    _add_items(label, printed, plain, aliased)
            elif label == "Arguments" and node.operator != "CollectMetrics":  # whose list names metrics, not columns
                arguments += (printed.text, _escaped_relation(printed.text))
                named = repeated if node.operator in _REPEATING else aliased
                named.update(dict.fromkeys(_named_expressions(node)))
                for role in lists_of(node.operator, ATTRIBUTES):  # what an operator adds is printed nowhere else
                    plain.update(dict.fromkeys(node.listed(role)))
    return plain, [*aliased, *repeated], arguments


def _escaped_relation(arguments: str) -> str:
    """Return the relation of a Hive scan if it is escaped as a whole, as its brackets may be those of literals."""
    relation = arguments.partition(", HiveTableRelation ")[2].partition(", [")[0]
    return "" if relation[:1] in ("[", "`") else unescaped(relation)


def _add_items(label: str, field: Field, plain: dict[str, None], aliased: dict[str, None]) -> None:
    """Add the attributes in a list to the plain or the aliased ones.

    ` AS ` in a list of attributes is part of a name, as in the names that pivots create; an expression without a name,
    `if ((a#1 > 1)) b#2 else c#3`, ends like an attribute and is not one.
    """
    symbol = LABELS.get(label)
    if symbol is EXPRESSIONS:
        return
    if symbol is ATTRIBUTES or " AS " not in field.text:
        plain.update(dict.fromkeys(field.items))
        return
    for item in field.items:
        (aliased if " AS " in item else plain)[item] = None


def _outside_calls(text: str) -> str:
    """Return arguments without what is in round brackets: a literal in a call can look like an attribute."""
    kept: list[str] = []
    depth = at = 0
    for match in _ROUND.finditer(text):
        if depth == 0:
            kept.append(text[at : match.end()])
        depth = max(depth + (1 if match[0] == "(" else -1), 0)
        at = match.start() if depth == 0 else match.end()
    return "".join([*kept, text[at:]]) if depth == 0 else text


def _named_expressions(node: PlanNode) -> Iterator[str]:
    """Yield the named expressions in an operator's arguments; names can contain brackets, `sum(v#1) AS sum(v)#2`."""
    for role in lists_of(node.operator, NAMED, ENDING_IN_IDS) if " AS " in node.text("Arguments") else ():
        yield from (item for item in node.listed(role) if " AS " in item)
