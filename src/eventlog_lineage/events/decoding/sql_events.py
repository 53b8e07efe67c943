"""Decode events of Spark SQL: `org.apache.spark.sql.execution.ui.*` and those of the session catalog."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from eventlog_lineage.events.listener_events import AdaptivePlan, DriverMetrics, ExecutionEnd, ExecutionStart
from eventlog_lineage.events.records import CatalogChange, ExternalLineage
from eventlog_lineage.plan.grammar.symbols import items_of
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.printed.sections import with_length
from eventlog_lineage.redaction import shortened, without_inserted_secrets, without_shared_secrets

from .core_events import ERROR_LENGTH
from .json_fields import UnreadableLine, items, label, mapping, needed, number, parsed, texts, words
from .plan_info import metrics_nodes, outputs_all_groups, with_scanned_paths
from .spark_conf import is_sql, kept_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_HEADER = "== Physical Plan ==\n"
_NO_PLAN = re.compile(
    r"\s*(?:No plan description because.*|Found \d+ WholeStageCodegen subtrees\..*"
    r"|Truncated plan of \d+ characters)?\s*",
    re.DOTALL,
)
_TRUNCATED = re.compile(r"\.\.\. (\d{1,12}) more characters\s*")
_MORE_FIELDS = re.compile(r",( ?)\.\.\. (\d{1,9}) more fields\]")
_BLOCK = re.compile(r"\n\n\(\d+\) (\w+)")
_OPERATOR = re.compile(r"\w+")
_COMMAND = re.compile(r"Execute (\w+)")
_WRAPPERS = ("WholeStageCodegen", "InputAdapter")
_ONE_LINE_SCANS = ("FileScan", "BatchScan", "Scan hive ")
_KEYS = ("Location", "PartitionFilters", "PushedFilters", "ReadSchema")


def plan_text(printed: str, info: Mapping[str, Any]) -> str:
    """Return the plan text of an execution.

    Args:
        printed: `physicalPlanDescription`.
        info: `sparkPlanInfo`; empty if there is none.

    Returns:
        The printed text with the known paths of scans; in tree strings, with the complete values that Spark
        abbreviates after 100 characters (`spark.sql.maxMetadataStringLength`). If the text contains no plan or only a
        part of one (`spark.sql.ui.explainMode` is `none` or `codegen`, `spark.sql.maxPlanStringLength` truncates it),
        the tree of `sparkPlanInfo` in the form of the `simple` mode, with the lists of the truncated text, which are
        longer (3.0+), and the text's length; an empty string if there is no tree.
    """
    cut = _TRUNCATED.search(printed, max(0, len(printed) - 60))
    if cut or _NO_PLAN.fullmatch(printed):
        if not info.get("nodeName"):
            return ""
        kept = printed[: cut.start()] if cut else ""
        printed_lines = list(_lines(info))
        lines = [_with_longer_lists(line, kept, printed_lines) for line in printed_lines]
        text = "\n".join((_HEADER + lines[0], *_command(lines, kept), *lines[1:])) + "\n"
        return with_length(text, len(kept) + int(cut[1])) if cut else text
    if any(scan in printed for scan in _ONE_LINE_SCANS):
        printed = _restored(printed, info)
    return with_scanned_paths(printed, _nodes(info))


def _with_longer_lists(line: str, kept: str, lines: Sequence[str]) -> str:
    """Return an operator's line with its truncated lists as far as the truncated text has them.

    Formatted text prints lists in blocks, `Output [65]: […]`, which `spark.sql.debug.maxToStringFields` does not limit.
    If several lines begin the same, the text has to have the same list for each.

    Args:
        kept: The text before the place where it is truncated.
    """
    word = _word(line)
    pieces: list[str] = []
    done = 0
    for match in _MORE_FIELDS.finditer(line):
        start = line.find("[", done)
        beginning = line[start : match.start()]
        alike = sum(beginning in each and _word(each) == word for each in lines)
        printed = beginning[1:] if match[1] else beginning[1:].replace(",", ", ")
        found = [_longer(printed, int(match[2]), at, kept) for at in _in_blocks(word, printed, kept)]
        if len(found) == alike and len(set(found)) == 1 and (items := found[0]):
            pieces += (line[done : start + 1], f",{match[1]}".join(items), "]")
            done = match.end()
    return "".join((*pieces, line[done:]))


def _word(line: str) -> str:
    match = _OPERATOR.search(line)
    return match[0].removeprefix("File") if match else ""


def _in_blocks(word: str, printed: str, kept: str) -> Iterator[int]:
    """Yield the offsets of a list's beginning in the blocks of an operator, apart from `Input`."""
    at = kept.find(f": [{printed}, ")
    while at >= 0:
        header = _BLOCK.findall(kept, 0, at)
        label = kept[kept.rfind("\n", 0, at) + 1 : at]
        if header and header[-1] == word and not label.startswith("Input"):
            yield at + 2
        at = kept.find(f": [{printed}, ", at + 1)


def _longer(printed: str, missing: int, at: int, kept: str) -> tuple[str, ...]:
    """Return the items of a list in the truncated text, with `... 20 more fields` for those that it lacks.

    Args:
        printed: The first items, as the operator's line has them.
    """
    end = kept.find("]\n", at)
    known = items_of(kept[at : end + 1] if end >= 0 else f"{kept[at:]}]")
    known = known if end >= 0 else known[:-1]
    lacking = len(items_of(f"[{printed}]")) + missing - len(known)
    if lacking < 0 or lacking >= missing or (end >= 0 and lacking):
        return ()
    return (*known, f"... {lacking} more fields") if lacking else known


def _command(lines: Sequence[str], kept: str) -> list[str]:
    """Return the line of the command that `Execute` runs: the tree has only its name, the text its arguments.

    `CommandResultExec` and `ExecutedCommandExec` (2.4 to 4.3) have no child in the tree.

    Args:
        kept: The text before the place where it is truncated.
    """
    match = _COMMAND.fullmatch(lines[0])
    if match is None or len(lines) > 1:
        return []
    block = re.search(rf"^\(\d+\) {match[1]}\nArguments: ", kept, re.MULTILINE)
    printed = block or re.search(rf"^[ :+-]*{match[1]} ", kept, re.MULTILINE)
    if printed is None:
        return []
    line, is_complete, _ = kept[printed.end() :].partition("\n")
    if not is_complete:
        line = line.rpartition(", [")[0]
    return [f"   +- {match[1]} {line}"] if line else []


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

    The text has subqueries before an operator's input, the tree after it. Scans with the same line are in one order.

    Args:
        info: The event's `sparkPlanInfo`.
    """
    lines: dict[str, list[str]] = {}
    for node in _nodes(info):
        short = str(node.get("simpleString", ""))
        whole = _whole(node) if "..." in short else short
        if whole != short:
            lines.setdefault(short, []).append(whole)
    found: list[tuple[int, str, str]] = []
    start = max(0, printed.rfind(_HEADER))
    for short, wholes in lines.items():
        at = printed.find(short, start)
        for whole in wholes:
            if at >= 0:
                found.append((at, short, whole))
                at = printed.find(short, at + len(short))
    pieces: list[str] = []
    done = 0
    for at, short, whole in sorted(found):
        if at >= done:
            pieces += (printed[done:at], whole)
            done = at + len(short)
    return "".join((*pieces, printed[done:]))


def _nodes(info: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a node and all nodes below it, in pre-order."""
    waiting = [info]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(_children(node)))


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


DESCRIPTION_LENGTH = 1000
"""Longest stored description, in characters; the Thrift server's descriptions are complete statements."""

STATEMENT_LENGTH = 10_000
"""Longest stored SQL of a statement, in characters."""

_PLAN_INFO = b'"sparkPlanInfo":{'
_TIME = b'},"time":'
_CALL = re.compile(r"org\.apache\.spark\.sql\.(?:[\w.$]*\.)?(?:\$anonfun\$)?(\w+)[\w$]*\([^()\n]*\)(?:\n|$)")
_LONGEST_CALL = 300
_CONNECT = 'session_id: "'
_CONNECT_COMMAND = re.compile(r"\bplan \{\s+command \{\s+(\w+) \{")
_CONNECT_CALLS = {
    "checkpoint_command": "checkpoint",
    "write_operation": "save",
    "write_operation_v2": "append",
    "write_stream_operation_start": "toTable",
}
"""Commands of Spark Connect by the methods of the classic API; a stream that creates a table is `toTable`."""
_STATE_SAVED = b"StateStoreSave"  # also in `SessionWindowStateStoreSave`
_LONGEST_REQUEST = 2000
_EXECUTION_ID = re.compile(rb'[^,]*,"executionId":(\d+)')


def execution_start(line: bytes) -> ExecutionStart:
    """Read `SparkListenerSQLExecutionStart`.

    A plan of more than about 500 nested operators exceeds the nesting limit of JSON: its tree and metrics are omitted,
    the plan text is kept.
    """
    fields: Mapping[str, Any]
    try:
        fields = parsed(line)
    except UnreadableLine:
        fields = _without_plan_info(line)
    info = mapping(fields.get("sparkPlanInfo"))
    plan = words(fields.get("physicalPlanDescription"))
    description = without_inserted_secrets(words(fields.get("description")), plan)
    plan = plan_text(plan, info)
    if is_sql(description):
        description, plan = without_shared_secrets(description, plan)
    return ExecutionStart(
        needed(fields, "executionId"),
        number(fields.get("rootExecutionId")),
        shortened(description, DESCRIPTION_LENGTH),
        number(fields.get("time")),
        PlanText(plan),
        metrics_nodes(info),
        texts(fields.get("jobTags")),
        label(fields.get("jobGroupId")),
        kept_settings(mapping(fields.get("modifiedConfigs"))),
        _call(words(fields.get("details"))),
        _STATE_SAVED in line and outputs_all_groups(info),
        shortened(description, STATEMENT_LENGTH) if is_sql(description) else "",
    )


def _call(details: str) -> str:
    """Return the method in the first line of a call site: `org.apache.spark.sql.Dataset.checkpoint(Dataset.scala:690)`.

    Source: `Utils.getCallSite`, `CallSite.longForm`. Of a closure it is the method around it
    (`$anonfun$collectAsArrowToPython$1$adapted`). Spark Connect has the beginning of the request there
    (`SparkConnectPlanExecution`, 4.0+): `session_id: "…" … plan { command { checkpoint_command {`.
    """
    if details.startswith(_CONNECT):
        command = _CONNECT_COMMAND.search(details[:_LONGEST_REQUEST])
        return _CONNECT_CALLS.get(command[1], "") if command else ""
    return _method(details[:_LONGEST_CALL])


@lru_cache(maxsize=1000)
def _method(call_site: str) -> str:
    """Return the method of a call site by its beginning; cached, as all runs of a program have the same call sites."""
    found = _CALL.match(call_site)
    return found[1] if found else ""


def _without_plan_info(line: bytes) -> Mapping[str, Any]:
    """Parse the line without `sparkPlanInfo`, the only nested field; no string contains the keys unescaped."""
    start, end = line.find(_PLAN_INFO), line.rfind(_TIME)
    if start < 0 or end < start:
        return parsed(line)
    return parsed(line[:start] + line[end + 2 :])


def execution_end(line: bytes) -> ExecutionEnd:
    """Read `SparkListenerSQLExecutionEnd`; before 3.4 (and DBR 10.4) it does not show failures."""
    fields = parsed(line)
    error = fields.get("errorMessage")
    known = None if error is None else shortened(words(error), ERROR_LENGTH)
    return ExecutionEnd(needed(fields, "executionId"), number(fields.get("time")), known)


def adaptive_execution_id(line: bytes) -> int | None:
    """Return the execution whose plan a `SparkListenerSQLAdaptiveExecutionUpdate` replaces, without parsing it."""
    matched = _EXECUTION_ID.match(line)
    return int(matched[1]) if matched else None


def adaptive_plan(line: bytes) -> AdaptivePlan:
    """Read `SparkListenerSQLAdaptiveExecutionUpdate`, without the plan text."""
    start = line.find(_PLAN_INFO)
    execution_id = adaptive_execution_id(line)
    if start < 0 or execution_id is None:
        fields: Mapping[str, Any] = parsed(line)
        execution_id = needed(fields, "executionId")
    else:
        fields = parsed(b"{" + line[start:])
    return AdaptivePlan(execution_id, metrics_nodes(mapping(fields.get("sparkPlanInfo"))))


def driver_metrics(line: bytes) -> DriverMetrics:
    """Read `SparkListenerDriverAccumUpdates`; values of one accumulator are summed, as in the SQL tab."""
    fields = parsed(line)
    sums: dict[int, int] = {}
    for pair in map(items, items(fields.get("accumUpdates"))):
        accumulator, value = (number(pair[0]), number(pair[1])) if len(pair) == 2 else (None, None)
        if accumulator is not None and value is not None:
            sums[accumulator] = sums.get(accumulator, 0) + value
    return DriverMetrics(needed(fields, "executionId"), tuple(sums.items()))


def catalog_change(change: str) -> Callable[[bytes], CatalogChange]:
    """Return the decoder of `org.apache.spark.sql.catalyst.catalog.<change>Event`."""

    def read(line: bytes) -> CatalogChange:
        fields = parsed(line)
        return CatalogChange(
            change,
            label(fields.get("database")),
            label(fields.get("name")),
            label(fields.get("newName")),
            label(fields.get("kind")),
        )

    return read


def kyuubi_lineage(line: bytes) -> ExternalLineage:
    """Read `org.apache.kyuubi.plugin.lineage.dispatcher.OperationLineageSparkEvent`."""
    fields = parsed(line)
    lineage = mapping(fields.get("lineage"))
    columns = map(mapping, items(lineage.get("columnLineage")))
    return ExternalLineage(
        texts(lineage.get("inputTables")),
        texts(lineage.get("outputTables")),
        tuple((words(column.get("column")), texts(column.get("originalColumns"))) for column in columns),
        shortened(words(fields.get("exception")), ERROR_LENGTH),
        number(fields.get("eventTime")),
    )
