"""Summarize a plan text without parsing it: fingerprint, root command, unbound attribute ids, facts.

Grouping executions into statements needs only their summaries, so texts are not passed along.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import astuple, dataclass, fields, replace
from functools import cache
from typing import Any, Protocol

from eventlog_lineage.attribute_patterns import NUMBER
from eventlog_lineage.extensions import Query, Role, Rows, commands_where, contributions, find_command, text_patterns
from eventlog_lineage.plan.grammar.attribute_ids import LISTED_ID
from eventlog_lineage.plan.printed.sections import Mode, Sections

from .fingerprint import Numbered, number_plan
from .plan_facts import PlanFact, SnapshotRef, SnapshotRole, pack_fact, unpack_fact
from .scan_facts import RowScan, ScannedText, find_row_scans, scan_facts

_ROOT = re.compile(
    r"== Physical Plan ==\n(?:AdaptiveSparkPlan[^\n]*\n\+- (?:== [^\n]*\n\s*)?)?"
    r"(?:(?:[*^](?:\(\d+\))? )?Union[^\n]*\n:- )?([^\n]*)"
)
"""The root's line; for a union, the line of its first input, which is a command in a multi-insert."""
_COMMAND = re.compile(r"^(?:Execute (\w+)|(\w+))")
_STAGE = re.compile(r"^[*^](?:\(\d+\))? ")
_UNBOUND_BLOCK = re.compile(
    r"\n\(\d+\) (?:Scan ExistingRDD|LogicalRDD|MicroBatchScan|LocalTableScan)[^\n]*\n"
    r"(?:Output \[\d+\]: \[(?P<output>[^\n]*)\]\n)?(?:Arguments: (?P<arguments>[^\n]*))?"
)
_UNBOUND_LINE = re.compile(
    r"(?:^|[ )])(?:Scan ExistingRDD|LogicalRDD|MicroBatchScan|LocalTableScan <empty>,)"
    r"[^\n\[]*\[(?P<output>[^\n]*?)(?:\][^,]|\]$)",
    re.MULTILINE,
)
_PATH_LINE = re.compile(r"(?:^|[ +-])Relation ?\[(?P<output>[^\n]*?)\] ", re.MULTILINE)
_PATH_RELATION = re.compile(r"\n\(\d+\) LogicalRelation\nArguments: \w+, \[(?P<output>[^\n]*?)\], (?:true|false)\n")
_LOCAL_BLOCK = re.compile(r"\n\(\d+\) LocalTableScan[^\n]*\nOutput \[[1-9]\d*\]: [^\n]*\n(?!Arguments: <empty>)")
_LOCAL_LINE = re.compile(r"LocalTableScan \[[^\]\n]")
_NAMED_ID = re.compile(rf"\b\w+#({NUMBER})L?\b")
_WORDS = (
    "MergeIntoTable (",
    "ExistingRDD",
    "LogicalRDD",
    "MicroBatchScan",
    "[obj#",
    "<empty>",
    "LogicalRelation",
    "Relation[",
    "Relation [",
)
_FIRST_WORD = re.compile(r"== Physical Plan ==\n(?:Execute )?(\w+)")


class SummarizedText(ScannedText, Protocol):
    """A plan text with what its summary is made of; `PlanText` is one."""

    @property
    def sections(self) -> Sections | None:
        """The mode and the parts of the text; None for a text that is not a plan."""

    @property
    def is_missing(self) -> bool:
        """Whether the log has no plan text."""

    @property
    def is_internal_query(self) -> bool:
        """Whether the plan is an internal query of Spark or of a table format."""

    @property
    def numbered(self) -> Numbered:
        """The fingerprint of the text, and its attribute ids in the order of their first appearance."""


@dataclass(slots=True, unsafe_hash=True)
class PlanSummary:
    """The summary of a plan.

    Not frozen, though nothing changes one: see `ExecutionStart`.

    Attributes:
        fingerprint: See `fingerprint.Numbered`; empty for an execution without plan text.
        command: The root's command, `InsertIntoHadoopFsRelationCommand`, or the first of a multi-insert; empty for a
            query.
        ids: Attribute ids, by their index in the plan's numbering.
        unbound: The ids that no scan of the plan binds.
        requested: The unbound ids that the statement's lineage needs.
        is_internal_query: It is an internal query of a table format (`TableFormat.text`).
        command_line: Fingerprint of the command with its arguments, if the root's line contains them: a command that is
            printed again can have another plan, as adaptive execution has finished.
        analyzed: Digest of the analyzed plan of extended text with its ids, for commands whose result may be printed,
            and for these results: both print the same analyzed plan, and the result also prints the parsed plan.
        row_scans: Its scans of rows that another execution or the driver program computed.
        has_local_rows: It contains rows of no dataset: those of `VALUES`, or of the driver program.
    """

    fingerprint: str
    command: str = ""
    ids: tuple[int, ...] = ()
    unbound: frozenset[int] = frozenset()
    requested: frozenset[int] = frozenset()
    is_internal_query: bool = False
    command_line: str = ""
    facts: tuple[PlanFact, ...] = ()
    analyzed: str = ""
    row_scans: tuple[RowScan, ...] = ()
    has_local_rows: bool = False

    @property
    def writes_unnamed_table(self) -> bool:
        """Whether it writes a table that it prints without name and location."""
        written = (each for each in self.facts if isinstance(each, SnapshotRef) and each.role is SnapshotRole.WRITTEN)
        return any(not (each.table.name or each.table.location) for each in written)

    def __reduce__(self) -> tuple[Callable[[str], PlanSummary], tuple[str]]:
        """Pickle a summary as one short text: an application has one per execution."""
        return unpack_summary, (pack_summary(self),)


def summarize_plan(plan: SummarizedText, facts: tuple[PlanFact, ...] | None = None) -> PlanSummary:
    """Summarize a plan text; much cheaper than reading the plan.

    Args:
        plan: The text; `PlanText.summary` caches the result.
        facts: The result of `scan_facts`, if the caller has it.
    """
    if plan.is_missing:
        return PlanSummary("")
    parts, numbered = plan.sections, plan.numbered
    if parts is None:
        return PlanSummary(numbered.fingerprint, "", numbered.ids)
    command = _command(parts.physical)
    facts = scan_facts(plan) if facts is None else facts
    if plan.is_internal_query:
        return PlanSummary(numbered.fingerprint, command, numbered.ids, is_internal_query=True, facts=facts)
    summary = PlanSummary(
        numbered.fingerprint,
        command,
        numbered.ids,
        command_line=_command_line(parts.physical) if command and parts.mode is not Mode.FORMATTED else "",
        facts=facts,
        analyzed=digest_of_analyzed(parts),
        has_local_rows=_has_local_rows(parts),
    )
    if not any(word in parts.physical for word in _words()):
        return summary
    rows, paths = _unbound(plan.text, parts)
    row_scans = find_row_scans(parts)
    rows |= {expr_id for scan in row_scans if scan.is_of_objects for expr_id in scan.ids}
    return replace(
        summary,
        unbound=rows | paths,
        requested=rows | paths if Query.LOGICAL in find_command(command).query else rows,
        row_scans=row_scans,
    )


def _unbound(text: str, parts: Sections) -> tuple[frozenset[int], frozenset[int]]:
    """Return the unbound attributes of rows, and the attributes of relations of files without a path."""
    rows, paths = (_unbound_in_blocks if parts.mode is Mode.FORMATTED else _unbound_in_lines)(parts.physical)
    if "MergeIntoTable (" in text:  # Hudi's MERGE: its attributes are in no relation of its plan
        rows |= frozenset(int(expr_id) for expr_id in _NAMED_ID.findall(text))
    rows |= frozenset(
        int(expr_id) for match in _fallback_writes().finditer(text) for expr_id in _NAMED_ID.findall(match["output"])
    )
    return rows, paths


def _has_local_rows(parts: Sections) -> bool:
    if "LocalTableScan" not in parts.physical:
        return False
    return (_LOCAL_BLOCK if parts.mode is Mode.FORMATTED else _LOCAL_LINE).search(parts.physical) is not None


def _unbound_in_blocks(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the unbound attributes of rows in formatted text, and the attributes of relations without a name."""
    rows = _ids(
        match["output"] or ""
        for match in _UNBOUND_BLOCK.finditer(text)
        if "LocalTableScan" not in match[0] or (match["arguments"] or "").startswith("<empty>")
    )
    return rows, _ids(match["output"] for match in _PATH_RELATION.finditer(text))


def _unbound_in_lines(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the same for a tree string."""
    rows = _ids(match["output"] for match in _UNBOUND_LINE.finditer(text))
    return rows, _ids(match["output"] for match in _PATH_LINE.finditer(text))


def _command(text: str) -> str:
    if any(is_call_result(text) for is_call_result in contributions("text.is_call_result")):
        return next(iter(commands_where(role=Role.CALL)))
    root = _ROOT.match(text)
    found = _COMMAND.match(_STAGE.sub("", root[1])) if root else None
    if found is None:
        return ""
    return found[1] or (found[2] if find_command(found[2]).at_root else "")


@cache
def _words() -> tuple[str, ...]:
    """Return words: each text with unbound attributes contains one of them."""
    return (*_WORDS, *sorted(commands_where(rows=Rows.ELSEWHERE)))


@cache
def _fallback_writes() -> re.Pattern[str]:
    """Return a pattern of writes that print their query on one line; up to 3.4 it is printed nowhere else."""
    names = "|".join(sorted(commands_where(rows=Rows.ELSEWHERE)))
    return re.compile(rf"\b(?:{names})[^\n]*\n?[^\n]*? (?P<output>\w+ ?\[[^\n]*)")


def _command_line(text: str) -> str:
    return number_plan(text.removeprefix("== Physical Plan ==\n").partition("\n+- ")[0]).fingerprint


def digest_of_analyzed(parts: Sections) -> str:
    """Return the digest for `PlanSummary.analyzed`."""
    first = _FIRST_WORD.match(parts.physical) if parts.analyzed else None
    if first is None or not find_command(first[1]).printed_again:
        return ""
    text = parts.analyzed.strip()
    for word, varying in text_patterns("text.varying"):  # the result's text prints the version that the command created
        text = varying.sub("", text) if word in text else text
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _ids(lists: Iterable[str]) -> frozenset[int]:
    return frozenset(int(expr_id) for text in lists for expr_id in LISTED_ID.findall(text))


def pack_summary(summary: PlanSummary) -> str:
    """Return a summary as one short text, which `unpack_summary` reads."""
    values = [getattr(summary, each.name) for each in fields(summary)]
    return json.dumps(values, default=_listed, separators=(",", ":"))


def _listed(value: Any) -> Collection[object]:
    """Return a set, a scan or a fact of a summary as a list for JSON."""
    if isinstance(value, frozenset):
        return sorted(value)
    return astuple(value) if isinstance(value, RowScan) else pack_fact(value)


def unpack_summary(text: str) -> PlanSummary:
    """Return the summary of a text that `pack_summary` returned."""
    fingerprint, command, ids, unbound, requested, internal, line, facts, analyzed, scans, rows = json.loads(text)
    return PlanSummary(
        fingerprint,
        command,
        tuple(ids),
        frozenset(unbound),
        frozenset(requested),
        internal,
        line,
        tuple(map(unpack_fact, facts)),
        analyzed,
        tuple(RowScan(tuple(own), *rest) for own, *rest in scans),
        rows,
    )
