"""A plan with one operator a line in the shape of formatted text: a block for each operator.

What is told of a text at a glance, without reading the plan (`snapshots.read_marks`), needs to know one shape only.
"""

from __future__ import annotations

from collections.abc import Iterator

from eventlog_lineage.plan.formatted.detail_fields import DESCRIPTION
from eventlog_lineage.plan.tree_string.operator_lines import Described, described
from eventlog_lineage.plan.tree_string.read_tree import read_lines


def as_blocks(physical: str) -> str:
    """The operators of a plan as blocks.

    The line `+- BatchScan db.t[id#1L] PaimonScan: [t]` is `(3) BatchScan db.t`, `Output [1]: [id#1L]` and
    `PaimonScan: [t]`, each a line.

    Args:
        physical: A physical plan of extended, cost or simple text, its header included.

    Returns:
        The blocks, each after an empty line; numbered from 1 in the order of the lines.
    """
    lines = read_lines(physical.partition("\n")[2].rstrip("\n"))
    return "".join(_block(number, described(line.label)) for number, line in enumerate(lines, 1))


def _block(number: int, known: Described) -> str:
    name = known.name.removeprefix("Execute ").strip()
    return "\n\n" + "".join(f"{line}\n" for line in (f"({number}) {name}", *_fields(known)))


def _fields(known: Described) -> Iterator[str]:
    for label, field in known.fields.items():
        if label == DESCRIPTION:
            yield field.text
        elif field.count is None:
            yield f"{label}: {field.text}"
        else:
            yield f"{label} [{field.count}]: [{', '.join(field.items)}]"
