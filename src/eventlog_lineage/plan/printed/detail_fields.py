r"""Fields of a detail block: `Output [2]: [id#1L, name#2]`, `Condition : (id#1L > 2)`, `Arguments: …`.

Source: `ExplainUtils.generateFieldString` and the `verboseStringWithOperatorId` overrides of Spark 3.0 to 4.3.
A value can contain line breaks and lines that look like fields (`CatalogTable(\nDatabase: …`, literals). A counted
list ends when it has as many items as Spark prints, and the last field of a block ends with the block.
"""

from __future__ import annotations

import re
from functools import lru_cache

from eventlog_lineage.plan.grammar.forms import LABELS
from eventlog_lineage.plan.grammar.readings import has_reading
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, NAMED, Field, read_counted

_LABEL = re.compile(r"([A-Z][A-Za-z ]*?(?:\d{1,4} Input)?)(?: \[(\d{1,9})\]| )?")
_LONGEST_LABEL = 60
_LAST = frozenset({"Arguments", "Condition", "Join condition"})
"""Labels that Spark prints last: their values end with the block."""

_FOLLOWING = re.compile(
    r"\n(?:Input|Keys|Functions|Aggregate Attributes|Results|(?:Left|Right) keys|Join type|Join condition|Condition"
    r"|Arguments|Batched|Location)"
    r"(?: \[\d+\])?: "
)
"""Fields that can follow the lists of an operator."""

_EMPTY = Field("", 0)
_MAX_CLOSING_LINES = 256
"""Limit of the lines ending in a bracket that one list can have."""

DESCRIPTION = ""
"""The label of text without a label: a connector's description of its scan."""


class FieldReader:
    """Reads the fields of a plan's blocks, and caches lists that several operators print."""

    def __init__(self) -> None:
        self._lists: dict[str, Field] = {}

    def read(self, text: str, start: int, stop: int) -> dict[str, Field]:
        r"""Return the fields of a block, label to field; text without a label is under `DESCRIPTION`.

        Args:
            start: Offset of the block after its header line.

        >>> block = "Output [1]: [id#1L]\nCondition : (id#1L > 2)"
        >>> FieldReader().read(block, 0, len(block))["Output"].items
        ('id#1L',)
        """
        fields: dict[str, Field] = {}
        described: list[str] = []
        block = text[start:stop].rstrip("\n")
        stop = start + len(block)
        line_end = start - 1
        for line in block.split("\n"):
            at = line_end + 1
            line_end = at + len(line)
            if at < start:
                continue  # part of the previous value
            head, colon, value = line.partition(": ")
            label, count = _label(head) if colon and len(head) <= _LONGEST_LABEL else ("", None)
            if count is not None and value.startswith("["):
                field, start = self._counted(label, count, (text, line_end - len(value), line_end, stop))
            elif label:
                start = _plain_end(label, text, line_end - len(value), line_end, stop)
                field = _EMPTY if value == "[]" else Field(text[line_end - len(value) : start])
            else:
                if described or line:
                    described.append(line)
                continue
            fields.setdefault(label, field)
        if described:
            fields[DESCRIPTION] = Field("\n".join(described))
        return fields

    def _counted(self, label: str, count: int, location: tuple[str, int, int, int]) -> tuple[Field, int]:
        """Return a counted list and its end; cached, as most lists are printed as an output and as an input.

        Args:
            location: The text; the offsets of the list, of the end of its line and of the end of its block.
        """
        text, start, line_end, stop = location
        named = LABELS.get(label) is not EXPRESSIONS
        printed = text[start:line_end]
        known = self._lists.get(printed) if named else None
        if known is not None and known.count == count:
            return known, line_end
        end = _list_end(label, text, (start + 1, line_end, stop), count)
        field = counted_list(label, text[start + 1 : end].removesuffix("]"), count)
        if named and end == line_end:
            self._lists[printed] = field
        return field, end


@lru_cache(maxsize=1024)
def _label(head: str) -> tuple[str, int | None]:
    """Return label and count of `Output [2]`; an empty label for text that is not a label."""
    match = _LABEL.fullmatch(head)
    if not match:
        return "", None
    return match[1], int(match[2]) if match[2] else None


def _split_label(text: str, start: int, end: int) -> tuple[str, int | None, int]:
    """Return a line's label, its count, and the offset of its value; an empty label for a line without one."""
    colon = text.find(": ", start, end)
    if colon < 0 or colon - start > _LONGEST_LABEL:
        return "", None, start
    label, count = _label(text[start:colon])
    return label, count, colon + 2


def counted_list(label: str, text: str, count: int) -> Field:
    """Return a counted list with its items.

    Args:
        label: The field's label: items of `Functions` and of join keys have no names, all others do.

    >>> counted_list("Output", "id#1L, name#2", 2).items
    ('id#1L', 'name#2')
    """
    return Field(text, count, read_counted(LABELS.get(label, NAMED), text, count))


def _list_end(label: str, text: str, offsets: tuple[int, int, int], count: int) -> int:
    """Return the end of a counted list, with its bracket: the end of a line with enough items.

    Args:
        offsets: The start of the list, the end of its line, and the end of its block.
    """
    start, line_end, stop = offsets
    end = line_end if text.endswith("]", start, line_end) else _bracket_end(text, line_end, stop)
    if end == line_end and (end == stop or text[end + 1].isupper()):
        if text.find("(", start, end) < 0 and text.count(", ", start, end) + 1 == count:
            return end
        items = text[start : end - 1]
        if _FOLLOWING.match(text, end) and has_reading(items, count, are_named=LABELS.get(label) is not EXPRESSIONS):
            return end  # a literal or a name has unbalanced brackets
    return _closing_end(text, start, end, stop)


def _closing_end(text: str, start: int, end: int, stop: int) -> int:
    """Return the end of the first line after which a list has balanced brackets.

    Args:
        end: Offset of the first possible end; -1 if no line ends in a bracket.
    """
    first = end if end >= 0 else stop
    round_, square, counted = 0, 1, start  # the list's own bracket is open
    for _ in range(_MAX_CLOSING_LINES):
        if end < 0:
            break
        more_round, more_square = _open_brackets(text, counted, end)
        round_, square, counted = round_ + more_round, square + more_square, end
        if round_ == 0 and square == 0:
            return end
        end = _bracket_end(text, end, stop)
    return first


def _bracket_end(text: str, line_end: int, stop: int) -> int:
    """Return the end of the next line that ends in a bracket; -1 if there is none."""
    end = text.find("]\n", line_end + 1, stop)
    if end >= 0:
        return end + 1
    return stop if line_end < stop and text.endswith("]", line_end + 1, stop) else -1


def _plain_end(label: str, text: str, start: int, line_end: int, stop: int) -> int:
    """Return the end of a field without a count: the end of its line, or of the line that closes its brackets."""
    if label in _LAST:
        return stop
    end = line_end
    round_, square = _open_brackets(text, start, end)
    while round_ > 0 or square > 0:
        if end == stop:
            return line_end
        before, end = end, text.find("\n", end + 1, stop)
        end = end if end >= 0 else stop
        more_round, more_square = _open_brackets(text, before, end)
        round_, square = round_ + more_round, square + more_square
    return end


def _open_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    return (
        text.count("(", start, end) - text.count(")", start, end),
        text.count("[", start, end) - text.count("]", start, end),
    )


def lists_end(text: str, start: int) -> int:
    """Return the offset after the lists at the beginning of a block whose end is unknown."""
    end = text.find("\n", start)
    while end >= 0:
        line_end = text.find("\n", end + 1)
        line_end = line_end if line_end >= 0 else len(text)
        label, count, value = _split_label(text, end + 1, line_end)
        if count is not None and text.startswith("[", value):
            end = _list_end(label, text, (value + 1, line_end, len(text)), count)
        elif label and text[value:line_end] == "[]":
            end = line_end
        else:
            return end
    return len(text)
