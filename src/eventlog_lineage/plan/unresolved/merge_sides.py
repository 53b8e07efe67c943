"""Distinguish a MERGE's target attributes from its source's, by the aliases in the parsed plan."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eventlog_lineage.plan.expressions.attribute_ids import WORD, name_before_id
from eventlog_lineage.plan.expressions.lists import split_items
from eventlog_lineage.plan.nodes import PlanNode

from .parsed_clauses import ASSIGNMENT, alias_of_side

_WORD = re.compile(rf"'((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?![\w(])|(?<!'){WORD}")
_CALLED = re.compile(r"^\w+ (?=\()")
_ACTION = re.compile(r"^(\w+)action\((.*)\)$", re.DOTALL)


def target_attributes(parsed: PlanNode, command: PlanNode) -> dict[int, str]:
    """Return the attributes of a MERGE's target: id to name.

    Args:
        parsed: `MergeIntoTable ('t.id = 's.id), [updateaction(…)], …` over the table and the source.
        command: The analyzed command, `MergeIntoTable (id#1L = id#7L), [updateaction(…)], …`, after any other
            arguments.
    """
    alias = alias_of_side(parsed.children[0]) if parsed.children else ""
    written, bound = (dict(_pieces(node.text("Arguments"))) for node in (parsed, command))
    found: dict[int, str] = {}
    for key in written.keys() & bound.keys():
        names = [match[1].split(".") for match in _WORD.finditer(written[key]) if match[1]]
        attributes = [(match[2], int(match[3])) for match in _WORD.finditer(bound[key]) if match[3]]
        if [words[-1].lower() for words in names] != [name.lower() for name, _ in attributes]:
            continue  # the analyzer replaced a name by another expression
        for words, (name, expr_id) in zip(names, attributes, strict=True):
            if len(words) > 1 and words[-2].lower() == alias:
                found[expr_id] = name
    return found


def _pieces(text: str) -> Iterator[tuple[tuple[object, ...], str]]:
    """Yield the expressions of a MERGE, with keys that its parsed and its analyzed plan share."""
    lists = 0
    for part in split_items(text):
        if part.startswith("[") and "action(" in part:
            lists += 1
            for index, action in enumerate(split_items(part[1:-1])):
                found = _ACTION.match(action)
                for item in split_items(found[2]) if found else []:
                    assignment = ASSIGNMENT.match(item)
                    key, *value = split_items(assignment[1]) if assignment else ["", item]
                    name = name_before_id(key.lstrip("'").rpartition(".")[2]).lower()
                    yield (lists, index, name), ", ".join(value)
        elif (condition := _CALLED.sub("", part)).startswith("(") and not lists:
            yield ("on",), condition
