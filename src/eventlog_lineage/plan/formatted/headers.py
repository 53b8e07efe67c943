r"""Choose the true headers among the candidates.

Names and literals are printed raw, so they can contain `\n\n(7) Project` or `\n\nSubquery:2 Hosting operator id = 3`.
For a true header, the tree contains an operator with its id and name; ids increase, and each operator is described
once; the block before it is complete: its lists have all their items, its brackets are balanced.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise

from .detail_fields import lists_end
from .header_candidates import Header, HeaderCandidates

_NAME_END = re.compile(r"(?: \[codegen id : \d+\])?(?:  ?\[Reuses operator id: (?:\d+|unknown)\])?")
_LINE_BREAKS = re.compile(r"\n*")

Labels = Mapping[int, Sequence[str]]
"""Operator id to the labels of the tree's lines with this id."""


def true_headers(
    candidates: HeaderCandidates, start: int, ends: Sequence[int], labels: Labels, described: Set[int]
) -> tuple[list[Header], int]:
    """Return the headers of a section's blocks, and the end of the section.

    Args:
        candidates: The candidates.
        start: Offset of the end of the section's tree, where its blocks begin.
        ends: Possible offsets of the section's end, in order.
        labels: The operators of its tree.
        described: The ids whose blocks are in earlier sections.
    """
    if any(len(set(names)) > 1 for names in labels.values()):
        return _after_complete_blocks(candidates, candidates.between(start, ends[0], labels.keys()), labels), ends[0]
    expected = labels.keys() - described
    found = candidates.between(start, ends[0], expected)
    if len(found) == len(expected) and all(after.operator_id > before.operator_id for before, after in pairwise(found)):
        is_unique = len(ends) == 1 or len(found) == sum(len(candidates.of(operator_id)) for operator_id in expected)
        if is_unique and (len(ends) == 1 or not found or _is_complete(candidates, found[-1], ends[0])):
            return found, ends[0]
    return _one_per_operator(
        candidates, start, ends, {operator_id: labels[operator_id] for operator_id in sorted(expected)}
    )


def _one_per_operator(
    candidates: HeaderCandidates, start: int, ends: Sequence[int], labels: Labels
) -> tuple[list[Header], int]:
    """Return one header per operator, in the order of their ids, and the end that fits the last block.

    Args:
        candidates: The candidates.
        start: Offset of the section's blocks.
        ends: Possible offsets of the section's end, in order.
        labels: The operators of its tree, by id in ascending order.
    """
    possible: list[list[Header]] = []
    for operator_id, names in labels.items():
        own = [header for header in candidates.of(operator_id) if header.start >= start]
        possible.append([header for header in own if _is_named(candidates.text, header, names)])
    latest = ends[-1]
    for own in reversed(possible):
        while own and own[-1].start >= latest:
            own.pop()
        latest = own[-1].start if own else latest
    headers: list[Header] = []
    for own in possible:
        later = {header.start: header for header in own if not headers or header.start > headers[-1].start}
        if later:
            headers.append(later[_fitting_end(candidates, headers[-1:], list(later), last=True)])
    return headers, _fitting_end(candidates, headers[-1:], [end for end in ends if end >= start], last=False)


def _fitting_end(candidates: HeaderCandidates, block: Sequence[Header], ends: Sequence[int], *, last: bool) -> int:
    """Return the offset of a block's end, among several possible ones.

    A block of lists ends with its lists. Free text (a condition, arguments) can contain literals that look like
    headers: it ends where the fewest brackets are open.

    Args:
        candidates: The candidates.
        block: The block's header; empty for the first block of a section.
        ends: Possible offsets of its end, in order.
        last: Whether to choose the last of several ends that fit.
    """
    later = [end for end in ends if end > block[0].start] if block else []
    if len(later) < 2:
        return later[0] if later else ends[0]
    free = lists_end(candidates.text, block[0].name_at)
    later = [end for end in later if end >= free] or later[-1:]
    if later[0] <= _text_after(candidates.text, free):
        return later[0]
    left_open = [max(candidates.imbalance(free, end), 0) for end in later]
    least = min(left_open)
    fitting = [end for end, count in zip(later, left_open, strict=True) if count == least]
    return fitting[-1] if last else fitting[0]


def _after_complete_blocks(candidates: HeaderCandidates, found: Sequence[Header], labels: Labels) -> list[Header]:
    """Return the headers that follow complete blocks: Spark 3.0 and 3.1 reuse ids for cached plans.

    Args:
        candidates: The candidates.
        found: The candidates for headers within the section.
        labels: The operators of its tree.
    """
    left = Counter((operator_id, name.rstrip()) for operator_id, names in labels.items() for name in names)
    headers: list[Header] = []
    for header in found:
        names = (name for name in labels[header.operator_id] if left[header.operator_id, name.rstrip()] > 0)
        name = next((name for name in names if _is_named(candidates.text, header, [name])), None)
        if name is not None and (not headers or _is_complete(candidates, headers[-1], header.start)):
            headers.append(header)
            left[header.operator_id, name.rstrip()] -= 1
    return headers


def _is_complete(candidates: HeaderCandidates, block: Header, end: int) -> bool:
    free = lists_end(candidates.text, block.name_at)
    return free <= end and (end <= _text_after(candidates.text, free) or candidates.imbalance(free, end) <= 0)


def _text_after(text: str, at: int) -> int:
    """Return the offset after the line breaks at an offset.

    Args:
        text: The text of the plan.
        at: The offset.
    """
    match = _LINE_BREAKS.match(text, at)
    return match.end() if match else at


def _is_named(text: str, header: Header, labels: Sequence[str]) -> bool:
    """Return whether a header repeats an operator's label; joins print their type only in the tree (up to 3.3).

    Args:
        text: The text of the plan.
        header: The header.
        labels: The labels of the operators with its id.
    """
    for label in labels:
        for name in (label.rstrip(), label.partition(" ")[0]):
            if text.startswith(name, header.name_at):
                rest = header.name_at + len(name)
                line_end = text.find("\n", rest)
                if _NAME_END.fullmatch(text[rest : line_end if line_end >= 0 else len(text)].rstrip()):
                    return True
    return False
