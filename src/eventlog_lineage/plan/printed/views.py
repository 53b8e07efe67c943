"""Find the views that a statement reads, in analyzed plans; physical plans do not contain views.

Source: `View.simpleString` of Spark 2.4 to 4.3, ``View (`spark_catalog`.`db`.`v`, [id#1L,name#2])``; formatted text
prints it in the logical trees below commands, as ``(3) View`` with the same arguments. Temporary views have such a node
since 3.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from eventlog_lineage.plan.grammar.attribute_ids import ids_in, read_attribute
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, TIGHT, split

from .sections import Mode, Sections

_NAME = r"`(?:[^`\n]|``)+`(?:\.`(?:[^`\n]|``)+`)*"
_LINE = re.compile(rf"(?P<branch>(?:: {{2}}| {{3}})*(?:\+- |:- )?)View \((?P<name>{_NAME}), \[(?P<columns>[^\n]*)\]\)")
_BLOCK = re.compile(rf"\n\n\(\d{{1,9}}\) View\nArguments: (?P<name>{_NAME}), \[(?P<columns>[^\n]*)\]\n")
_BRANCH = re.compile(r"(?:: {2}| {3})*(?:\+- |:- )?")


class ViewRead(NamedTuple):
    """A view that a statement reads.

    Attributes:
        name: As printed: `` `spark_catalog`.`db`.`v` ``; a temporary view's is one word, or `` `global_temp`.`v` ``.
        columns: The columns that the rest of the plan names; truncated if Spark truncated the list.
    """

    name: str
    columns: tuple[str, ...]


def read_views(parts: Sections) -> tuple[ViewRead, ...]:
    """Return the distinct views that a plan text names, in the text's order.

    Args:
        parts: The parts of the text; the analyzed plan of extended text, or the logical trees of formatted text.
    """
    tree = parts.analyzed if parts.mode is Mode.EXTENDED else parts.physical
    if "View" not in tree:
        return ()
    found = _in_tree(tree) if parts.mode is Mode.EXTENDED else _in_blocks(tree)
    views: dict[str, tuple[str, ...]] = {}
    for view in found:
        views[view.name] = tuple(dict.fromkeys((*views.get(view.name, ()), *view.columns)))
    return tuple(ViewRead(name, columns) for name, columns in views.items())


def _in_blocks(text: str) -> Iterator[ViewRead]:
    """Yield the views of formatted text, without the columns that are used."""
    for match in _BLOCK.finditer(text):
        yield ViewRead(match["name"], ())


def _in_tree(tree: str) -> Iterator[ViewRead]:
    lines = tree.split("\n")
    views = [(at, match) for at, line in enumerate(lines) if (match := _LINE.fullmatch(line))]
    if not views:
        return
    names = {at for at, _ in views}
    ends = _ends(lines)
    uses: dict[int, list[int]] = {}
    for at, line in enumerate(lines):
        for expr_id in ids_in(line) if at not in names else ():
            uses.setdefault(expr_id, []).append(at)
    for at, match in views:
        columns = filter(None, map(read_attribute, _listed(match["columns"])))
        used = [name for name, expr_id in columns if _is_outside(uses.get(expr_id, ()), at, ends[at])]
        yield ViewRead(match["name"], tuple(used))


def _listed(text: str) -> list[str]:
    return split(EXPRESSIONS if ", " in text else TIGHT, text)


def _is_outside(lines: Iterable[int], start: int, end: int) -> bool:
    return any(not start <= line < end for line in lines)


def _ends(lines: list[str]) -> list[int]:
    """Return, for each line, the index after the last line of its subtree."""
    ends = [len(lines)] * len(lines)
    open_lines: list[tuple[int, int]] = []
    for at, line in enumerate(lines):
        match = _BRANCH.match(line)
        depth = match.end() if match else 0
        while open_lines and open_lines[-1][0] >= depth:
            ends[open_lines.pop()[1]] = at
        open_lines.append((depth, at))
    return ends
