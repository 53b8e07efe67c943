"""Collect the attributes of a plan: ids in lists, with their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from eventlog_lineage.plan.expressions.aliases import split_alias
from eventlog_lineage.plan.expressions.attribute_ids import CAPTURED_ID, read_attribute
from eventlog_lineage.plan.expressions.escapes import unescaped
from eventlog_lineage.plan.expressions.lists import split_items, split_named

from .loops import loop_columns
from .nodes import Plan, PlanNode, walk

_PLAIN = frozenset({"Input", "Left output", "Right output", "Aggregate Attributes"})
"""Lists of attributes without expressions: ` AS ` in an item is part of a name, as in the names that pivots create."""

_EXPRESSIONS = frozenset({"Left keys", "Right keys", "Functions"})
"""Lists of expressions without names: `if ((a#1 > 1)) b#2 else c#3` ends like an attribute and is not one."""

_OUTER = re.compile(rf"\bouter\([^()]*{CAPTURED_ID}\)")
_DECLARING = frozenset({"Expand", "Generate", "LogicalRelation", "LogicalRDD"})
"""Operators whose last list of arguments has the attributes that they add, which may be printed nowhere else."""
_TEMPORARY = "_tmp_metadata_"
_ROW_INDEX = f"{_TEMPORARY}row_index"
"""An attribute named `row_index` above the scan (`FileFormat.ROW_INDEX_TEMPORARY_COLUMN_NAME`, 3.4 to 4.3)."""
_NAMING = {"Project": -1, "Aggregate": -1, "TakeOrderedAndProject": -1, "Window": 0}
"""Operator to the index of the list with named expressions, among the lists of its arguments."""
_REPEATING = frozenset({"TakeOrderedAndProject", "Window"})
_OBSERVING = "CollectMetrics"
"""Its list names metrics, `[count(1) AS x#1, y#2#3]`, not columns."""
_ROUND = re.compile(r"[()]")
_OPTIONS = re.compile(r"\[[\w.]+=[^\[\]]*\]")
"""Options and static partitions of a write: `[p=x, y#1]`."""
_ARGUMENT = re.compile(rf"(?<=[\[ ])([^\s\[\](),#]+){CAPTURED_ID}(?=[,\]])")
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
    names: dict[int, tuple[str, ...]] = {}
    for item in plain:
        attribute = read_attribute(item)
        if attribute:
            name, expr_id = attribute
            known = names.get(expr_id)
            if known is None:
                names[expr_id] = (name,)
            elif name not in known:
                names[expr_id] = (*known, name)
    for item in aliased:
        alias = split_alias(item, names)
        if alias is not None:
            names.setdefault(alias[2], (alias[1],))
    listed = [
        match
        for text in (_OPTIONS.sub("", _outside_calls(text)) for text in arguments)
        for pattern in (_ARGUMENT, _ARGUMENT_ALIAS)
        for match in pattern.finditer(text)
    ]
    for match in sorted(listed, key=lambda each: each[1].startswith(_SIGNS)):
        names.setdefault(int(match[2]), (unescaped(match[1]),))
    for expr_id, known in names.items():
        if _ROW_INDEX in known:
            names[expr_id] = (*known, _ROW_INDEX.removeprefix(_TEMPORARY))
    return names


def has_outer(text: str) -> bool:
    """Return whether an expression has an attribute of the outer query.

    >>> has_outer("(cid#16L = outer(cust#11L))"), has_outer("(name#17 = outer(x))")
    (True, False)
    """
    return "outer(" in text and _OUTER.search(text) is not None


def outer_attributes(plan: Plan) -> frozenset[int]:
    """Return the ids of outer attributes in correlated subqueries of logical trees: `outer(id#143L)`."""
    texts = (field.text for node in _nodes(plan) for field in node.fields.values() if "outer(" in field.text)
    return frozenset(int(expr_id) for text in texts for expr_id in _OUTER.findall(text))


def _items(plan: Plan) -> tuple[Iterable[str], Iterable[str], list[str]]:
    """Return the distinct items of all lists, plain ones and aliased ones, and the arguments of all operators."""
    plain: dict[str, None] = {}
    aliased: dict[str, None] = {}
    repeated: dict[str, None] = {}  # the operators below list the same attributes, with ambiguous names escaped
    arguments: list[str] = []
    seen: set[tuple[int, bool]] = set()  # one list is shared by many operators
    for node in _nodes(plan):
        if node.operator == "UnionLoop":
            plain.update(dict.fromkeys(loop_columns(node)))
        for label, field in node.fields.items():
            if field.count is None:
                if label == "Arguments" and node.operator != _OBSERVING:
                    arguments.append(field.text)
                    named = repeated if node.operator in _REPEATING else aliased
                    named.update(dict.fromkeys(_named_expressions(node.operator, field.text)))
                    if node.operator in _DECLARING:
                        plain.update(dict.fromkeys(_last_list(field.text)))
            elif label not in _EXPRESSIONS and (key := (id(field), label in _PLAIN)) not in seen:
                seen.add(key)
                if key[1] or " AS " not in field.text:
                    plain.update(dict.fromkeys(field.items))
                else:
                    for item in field.items:
                        (aliased if " AS " in item else plain)[item] = None
    return plain, [*aliased, *repeated], arguments


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


def _named_expressions(operator: str, text: str) -> Iterator[str]:
    """Yield the named expressions in an operator's arguments; names can contain brackets, `sum(v#1) AS sum(v)#2`.

    Args:
        operator: The canonical operator.
        text: Its arguments.
    """
    index = _NAMING.get(operator)
    if index is None or " AS " not in text or not text.endswith("]"):
        return
    lists = [part for part in split_items(text) if part.startswith("[") and part.endswith("]")]
    if lists:
        yield from (item for item in split_named(lists[index][1:-1], None) if " AS " in item)


def _last_list(text: str) -> list[str]:
    """Return the items of the last list of arguments."""
    lists = [part for part in split_items(text) if part.startswith("[") and part.endswith("]")]
    return split_items(lists[-1][1:-1]) if lists else []


def _nodes(plan: Plan) -> Iterator[PlanNode]:
    roots = [plan.root, *(subquery.root for subquery in plan.subqueries), *plan.orphans]
    for root in roots:
        if root is not None:
            yield from walk(root)
