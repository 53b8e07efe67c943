"""What is told of a plan text at a glance, before it is understood: its name, its command, what it leaves open.

A statement's executions are tied together by this alone, so that texts need not travel with the executions.
"""

from __future__ import annotations

import base64
import re
from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from .fingerprint import number_plan
from .table_state import is_helper

_ROOT = re.compile(r"== Physical Plan ==\n(?:AdaptiveSparkPlan[^\n]*\n\+- (?:== [^\n]*\n\s*)?)?([^\n]*)")
_COMMAND = re.compile(
    r"^(?:Execute (\w+)"
    r"|((?:Atomic)?(?:Create|Replace)TableAsSelect|AppendDataExecV1|OverwriteByExpressionExecV1|CacheTableAsSelect"
    r"|CommandResult|Append\w+|Overwrite\w+|ReplaceData|WriteDelta|WriteToDataSourceV2|WriteToContinuousDataSource)\b)"
)
_OPEN_BLOCK = re.compile(
    r"\n\(\d+\) (?:Scan ExistingRDD|LogicalRDD|MicroBatchScan|LocalTableScan)[^\n]*\n"
    r"(?:Output \[\d+\]: \[(?P<output>[^\n]*)\]\n)?(?:Arguments: (?P<arguments>[^\n]*))?"
)
_PATH_RELATION = re.compile(r"\n\(\d+\) LogicalRelation\nArguments: \w+, \[(?P<output>[^\n]*?)\], (?:true|false)\n")
_ID = re.compile(r"#(\d{1,18})L?(?:-T\d+ms)?(?=,|$|\])")
_MARKS = ("ExistingRDD", "LogicalRDD", "MicroBatchScan", "<empty>", "LogicalRelation")
_VIEWS = frozenset({"CreateViewCommand", "AlterViewAsCommand"})


@dataclass(frozen=True, slots=True)
class PlanHead:
    """A plan at a glance.

    Attributes:
        fingerprint: See `fingerprint.Numbered`; empty for an execution without plan text.
        command: The root's command, `InsertIntoHadoopFsRelationCommand`; empty for a query.
        ids: Attribute ids, by their place in the plan's numbering.
        open: Of these, the ones that no scan of the plan explains.
        wanted: Of the open ones, those whose explanation the statement's lineage needs.
        is_helper: A table format ran it for itself (`table_state.is_helper`).
    """

    fingerprint: str
    command: str = ""
    ids: tuple[int, ...] = ()
    open: frozenset[int] = frozenset()
    wanted: frozenset[int] = frozenset()
    is_helper: bool = False


def read_head(text: str) -> PlanHead:
    """Reads a plan text's head; far cheaper than reading the plan."""
    if not text.strip():
        return PlanHead("")
    numbered = number_plan(text)
    command = _command(text)
    if is_helper(text):
        return PlanHead(numbered.fingerprint, command, numbered.ids, is_helper=True)
    if not any(mark in text for mark in _MARKS):
        return PlanHead(numbered.fingerprint, command, numbered.ids)
    rows = _ids(
        match["output"] or ""
        for match in _OPEN_BLOCK.finditer(text)
        if "LocalTableScan" not in match[0] or (match["arguments"] or "").startswith("<empty>")
    )
    paths = _ids(match["output"] for match in _PATH_RELATION.finditer(text))
    wanted = rows | paths if command in _VIEWS else rows
    return PlanHead(numbered.fingerprint, command, numbered.ids, rows | paths, wanted)


def _command(text: str) -> str:
    root = _ROOT.match(text)
    found = _COMMAND.match(root[1].removeprefix("* ")) if root else None
    return (found[1] or found[2]) if found else ""


def _ids(lists: Iterable[str]) -> frozenset[int]:
    return frozenset(int(number) for text in lists for number in _ID.findall(text))


def pack_head(head: PlanHead) -> str:
    """A head as one short string, to travel in a plan text's place."""
    ids = base64.b64encode(array("Q", head.ids).tobytes()).decode()
    helper = "helper" if head.is_helper else ""
    return "\t".join((head.fingerprint, head.command, ids, _packed(head.open), _packed(head.wanted), helper))


def unpack_head(text: str) -> PlanHead:
    """The head that `pack_head` packed; an empty one for an empty string."""
    if not text:
        return PlanHead("")
    fingerprint, command, ids, opened, wanted, helper = text.split("\t")
    numbers = array("Q")
    numbers.frombytes(base64.b64decode(ids))
    return PlanHead(fingerprint, command, tuple(numbers), _unpacked(opened), _unpacked(wanted), bool(helper))


def _packed(numbers: frozenset[int]) -> str:
    return ",".join(map(str, sorted(numbers)))


def _unpacked(text: str) -> frozenset[int]:
    return frozenset(map(int, text.split(","))) if text else frozenset()
