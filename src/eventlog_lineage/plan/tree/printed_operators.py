"""List the operators of a physical plan as its text prints them, without parsing the plan.

Much cheaper than reading the plan, and sufficient to find names of tables and snapshots.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eventlog_lineage.plan.printed.operator_lines import describe_line
from eventlog_lineage.plan.printed.sections import Mode, Sections

from .tree_strings import read_lines

_HEADER = re.compile(r"\n\(\d{1,9}\) ")
_OUTPUT = re.compile(r"^Output(?: \[\d+\])?: \[(.*)\]$", re.MULTILINE)
_ARGUMENTS = "\nArguments: "
_EXECUTE = "Execute "


@dataclass(frozen=True, slots=True)
class PrintedOperator:
    """An operator as a plan text prints it.

    Attributes:
        name: Its name without `Execute`: "BatchScan shop.orders".
        output: The text in the brackets of its output; empty if it prints none.
        arguments: Its arguments in the form of formatted text; empty if it prints none.
        printed: Its complete text: its block in formatted text, its line in the other modes.
    """

    name: str
    output: str
    arguments: str
    printed: str


def printed_operators(parts: Sections) -> tuple[PrintedOperator, ...]:
    """Return the operators of a physical plan, in the order of the text."""
    return tuple(_of_blocks(parts.physical) if parts.mode is Mode.FORMATTED else _of_lines(parts.physical))


def _of_blocks(text: str) -> Iterator[PrintedOperator]:
    headers = list(_HEADER.finditer(text))
    ends = (*(header.start() for header in headers[1:]), len(text))
    for header, end in zip(headers, ends, strict=False):
        printed = text[header.end() : end].rstrip("\n")
        name, _, details = printed.partition("\n")
        output = _OUTPUT.search(details)
        arguments = f"\n{details}".partition(_ARGUMENTS)[2]
        yield PrintedOperator(name.removeprefix(_EXECUTE).strip(), output[1] if output else "", arguments, printed)


def _of_lines(text: str) -> Iterator[PrintedOperator]:
    for line in read_lines(text.partition("\n")[2].rstrip("\n")):
        known = describe_line(line.label)
        output, arguments = known.fields.get("Output"), known.fields.get("Arguments")
        yield PrintedOperator(
            known.name.removeprefix(_EXECUTE).strip(),
            ", ".join(output.items) if output is not None else "",
            arguments.text if arguments is not None else "",
            line.label,
        )


def matches(pattern: re.Pattern[str], operators: Sequence[PrintedOperator]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern in the texts of operators."""
    for operator in operators:
        yield from pattern.finditer(operator.printed)
