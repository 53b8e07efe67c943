"""Escape ambiguous names and literals in tree strings: those that look like a plan's structure.

Lines print no counts: of all readings of a list, the cheapest is chosen (`plan.expressions.readings`). The schema above
the analyzed plan has the number of the query's columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from eventlog_lineage.attribute_patterns import ID_START, NUMBER
from eventlog_lineage.plan.expressions.arities import is_scalar
from eventlog_lineage.plan.expressions.escapes import unescaped
from eventlog_lineage.plan.expressions.item_costs import call_cost, is_crossed, is_suspicious, unmatched
from eventlog_lineage.plan.expressions.literals import escape_items
from eventlog_lineage.plan.expressions.readings import best_items
from eventlog_lineage.plan.expressions.types import struct_fields
from eventlog_lineage.plan.formatted.ambiguous_details import PlanEscaper, is_ambiguous_name
from eventlog_lineage.plan.names_of_children import names_of_children
from eventlog_lineage.plan.repeated_names import repeated_names
from eventlog_lineage.plan.scanned_columns import scanned_columns

from .logical_results import LogicalResults, logical_results
from .unused_aliases import unused_aliases

_HEAD = re.compile(r"(?:(?:[*^](?:\(\d+\))? |\*(?=[A-Z])|!|'|~)+)?(?:Execute )?[\w$.]+ ?")
_AMBIGUOUS_ID = re.compile(rf"#{NUMBER}L?{ID_START}| AS [^#,\[\]]*, | AS [^#,()\[\]]* AS ")
_BRANCH_WORD = re.compile(r"\)(?= )|[()\[\],]| (?:THEN|ELSE|AS|else)(?= )| END(?!\w)")
_AGGREGATE = re.compile(r"(\(keys?=\[)(.*?)(\], functions=\[)(.*?)(\](?:, output=\[(.*)\])?\))$", re.DOTALL)
_TOP = re.compile(r"(\(limit=-?\d+, (?:offset=\d+, )?orderBy=\[)(.*?)(\], output=\[)(.*)(\]\))$", re.DOTALL)
_BETWEEN_KEYS = re.compile(r"(?:(?<= NULLS FIRST)|(?<= NULLS LAST)),(?=\S)")
_ATTRIBUTE = re.compile(rf"(?<=[\[,])[^\[\](),#]+#{NUMBER}L?(?=[,\]])")
_CALL = re.compile(r"[A-Za-z_][\w$.]*\(.*\).*", re.DOTALL)
_SCHEMA = ", ReadSchema: "
_SCANS = ("FileScan", "BatchScan", "Scan", "HiveTableScan", "Relation", "MicroBatchScan", "InMemory")
_PASSING_ON = ("AdaptiveSparkPlan", "Exchange", "Sort", "Limit", "Coalesce")
"""The ends of the names of operators that output the columns of their input."""
_TOO_LONG = 200_000


class EscapedLines:
    """The lines of a tree, with ambiguous names and literals escaped."""

    def __init__(self, labels: Sequence[str], columns: Sequence[str] = (), logical: Sequence[str] = ()) -> None:
        """Read the lines of a tree.

        Args:
            labels: The lines without their branches, consumers before their inputs.
            columns: The names of the output columns, if they are known.
            logical: The optimized and the analyzed plan.
        """
        self._escaper: PlanEscaper | None = None
        self.labels = list(labels)
        if any(map(is_ambiguous_name, columns)) or any(map(_is_ambiguous, [*labels, *_computing(logical)])):
            physical, plans = "\n".join(labels), "\n".join(logical)
            unused = unused_aliases(physical, plans, columns)
            text = f"{plans}\n{physical}"
            escaper = self._escaper = PlanEscaper(
                columns, repeated_names(text, scanned_columns(text)), unused, names_of_children(text).values()
            )
            counts = {_root_project(labels): _count(columns)}
            read = [_escaped(escaper, labels[at], counts.get(at)) for at in reversed(range(len(labels)))]
            self.labels = read[::-1]

    @property
    def ambiguous(self) -> Mapping[str, str]:
        """Expressions whose literals can be read in two ways, to the other one."""
        return self._escaper.others if self._escaper is not None else {}

    @property
    def other_names(self) -> Mapping[int, str]:
        """Ids of attributes whose names can be read in two ways, to the other name."""
        return self._escaper.other_names if self._escaper is not None else {}

    def logical(self, plans: Sequence[str]) -> LogicalResults:
        """Return the named expressions of logical plans, ambiguous names and literals escaped as in the lines."""
        return logical_results(plans, self._escaper)


def has_literal_branch(label: str) -> bool:
    """Return whether a literal with an AS may be in a branch of a CASE or an IF, in time that grows with the label.

    Args:
        label: The operator's line.

    >>> has_literal_branch("Project [CASE WHEN (a#1 > 1) THEN x AS y ELSE b#2 END AS c#3]")
    True
    >>> has_literal_branch("Project [if ((a#1 > 1)) x AS y else b#2 AS c#3]")
    True
    >>> has_literal_branch("Project [CASE WHEN (a#1 > 1) THEN x ELSE b#2 END AS c#3, if ((a#1 > 1)) x else y AS d#4]")
    False
    """
    if " AS " not in label:
        return False
    in_case = after_bracket = after_else = False
    before_else = found = 0  # ASs of an IF before and after its else
    for match in _BRANCH_WORD.finditer(label):
        word = match[0].strip()
        if word in {"THEN", "ELSE"}:
            in_case = True
        elif word == "END":
            in_case = False
        elif word == "else":
            if before_else:
                return True
            after_else, found = True, 0
        elif word == "AS":
            found += after_else
            before_else += after_bracket
            if in_case or found > 1:
                return True
        else:
            in_case = after_else = False
            after_bracket = word == ")" and label.startswith(" ", match.end())
            before_else = found = 0
    return False


def _is_ambiguous(label: str) -> bool:
    if _SCHEMA in label:
        return any(is_ambiguous_name(name) for name, _ in struct_fields(label.rpartition(_SCHEMA)[2]))
    if _AMBIGUOUS_ID.search(label) is not None or is_suspicious(label) or has_literal_branch(label):
        return True
    return "], [" in label and is_crossed(label)  # a literal that separates lists


def _computing(plans: Sequence[str]) -> Iterator[str]:
    """Yield the lines of logical plans that compute columns."""
    return (line for plan in plans for line in plan.split("\n") if "Aggregate [" in line or "Project [" in line)


def _root_project(labels: Sequence[str]) -> int:
    """Return the index of the Project that computes the query's columns; -1 if another operator does."""
    for at, label in enumerate(labels):
        word = _word(label)
        if word == "Project":
            return at
        if not word.endswith(_PASSING_ON):
            return -1
    return -1


def _count(columns: Sequence[str]) -> int | None:
    """Return the number of the query's columns; None if it is unknown."""
    is_truncated = any(" more fields" in name for name in columns)
    return None if is_truncated or not columns else len(columns)


def _word(label: str) -> str:
    match = _HEAD.match(label)
    return match[0].strip(" *^!'~0123456789()") if match else ""


def _escaped(escaper: PlanEscaper, label: str, count: int | None = None) -> str:
    match = _HEAD.match(label)
    if match is None or len(label) > _TOO_LONG:
        return label
    head, rest, word = match[0], label[match.end() :], _word(label)
    if word.startswith(_SCANS):
        escaper.schema(label.rpartition(_SCHEMA)[2])
        label = escaper.text(label)
        escaper.certain(_ATTRIBUTE.findall(label))
        return label
    return head + _arguments(escaper, word, escaper.text(rest), count)


def _arguments(escaper: PlanEscaper, word: str, rest: str, count: int | None) -> str:
    if word == "Project" and rest.startswith("[") and rest.endswith("]"):
        return f"[{', '.join(escaper.named_list(rest[1:-1], count))}]"
    if word == "Filter":
        return escaper.expression(rest)
    if match := _AGGREGATE.match(rest):
        keys = ", ".join(escaper.named_list(match[2]))
        functions = escaper.text(unescaped(match[4]))  # they name the keys
        read = ", ".join(_functions(escaper, functions))
        outputs = match[5]
        if match[6] is not None:
            outputs = f"], output=[{', '.join(escaper.named_list(escaper.text(unescaped(match[6]))))}])"
        return f"{match[1]}{keys}{match[3]}{read}{outputs}"
    if match := _TOP.match(rest):
        keys = ",".join(map(escaper.sort_key, _BETWEEN_KEYS.split(match[2])))
        return f"{match[1]}{keys}{match[3]}{match[4]}{match[5]}"
    return escaper.arguments(rest)


def _is_scalar(call: str) -> bool:
    return is_scalar(call.partition("(")[0])


def _functions(escaper: PlanEscaper, text: str) -> list[str]:
    """Return the functions of an aggregate, escaped.

    Args:
        escaper: Escapes expressions.
        text: The list without its brackets.
    """
    if known := escaper.functions.items(text):
        return known
    items = best_items(text, None, call_cost)
    if any(unmatched(item) or not _CALL.fullmatch(unescaped(item)) or _is_scalar(item) for item in items):
        read = escape_items(text, None)
        if scalars := sum(map(_is_scalar, read)):  # the bracket before it is a literal's: `min(f(%s), a#1), array_max(`
            read = escape_items(text, len(read) - scalars)
        if all(map(_CALL.match, read)):
            return read
    return list(map(escaper.expression, items or [text]))
