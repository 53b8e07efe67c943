"""An operator of a tree string, with its fields named as formatted text names them."""

from __future__ import annotations

from dataclasses import dataclass, field

from eventlog_lineage.plan.nodes import Field


@dataclass(slots=True)
class DescribedOperator:
    """The operator of a line.

    Attributes:
        name: The node's name as in formatted text.
        fields: Label and field as in formatted text.
        reused: The exchange that a ReusedExchange names, as printed; empty for other operators.
        outputs: The outputs of an aggregate; None if they are not printed.
        inferred: The ids of outputs that the line does not print, or whose sources it does not print.
    """

    name: str
    fields: dict[str, Field] = field(default_factory=dict)
    reused: str = ""
    outputs: list[str] | None = None
    inferred: set[int] = field(default_factory=set)


def list_field(items: list[str], text: str = "") -> Field:
    """Return a counted list of items.

    Args:
        items: The items.
        text: The list as printed; by default the items, joined by commas.
    """
    return Field(text or ", ".join(items), len(items), tuple(items))
