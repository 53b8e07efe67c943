"""Plans with a known structure, printed as Spark prints them.

Source: `ExplainUtils.processPlan`, `QueryPlan.verboseStringWithOperatorId`, `TreeNode.generateTreeString`
(3.5), and the details of each operator's own override.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Attributes = tuple[tuple[str, int], ...]
Value = str | tuple[str, ...]
"""A field's text, or the items of a counted list."""


def printed(attributes: Attributes) -> tuple[str, ...]:
    """Attributes as lists print them."""
    return tuple(f"{name}#{number}" for name, number in attributes)


@dataclass(eq=False)
class Composed:
    """An operator of a composed plan.

    Attributes:
        label: As the tree prints it.
        fields: Label and value, in the order in which the details print them.
        children: Its inputs.
        outputs: Its output attributes.
        header: As the details print it; the label where it is empty.
        inner: Is it an inner child of its parent (a cached plan), printed two levels deeper?
        number: Its operator id, once it is numbered.
    """

    label: str
    fields: tuple[tuple[str, Value], ...]
    children: tuple[Composed, ...] = ()
    outputs: Attributes = ()
    header: str = ""
    inner: bool = False
    number: int = 0


def upwards(root: Composed) -> Iterator[Composed]:
    """The operators in the order of their ids: inputs first, left to right."""
    stack: list[tuple[Composed, bool]] = [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
            continue
        stack.append((node, True))
        stack.extend((child, False) for child in reversed(node.children))


def number(root: Composed, first: int = 1) -> int:
    """Gives the operators of a tree their ids, and returns the next free one."""
    for node in upwards(root):
        node.number = first
        first += 1
    return first


def tree_text(root: Composed) -> str:
    """The tree with operator ids."""
    lines: list[str] = []
    stack: list[tuple[Composed, str, str]] = [(root, "", "")]
    while stack:
        node, lead, indent = stack.pop()
        lines.append(f"{lead}{node.label} ({node.number})\n")
        last = len(node.children) - 1
        for index in range(last, -1, -1):
            child = node.children[index]
            deeper = f"{indent}   " if child.inner else indent
            lead_in, below = ("+- ", "   ") if index == last else (":- ", ":  ")
            stack.append((child, deeper + lead_in, deeper + below))
    return "".join(lines)


def field_text(label: str, value: Value) -> str:
    """A line of the details."""
    if isinstance(value, tuple):
        return f"{label} [{len(value)}]: [{', '.join(value)}]" if value else f"{label}: []"
    return f"{label} : {value}" if label == "Condition" else f"{label}: {value}"


def detail_text(node: Composed) -> str:
    """An operator's block."""
    lines = [
        f"({node.number}) {node.header or node.label}",
        *(field_text(label, value) for label, value in node.fields),
    ]
    return "\n" + "\n".join(lines) + "\n"


def section_text(root: Composed, described: set[int] | None = None) -> str:
    """A tree with the details of those of its operators that were not described before."""
    described = set() if described is None else described
    blocks = [detail_text(node) for node in upwards(root) if node.number not in described]
    described.update(node.number for node in upwards(root))
    return tree_text(root) + "\n" + "".join(blocks)


def formatted(root: Composed, subqueries: Sequence[tuple[Composed, str, Composed | None]] = ()) -> str:
    """The whole text, as `explainString(FormattedMode)` gives it."""
    described: set[int] = set()
    following = number(root)
    for _, _, plan in subqueries:
        following = number(plan, following) if plan is not None else following
    pieces = ["== Physical Plan ==\n", section_text(root, described)]
    for index, (host, expression, plan) in enumerate(subqueries):
        pieces.append("" if index else "\n===== Subqueries =====\n\n")
        pieces.append(f"Subquery:{index + 1} Hosting operator id = {host.number} Hosting Expression = {expression}\n")
        pieces.append(section_text(plan, described) + "\n" if plan is not None else "\n")
    return "".join(pieces) + "\n"
