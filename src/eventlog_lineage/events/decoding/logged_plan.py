"""The text of an execution's plan: as printed, or of the plan's tree with what a truncated text has in full."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from eventlog_lineage.datasets.naming import Location, path_name, read_location
from eventlog_lineage.events.decoding.line_filter import items
from eventlog_lineage.plan.printed.sections import completed_text, logical_part, split_sections
from eventlog_lineage.plan.printed.tree_lines import read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_HEADER = "== Physical Plan ==\n"
_NO_PLAN = re.compile(
    r"\s*(?:No plan description because.*|Found \d+ WholeStageCodegen subtrees\..*"
    r"|Truncated plan of \d+ characters)?\s*",
    re.DOTALL,
)
_TRUNCATED = re.compile(r"\.\.\. (\d{1,12}) more characters\s*")
_OPERATOR = re.compile(r"[A-Za-z]\w+")
_NUMBERED = re.compile(r" \(\d+\)$")
_COMMAND = re.compile(r"Execute (\w+)")
_WRAPPERS = ("WholeStageCodegen", "InputAdapter")
_ONE_LINE_SCANS = ("FileScan", "BatchScan", "Scan hive ")
_DOTS = re.compile(r"\.\.\.(?=,|\Z)")
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
        the tree of `sparkPlanInfo` in the form of the `simple` mode, with the complete blocks or logical plans of the
        truncated text, and its length; an empty string if there is no tree.
    """
    cut = _TRUNCATED.search(printed, max(0, len(printed) - 60))
    if cut or _NO_PLAN.fullmatch(printed):
        if not info.get("nodeName"):
            return ""
        kept = printed[: cut.start()] if cut else ""
        lines = _with_printed_lines(list(_lines(info)), kept)
        text = "\n".join((_HEADER + lines[0], *_command(lines, kept), *lines[1:])) + "\n"
        return completed_text(text, kept, len(kept) + int(cut[1])) if cut else text
    if any(scan in printed for scan in _ONE_LINE_SCANS):
        printed = _restored(printed, info)
    return with_scanned_paths(printed, plan_nodes(info))


def _with_printed_lines(lines: Sequence[str], kept: str) -> list[str]:
    """Return a tree's lines with those that a truncated tree string has in full: they have the results of aggregates.

    Both are in pre-order up to a cached plan, where the text has one line more; arguments can have line breaks.
    """
    whole = list(lines)
    _, found, physical = kept.rpartition(_HEADER)
    printed = read_lines(physical)[:-1] if found else []
    if any(_NUMBERED.search(each.label) for each in printed[:1]):
        return whole  # formatted text
    for at, (line, full) in enumerate(zip(lines, printed, strict=False)):
        if _word(line) != _word(full.label):
            break
        whole[at] = line[: line.find(_word(line))] + full.label[full.label.find(_word(full.label)) :]
    return whole


def _word(line: str) -> str:
    match = _OPERATOR.search(line)
    return match[0].removeprefix("File") if match else ""


def _command(lines: Sequence[str], kept: str) -> list[str]:
    """Return the lines of the command that `Execute` runs: the tree has only its name, the text its arguments.

    `CommandResultExec` and `ExecutedCommandExec` (2.4 to 4.3) have no child in the tree. Extended text prints the
    command with its query in each logical plan; of formatted text, the command's own line is taken.
    """
    match = _COMMAND.fullmatch(lines[0])
    if match is None or len(lines) > 1:
        return []
    logical = split_sections(f"{logical_part(kept)}\n{_HEADER}")
    trees = (logical.optimized, logical.analyzed) if logical is not None else ()
    if tree := next((each for each in trees if each.startswith(f"{match[1]} ")), None):
        first, *rest = tree.rstrip("\n").split("\n")
        return [f"   +- {first}", *(f"      {line}" for line in rest)]
    return _printed_command(match[1], kept)


def _printed_command(name: str, kept: str) -> list[str]:
    """Return the own line of a command in formatted text or a tree."""
    block = re.search(rf"^\(\d+\) {name}\nArguments: ", kept, re.MULTILINE)
    printed = block or re.search(rf"^[ :+-]*{name} ", kept, re.MULTILINE)
    if printed is None:
        return []
    line, is_complete, _ = kept[printed.end() :].partition("\n")
    if not is_complete:
        line = line.rpartition(", [")[0]
    return [f"   +- {name} {line}"] if line else []


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
    return [child for child in items(info.get("children")) if type(child) is dict]


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
    for node in plan_nodes(info):
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


def _whole(info: Mapping[str, Any]) -> str:
    """Return an operator's line with the complete values of its metadata."""
    text = str(info.get("simpleString") or info.get("nodeName", ""))
    metadata = info.get("metadata")
    if not isinstance(metadata, dict) or "..." not in text:
        return text
    for key in _KEYS:
        value = metadata.get(key)
        head, found, tail = text.rpartition(f"{key}: ")
        cut = _DOTS.search(tail)
        if found and cut and isinstance(value, str) and value.startswith(tail[: cut.start()]):
            text = f"{head}{found}{value}{tail[cut.end() :]}"
    return text


def plan_nodes(info: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a node and all nodes below it, in pre-order."""
    waiting = [info]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(_children(node))


_SCAN = re.compile(
    r"(?<=\n)Output(?: \[\d+\])?: \[(?P<output>[^\n]*)\]\n(?:[^\n(][^\n]*\n){0,4}?"
    r"Location: (?P<location>[^\n]*, \.\.\. \d+ entries\])(?=\n)"
)
_MORE = re.compile(r",\.\.\. \d+ more fields\]")


class _Scan(NamedTuple):
    """A scan of several paths: its attributes, as its line lists them, and its paths."""

    attributes: str
    location: Location


def with_scanned_paths(printed: str, nodes: Iterable[Mapping[str, Any]]) -> str:
    """Return formatted text with the known paths of scans without a table: `Location: InMemoryFileIndex [a, b, c]`.

    Paths of one dataset, such as partitions, are not listed: their number varies from night to night. The second shows
    that the first is one of them.

    Args:
        nodes: The operators of the event's `sparkPlanInfo`, whose metadata have the paths.
    """
    if " entries]\n" not in printed:
        return printed
    scans = list(_scans(nodes))

    def completed(match: re.Match[str]) -> str:
        short = match["location"]
        whole = _whole_location(match["output"], read_location(short), scans)
        return match[0].removesuffix(short) + str(whole) if whole else match[0]

    return _SCAN.sub(completed, printed) if scans else printed


def _scans(nodes: Iterable[Mapping[str, Any]]) -> Iterator[_Scan]:
    for node in nodes:
        metadata = node.get("metadata")
        text = metadata.get("Location") if isinstance(metadata, dict) else None
        if isinstance(text, str) and not _has_table(node) and len((location := read_location(text)).paths) > 1:
            line = str(node.get("simpleString", ""))
            yield _Scan(_normalized(line.partition("[")[2]), location)


def _has_table(node: Mapping[str, Any]) -> bool:
    return len(str(node.get("nodeName", "")).split()) > 2


def _whole_location(output: str, short: Location, scans: Iterable[_Scan]) -> Location | None:
    """Return the location of a scan with its known paths; None if they are unknown.

    Spark 3.1 ends the metadata's list without a mark.
    """
    attributes = _normalized(output)
    number = len(short.paths) + (short.missing or 0)
    found = {
        location.paths
        for listed, location in scans
        if location.first == short.first
        and len(location.paths) + (location.missing or 0) <= number
        and _are_same(attributes, listed)
    }
    if len(found) != 1:
        return None
    paths = found.pop()
    if len({path_name(path) for path in paths}) == 1:
        paths = paths[:2]
    return Location(short.file_index, paths, number - len(paths))


def _are_same(attributes: str, listed: str) -> bool:
    """Return whether a scan's attributes are those that a line lists, which Spark truncates."""
    if listed.startswith(f"{attributes}]"):
        return True
    more = _MORE.search(listed)
    return more is not None and attributes.startswith(listed[: more.start()])


def _normalized(attributes: str) -> str:
    return attributes.replace(", ", ",")
