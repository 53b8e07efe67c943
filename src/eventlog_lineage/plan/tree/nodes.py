"""Plans as read: operators with their printed fields, before resolution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.grammar.forms import read_form, read_role
from eventlog_lineage.plan.grammar.symbols import (
    EXPRESSIONS,
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
