"""Build the plan text of an execution: the printed text completed by `sparkPlanInfo`, or `sparkPlanInfo` as text.

Source: `SparkPlanInfo.fromSparkPlan` and `DataSourceScanExec.simpleString`, 2.4 to 4.3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HEADER = "== Physical Plan ==\n"
_NO_PLAN = re.compile(
    r"\s*(?:No plan description because.*|Found \d+ WholeStageCodegen subtrees\..*"
    r"|Truncated plan of \d+ characters)?\s*",
    re.DOTALL,
)
_TRUNCATED = re.compile(r"\.\.\. \d{1,12} more characters\s*")
_WRAPPERS = ("WholeStageCodegen", "InputAdapter")
_ONE_LINE_SCANS = ("FileScan", "BatchScan", "Scan hive ")
_KEYS = ("Location", "PartitionFilters", "PushedFilters", "ReadSchema")


def plan_text(printed: str, info: Mapping[str, Any]) -> str:
    """Return the plan text of an execution.

    Args:
        printed: `physicalPlanDescription`.
        info: `sparkPlanInfo`; empty if there is none.

    Returns:
        The printed text; in tree strings, the values that Spark abbreviates after 100 characters
        (`spark.sql.maxMetadataStringLength`) are completed. If the text contains no plan or only a part of one
        (`spark.sql.ui.explainMode` is `none` or `codegen`, `spark.sql.maxPlanStringLength` truncates it), the tree of
        `sparkPlanInfo` in the form of the `simple` mode; an empty string if there is no tree.
    """
    if _NO_PLAN.fullmatch(printed) or _TRUNCATED.search(printed, max(0, len(printed) - 60)):
        return _HEADER + "\n".join(_lines(info)) + "\n" if info.get("nodeName") else ""
    if any(scan in printed for scan in _ONE_LINE_SCANS):
        return _restored(printed, info)
    return printed


class _Waiting(NamedTuple):
    """A node to print, with the prefix of its own line and that of its children's."""

    info: Mapping[str, Any]
    own: str
    below: str


def _lines(info: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a tree in the form of `TreeNode.treeString`; subqueries are two levels deeper."""
    waiting = [_Waiting(_unwrapped(info), "", "")]
    while waiting:
        node, own, below = waiting.pop()
        yield own + _whole(node)
        children = [_unwrapped(child) for child in _children(node)]
        inner = [child for child in children if _is_subquery(child)]
        inputs = [child for child in children if not _is_subquery(child)]
        deeper = below + (":  " if inputs else "   ")
        found = [_Waiting(child, *_branches(deeper, child is inner[-1])) for child in inner]
        found += [_Waiting(child, *_branches(below, child is inputs[-1])) for child in inputs]
        waiting.extend(reversed(found))


def _branches(below: str, last: bool) -> tuple[str, str]:
    return (f"{below}+- ", f"{below}   ") if last else (f"{below}:- ", f"{below}:  ")


def _children(info: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    children = info.get("children")
    return [child for child in children if isinstance(child, dict)] if isinstance(children, list) else []


def _unwrapped(info: Mapping[str, Any]) -> Mapping[str, Any]:
    """Skip nodes that tree strings do not print."""
    while str(info.get("nodeName", "")).startswith(_WRAPPERS):
        children = _children(info)
        if len(children) != 1:
            return info
        info = children[0]
    return info


def _is_subquery(info: Mapping[str, Any]) -> bool:
    return str(info.get("nodeName", "")).startswith(("Subquery", "ReusedSubquery"))


def _restored(printed: str, info: Mapping[str, Any]) -> str:
    """Insert complete values into the lines of scans, which have the form of `SparkPlanInfo.simpleString`.

    Args:
        printed: The plan text.
        info: The event's `sparkPlanInfo`.
    """
    pieces: list[str] = []
    done = at = max(0, printed.rfind(_HEADER))
    pieces.append(printed[:done])
    waiting = [info]
    while waiting:
        node = waiting.pop()
        waiting.extend(reversed(_children(node)))
        short = str(node.get("simpleString", ""))
        whole = _whole(node) if "..." in short else short
        if whole != short and (at := printed.find(short, done)) >= 0:
            pieces += (printed[done:at], whole)
            done = at + len(short)
    return "".join((*pieces, printed[done:]))


def _whole(info: Mapping[str, Any]) -> str:
    """Return an operator's line with the complete values of its metadata."""
    text = str(info.get("simpleString") or info.get("nodeName", ""))
    metadata = info.get("metadata")
    if not isinstance(metadata, dict) or "..." not in text:
        return text
    for key in _KEYS:
        value = metadata.get(key)
        head, found, tail = text.rpartition(f"{key}: ")
        short, cut, rest = tail.partition("...")
        if found and cut and isinstance(value, str) and value.startswith(short) and (not rest or rest[0] == ","):
            text = f"{head}{found}{value}{rest}"
    return text
