"""A statement: several executions, one lineage.

The outer execution knows the table, the inner one what is written (`CREATE TABLE … AS SELECT` is two or three
executions since Spark 3.4); a statement's lineage is told once.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath

from ..errors import PlanSyntaxError
from ..model import Dataset, DatasetUse, Edge, Gap, GapReason, SchemaSign
from ..operators.derivation import cut
from ..operators.flow import Flow, Output, Read, Write
from ..operators.stitch import explain
from ..plan.fingerprint import number_plan
from ..plan.nodes import Plan
from ..plan.reading import read_plan
from ..plan.table_state import is_helper
from ..plan.views import ViewRead
from . import clones, hudi_merge
from .edges import build_edges
from .fingerprints import lineage_fingerprint
from .hints import NO_HINTS, Hints
from .resolve import Around, Resolution, resolve
from .row_level import MERGES, ROW_LEVEL, merged
from .scanned import explained_by_name
from .schemas import Shown, schema_signs
from .streaming import StreamPlaces, handed_over, into_sink
from .surroundings import NOWHERE, Surroundings
from .upkeep import maintained
from .uses import aliases_of, datasets_of, reads_of, uses_of
from .view_reads import view_uses

_PHYSICAL_WRITES = frozenset(
    {
        "AppendData",
        "InsertIntoHadoopFsRelationCommand",
        "InsertIntoHiveDirCommand",
        "InsertIntoHiveTable",
        "InsertIntoHoodieTableCommand",
        "OverwriteByExpression",
        "OverwritePartitionsDynamic",
        "WriteToDataSourceV2",
        *ROW_LEVEL,
    }
)
"""Commands with the physical plan of what they write below them, in every version."""

_CHANGES = frozenset({"merge", "update", "delete"})
"""Modes of writes that have an influence on the whole table even where they assign no column."""

_OUTER_REASONS = frozenset({GapReason.UNKNOWN_OPERATOR, GapReason.UNKNOWN_TARGET, GapReason.UNPARSED_PLAN})
"""What an outer command's plan leaves open although an inner plan tells the lineage."""

_MISSING_HINT = "the log has no text for it: spark.sql.ui.explainMode is none, or the log was cut"


@dataclass(frozen=True, slots=True)
class Stitch:
    """An attribute that one plan leaves open and another explains.

    Attributes:
        plan: The plan with the open attribute, by its place in `Statement.texts`.
        attribute: The attribute, by its place in the plan's own numbering (`Numbered.ids`).
        producer: The plan that may explain it.
        made: The attribute there, by its place in that plan's numbering.
    """

    plan: int
    attribute: int
    producer: int
    made: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement's plans, as texts.

    Attributes:
        texts: The plans of its executions, the root's first, in the order of their ids; then those of
            executions that explain attributes.
        size: How many of the texts are its own.
        stitches: What the other texts are there for.
        surroundings: What the plans are read with.
        stream: Where the streaming query of a micro-batch reads and writes; None outside of streams.
        batch: Which of the texts is the micro-batch whose rows this statement of a batch's function reads.
        views: The views that it reads and its texts do not name.
        hints: What the application says of it outside of its plans.
    """

    texts: tuple[str, ...]
    size: int
    stitches: tuple[Stitch, ...] = ()
    surroundings: Surroundings = NOWHERE
    stream: StreamPlaces | None = None
    batch: int | None = None
    views: tuple[ViewRead, ...] = ()
    hints: Hints = NO_HINTS


@dataclass(frozen=True, slots=True)
class StatementLineage:
    """What a statement reads, writes and derives.

    Attributes:
        fingerprint: Names the lineage; equal for statements whose edges differ in literals only.
        command: The command, or `query`.
        target: What it writes, the first of a multi-insert's; None for a query.
        mode: How it writes; empty for a query.
        edges: Source to target columns.
        uses: Datasets read and written.
        aliases: (table's name, location) for every table whose files' place was seen.
        datasets: Every dataset that was seen, with what is known of it.
        gaps: What could not be told.
        signs: What it shows of the datasets' schemas.
    """

    fingerprint: str
    command: str
    target: Dataset | None
    mode: str
    edges: tuple[Edge, ...]
    uses: tuple[DatasetUse, ...]
    aliases: tuple[tuple[str, str], ...]
    datasets: tuple[Dataset, ...]
    gaps: tuple[Gap, ...]
    signs: tuple[SchemaSign, ...] = ()


def trace(statement: Statement) -> StatementLineage:
    """Tells a statement's lineage from its plans.

    Args:
        statement: The plans of all its executions.

    Returns:
        The lineage; a statement that moves no rows has no edges. An error of ours is a gap: one statement
        must not cost the others theirs.
    """
    try:
        return _traced(statement)
    except Exception as error:  # whatever it is, the statement has its row in gaps
        return _untold(error)


def _untold(error: Exception) -> StatementLineage:
    """The lineage of a statement on which the program fails."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{PurePath(place.filename).name}:{place.lineno}"
    what = f"{type(error).__name__}: {error} ({where})"[:500]
    gap = Gap(GapReason.INTERNAL_ERROR, "", what, "please report it with the log")
    return StatementLineage(lineage_fingerprint((), (), (gap,)), "query", None, "", (), (), (), (), (gap,))


def _traced(statement: Statement) -> StatementLineage:
    flows, others, found, outside = _flows(statement)
    if flows[0].command in MERGES:
        reader = partial(_read, statement)
        flows[0] = _with_gap(*merged(flows, _plans(statement), reader, outside, statement.hints.scanned))
    if flows[0].command == hudi_merge.COMMAND:
        told = hudi_merge.committed(flows[0], statement.hints.commit_place, outside, statement.hints.scanned)
        flows[0] = _with_gap(*told)
    if flows[0].command == clones.COMMAND:
        flows[0] = clones.from_source(flows[0], statement.texts[: statement.size])
    if statement.hints.tended:
        flows = [maintained(statement.hints.tended)]
    if statement.stream is not None:
        flows[0] = into_sink(flows[0], _plan(statement, 0), statement.stream)
    if flows[0].inserts:
        inserts = [_lineage(statement, [insert], others, ()) for insert in flows[0].inserts]
        return _together(inserts, reads_of(flows[0].reads, others, ()), (*found, *flows[0].gaps))
    return _lineage(statement, flows, others, found)


def _together(inserts: Sequence[StatementLineage], reads: Sequence[Read], gaps: Sequence[Gap]) -> StatementLineage:
    """One statement that writes several targets: the first stands for it, the edges name their own."""
    edges = tuple(edge for insert in inserts for edge in insert.edges)
    others = tuple(use for insert in inserts for use in insert.uses if use.mode)  # writes, and views read through
    uses = (*uses_of(reads, None, ()), *dict.fromkeys(others))
    told = tuple(dict.fromkeys((*gaps, *(gap for insert in inserts for gap in insert.gaps))))
    return replace(
        inserts[0],
        fingerprint=lineage_fingerprint(edges, uses, told),
        edges=edges,
        uses=uses,
        aliases=tuple(dict.fromkeys(alias for insert in inserts for alias in insert.aliases)),
        datasets=tuple(dict.fromkeys(dataset for insert in inserts for dataset in insert.datasets)),
        gaps=told,
        signs=tuple(dict.fromkeys(sign for insert in inserts for sign in insert.signs)),
    )


def _lineage(
    statement: Statement, flows: Sequence[Flow], others: Sequence[Read], found: Sequence[Gap]
) -> StatementLineage:
    told = _teller(flows)
    write = _target(flows)
    columns = _columns(told, write)
    if write is not None and write.columns is None and write.names and not columns:
        columns = told.outputs or tuple(Output(name, -1, cut(name, {})) for name in write.names)
        found = (*found, _no_rows(write))
    target = write.target if write else None
    moves = columns or (write is not None and write.mode in _CHANGES)
    edges = build_edges(columns, told.conditions, target.name if target else None) if moves else ()
    outer = [gap for gap in flows[0].gaps if told is flows[0] or gap.reason in _OUTER_REASONS]
    inner = [
        gap for gap in told.gaps if write is None or told is flows[0] or gap.reason is not GapReason.UNKNOWN_TARGET
    ]
    gaps = tuple(dict.fromkeys((*found, *outer, *inner)))
    reads = () if told.command and write is None else reads_of(told.reads, others, edges)
    views = view_uses(statement.texts[: statement.size], statement.views, target.name if target else None)
    uses = (*uses_of(reads, write, columns), *views)
    text = next((text for text, flow in zip(statement.texts, flows, strict=False) if flow is told), "")
    return StatementLineage(
        fingerprint=lineage_fingerprint(edges, uses, gaps),
        command=flows[0].command or "query",
        target=target,
        mode=write.mode if write else "",
        edges=edges,
        uses=uses,
        aliases=aliases_of(flows, reads, write, statement.surroundings),
        datasets=tuple(dict.fromkeys((*datasets_of(reads, told, write), *(use.dataset for use in views)))),
        gaps=gaps,
        signs=schema_signs(Shown(flows, told, text, write, columns, edges)),
    )


def _flows(statement: Statement) -> tuple[list[Flow], list[Read], list[Gap], dict[int, Output]]:
    """The flows of the statement's own plans, what they leave open explained by the others; and the others' reads.

    Last come the explanations themselves, by attribute id.
    """
    gaps: list[Gap] = []
    reads: list[Read] = []
    ids = {
        at: number_plan(statement.texts[at]).ids
        for stitch in statement.stitches
        for at in (stitch.plan, stitch.producer)
    }
    made: dict[tuple[int, int], Output] = {}
    flows: dict[int, Flow] = {}
    outside: dict[int, Output] = {}
    batch = Flow()
    for at in reversed(range(len(statement.texts))):  # what explains stands behind what it explains
        own = [stitch for stitch in statement.stitches if stitch.plan == at]
        wanted = {ids[at][stitch.made] for stitch in statement.stitches if stitch.producer == at}
        given = handed_over(_plan(statement, at), batch.outputs) if at < statement.size and batch.outputs else {}
        resolution = _resolved(statement, at, wanted, gaps, given)
        known = {
            ids[at][stitch.attribute]: made[stitch.producer, ids[stitch.producer][stitch.made]]
            for stitch in own
            if (stitch.producer, ids[stitch.producer][stitch.made]) in made
        }
        if at == statement.batch:
            batch = resolution.flow
        outside |= {**known, **given} if at < statement.size else {}
        flow, unexplained = explained_by_name(resolution.flow, known, statement.hints.scanned if at == 0 else ())
        if at < statement.size:
            merging = resolution.flow.command in MERGES | {hudi_merge.COMMAND}  # explained by the callers
            flows[at] = resolution.flow if merging else _with_gap(flow, unexplained)
        reads.extend(flow.reads if wanted or at == statement.batch else ())
        for number, output in resolution.made.items():
            opened, _ = explain(Flow(outputs=(output,)), known)
            made[at, number] = opened.outputs[0]
    own_flows = [flows[at] for at in range(statement.size)]
    if outside:
        own_flows[0] = own_flows[0].under(*batch.conditions)
    return own_flows, reads, gaps, outside


def _resolved(
    statement: Statement, at: int, wanted: set[int], gaps: list[Gap], given: Mapping[int, Output]
) -> Resolution:
    text = statement.texts[at]
    if is_helper(text):
        return Resolution(Flow(), {})
    if not text.strip():
        if at < statement.size:
            gaps.append(Gap(GapReason.MISSING_PLAN, "", "the execution has no plan text", _MISSING_HINT))
        return Resolution(Flow(), {})
    try:
        return _read(statement, read_plan(text), wanted, given)
    except PlanSyntaxError as error:
        if at < statement.size:
            gaps.append(Gap(GapReason.UNPARSED_PLAN, "", str(error)[:500], error.hint))
        return Resolution(Flow(), {})


def _read(statement: Statement, plan: Plan, wanted: set[int], given: Mapping[int, Output] | None = None) -> Resolution:
    """A plan, resolved with all that is known of the statement."""
    sources = statement.stream.sources if statement.stream is not None else ()
    catalogs, tables = dict(statement.surroundings.catalogs), dict(statement.hints.tables)
    return resolve(plan, Around(catalogs, sources, tables, given or {}), wanted)


def _plans(statement: Statement) -> list[Plan | None]:
    """The statement's own plans, helpers left out."""
    return [_plan(statement, at) for at in range(statement.size)]


def _plan(statement: Statement, at: int) -> Plan | None:
    text = statement.texts[at]
    return read_plan(text) if text.strip() and not is_helper(text) else None


def _with_gap(flow: Flow, unexplained: tuple[str, ...]) -> Flow:
    if not unexplained:
        return flow
    gap = Gap(
        GapReason.UNKNOWN_SOURCE,
        "",
        f"no plan says where {', '.join(unexplained)} come from"[:500],
        "rows that the driver's program made have no source; write them to a table to give them one",
    )
    return replace(flow, gaps=(*flow.gaps, gap))


def _no_rows(write: Write) -> Gap:
    """The query below a write is in no execution of the log."""
    return Gap(
        GapReason.UNKNOWN_SOURCE,
        write.node_name,
        f"no execution of the log has the plan of the rows of {', '.join(write.names)}"[:500],
        "Spark before 3.5 logs no plan of what it writes through a connector's V1 fallback; a later one does",
    )


def _teller(flows: Sequence[Flow]) -> Flow:
    """The flow that tells where the written values come from.

    A command that holds only a logical tree names the target; the execution below it that writes, or whose
    rows are written, has the physical plan: with the optimizer's columns, paths and all.
    """
    root = flows[0]
    if root.write is None and _hides_target(root):
        return _inner_writes(flows)[-1] if _inner_writes(flows) else root
    if root.write is None or root.command in _PHYSICAL_WRITES:
        return root
    if root.write.columns == ():
        return root  # a definition: nothing is written
    if inner := _inner_writes(flows):
        return inner[-1]
    queries = [flow for flow in flows[1:] if not flow.command and flow.outputs]
    wanted = root.write.names or [column.name for column in root.write.columns or ()]
    fitting = [flow for flow in queries if not wanted or len(_rows(flow)) == len(wanted)]
    traced = [flow for flow in fitting if not any(gap.reason is GapReason.UNKNOWN_SOURCE for gap in flow.gaps)]
    return next(reversed(traced or ([] if root.write.columns else fitting)), root)


def _inner_writes(flows: Sequence[Flow]) -> list[Flow]:
    """The statement's own executions that write, with the plan of what they write."""
    return [flow for flow in flows[1:] if flow.command in _PHYSICAL_WRITES and flow.write is not None]


def _hides_target(flow: Flow) -> bool:
    """Is it a command whose arguments the log does not have (`sparkPlanInfo` has none below `Execute`)?"""
    return any(gap.reason is GapReason.UNKNOWN_TARGET for gap in flow.gaps)


def _rows(flow: Flow) -> tuple[Output, ...]:
    """A query's outputs without the object that a JDBC write or `foreach` makes of each row."""
    return tuple(output for output in flow.outputs if output.name != "obj") or flow.outputs


def _target(flows: Sequence[Flow]) -> Write | None:
    """The write as the statement names it: the outer execution's, with what inner ones know better."""
    write = flows[0].write
    if write is None:
        inner_writes = _inner_writes(flows) if _hides_target(flows[0]) else []
        return inner_writes[-1].write if inner_writes else None
    for inner in (flow.write for flow in flows[1:] if flow.write is not None):
        if _names_better(inner, write):
            write = replace(write, target=inner.target)
    return write


def _names_better(inner: Write, outer: Write) -> bool:
    """SaveAsV1TableCommand (4.1+) prints a bare name, directory commands a path without its scheme."""
    if outer.target.kind == "path":
        return inner.target.kind == "path"
    short = outer.node_name.endswith("SaveAsV1TableCommand")
    return short and inner.target.kind == "table" and inner.target.name.endswith(outer.target.name.rpartition(".")[2])


def _columns(told: Flow, write: Write | None) -> tuple[Output, ...]:
    """The target's columns, or a query's outputs."""
    if write is None:
        return () if told.command else _rows(told)
    source = told.write.columns if told.write is not None else _rows(told)
    columns = tuple(source or ())
    declared = tuple(column.name for column in write.columns or ()) or write.names
    if told.write is write or len(declared) != len(columns):
        return columns
    return tuple(Output(name, each.number, each.derivation) for name, each in zip(declared, columns, strict=True))
