"""A statement: several executions, one lineage.

The outer execution knows the table, the inner one what is written (`CREATE TABLE … AS SELECT` is two or three
executions since Spark 3.4); a statement's lineage is told once.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.lineage.results.dataset_io import accesses_of, aliases_of, datasets_of, reads_of
from eventlog_lineage.lineage.results.edges import build_edges
from eventlog_lineage.lineage.results.lineage_fingerprint import lineage_fingerprint
from eventlog_lineage.lineage.results.missing_source_gaps import answers, no_rows, told_once, with_gap
from eventlog_lineage.lineage.results.schema_observations import Shown, schema_signs
from eventlog_lineage.lineage.results.view_reads import view_uses
from eventlog_lineage.model import Dataset, DatasetAccess, Edge, Gap, GapReason, SchemaSign
from eventlog_lineage.operators.attribute_links import Known, explain
from eventlog_lineage.operators.derivations.derivation import cut
from eventlog_lineage.operators.flow import Flow, Output, Read, Write
from eventlog_lineage.plan.logical_plans import logical_plans
from eventlog_lineage.plan.nodes import Plan
from eventlog_lineage.plan.read_plan import read_plan
from eventlog_lineage.plan.summary.fingerprint import number_plan
from eventlog_lineage.plan.table_state import LOADED_TABLE, is_internal_query
from eventlog_lineage.plan.views import ViewRead

from . import clones, command_results, hudi_changes, hudi_merge
from .catalog_settings import NO_SETTINGS, CatalogSettings
from .choose_source import columns_of, target_of, teller
from .logical_fallback import hides, logical_fallback
from .maintenance_calls import CALL, maintained
from .match_by_name import matched_by_name
from .merge import MERGES, merged
from .merge_evidence import MergeEvidence
from .resolve_plan import PlanInputs, Resolution, resolve
from .statement_context import NO_CONTEXT, StatementContext
from .streaming import StreamPlaces, handed_over, into_sink

_CHANGES = frozenset({"merge", "update", "delete"})
"""Modes of writes that have an influence on the whole table even where they assign no column."""

_OUTER_REASONS = frozenset({GapReason.UNKNOWN_OPERATOR, GapReason.UNKNOWN_TARGET, GapReason.UNPARSED_PLAN})
"""What an outer command's plan leaves open although an inner plan tells the lineage."""

_MISSING_HINT = "the log has no text for it: spark.sql.ui.explainMode is none, or the log was cut"


@dataclass(frozen=True, slots=True)
class AttributeLink:
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
        links: What the other texts are there for.
        catalog_settings: What the plans are read with.
        stream: Where the streaming query of a micro-batch reads and writes; None outside of streams.
        batch: Which of the texts is the micro-batch whose rows this statement of a batch's function reads.
        views: The views that it reads and its texts do not name.
        context: What the application says of it outside of its plans.
    """

    texts: tuple[str, ...]
    size: int
    links: tuple[AttributeLink, ...] = ()
    catalog_settings: CatalogSettings = NO_SETTINGS
    stream: StreamPlaces | None = None
    batch: int | None = None
    views: tuple[ViewRead, ...] = ()
    context: StatementContext = NO_CONTEXT


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
    uses: tuple[DatasetAccess, ...]
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
    unplaced = replace(gap, detail=str(error))  # stored lineages outlive the names of our classes and modules
    name = lineage_fingerprint((), (), (unplaced,))
    return StatementLineage(name, "query", None, "", (), (), (), (), (gap,))


def _traced(statement: Statement) -> StatementLineage:
    flows, others, found, outside = _flows(statement)
    if flows[0].command in MERGES:
        reader = partial(_read, statement)
        flows[0] = with_gap(*merged(flows, _plans(statement), reader, _beside(statement, flows, outside)))
    if flows[0].command == CALL:
        texts = _result_texts(statement, flows)
        flows[0] = command_results.with_called_table(flows[0], texts, _reader(statement))
    if flows[0].write is not None and flows[0].write.mode == "merge":
        texts = _result_texts(statement, flows)
        flows[0] = command_results.with_clauses(flows[0], statement.texts[0], texts, _reader(statement))
    if flows[0].command == hudi_merge.COMMAND:
        evidence = _beside(statement, flows, outside)
        place, lies = statement.context.commit_place, statement.catalog_settings.managed_location
        told = hudi_merge.committed(flows[0], place, evidence, _row(statement), lies)
        flows[0] = with_gap(*told)
    if flows[0].command in hudi_changes.MODES:
        flows[0] = hudi_changes.changed(flows)
    if flows[0].command == clones.COMMAND:
        flows[0] = clones.from_source(flows[0], statement.texts[: statement.size])
    flows[0] = with_gap(*explain(flows[0], {}))  # a stream's rows may themselves have no source that is known
    if statement.context.maintained_table:
        flows = [maintained(statement.context.maintained_table)]
    if statement.stream is not None:
        places = statement.stream.told_by(logical_plans(statement.texts[0]))
        flows[0] = into_sink(flows[0], _plan(statement, 0), places)
    if flows[0].inserts:
        inserts = [_lineage(statement, [insert], others, ()) for insert in flows[0].inserts]
        return _together(inserts, reads_of(flows[0].reads, others, ()), (*found, *flows[0].gaps))
    return _lineage(statement, flows, others, found)


def _together(inserts: Sequence[StatementLineage], reads: Sequence[Read], gaps: Sequence[Gap]) -> StatementLineage:
    """One statement that writes several targets: the first stands for it, the edges name their own."""
    edges = tuple(edge for insert in inserts for edge in insert.edges)
    others = tuple(use for insert in inserts for use in insert.uses if use.mode)  # writes, and views read through
    uses = (*accesses_of(reads, None, ()), *dict.fromkeys(others))
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
    told = teller(flows)
    write = target_of(flows)
    columns = columns_of(told, write)
    if write is not None and write.columns is None and write.names and not columns:
        columns = told.outputs or tuple(Output(name, -1, cut(name, {})) for name in write.names)
        found = (*found, no_rows(write))
    target = write.target if write else None
    moves = columns or (write is not None and write.mode in _CHANGES)
    edges = build_edges(columns, told.conditions, target.name if target else None) if moves else ()
    outer = [gap for gap in flows[0].gaps if told is flows[0] or gap.reason in _OUTER_REASONS]
    inner = [
        gap for gap in told.gaps if write is None or told is flows[0] or gap.reason is not GapReason.UNKNOWN_TARGET
    ]
    answered = answers(statement.texts[: statement.size], told, columns)
    typed = (_without_database(write),) if write is not None and write.is_typed else ()
    gaps = told_once((*found, *outer, *inner, *answered, *typed))
    reads = () if told.command and write is None else reads_of(told.reads, others, edges)
    views = view_uses(statement.texts[: statement.size], statement.views, target.name if target else None)
    uses = (*accesses_of(reads, write, columns), *views)
    text = next((text for text, flow in zip(statement.texts, flows, strict=False) if flow is told), "")
    return StatementLineage(
        fingerprint=lineage_fingerprint(edges, uses, gaps),
        command=flows[0].command or "query",
        target=target,
        mode=write.mode if write else "",
        edges=edges,
        uses=uses,
        aliases=aliases_of(flows, reads, write, statement.catalog_settings),
        datasets=tuple(dict.fromkeys((*datasets_of(reads, told, write), *(use.dataset for use in views)))),
        gaps=gaps,
        signs=schema_signs(Shown(flows, told, text, write, columns, edges)),
    )


def _without_database(write: Write) -> Gap:
    """For a target that is named as the user wrote it, where nothing says in which database the session was."""
    return Gap(
        GapReason.UNKNOWN_TARGET,
        write.node_name,
        f"the table is printed without its database, and taken for {write.target.name}",
        "nothing in the log says which database the session was in: name it in the statement",
    )


def _flows(statement: Statement) -> tuple[list[Flow], list[Read], list[Gap], dict[int, Output]]:
    """The flows of the statement's own plans, what they leave open explained by the others; and the others' reads.

    Last come the explanations themselves, by attribute id.
    """
    gaps: list[Gap] = []
    reads: list[Read] = []
    ids = {at: number_plan(statement.texts[at]).ids for link in statement.links for at in (link.plan, link.producer)}
    made: dict[tuple[int, int], Output] = {}
    flows: dict[int, Flow] = {}
    outside: dict[int, Output] = {}
    batch = Flow()
    subqueries: dict[int, Flow] = {}
    for at in reversed(range(len(statement.texts))):  # what explains stands behind what it explains
        own = [link for link in statement.links if link.plan == at]
        wanted = {ids[at][link.made] for link in statement.links if link.producer == at}
        given = handed_over(_plan(statement, at), batch.outputs) if at < statement.size and batch.outputs else {}
        inner = subqueries if at == 0 else {}  # a command may print no plan of its own subqueries
        inputs = PlanInputs(given=given, subqueries=inner)
        resolution = _resolved(statement, at, wanted, gaps, inputs)
        if at < statement.size:
            told = _subqueries(statement, at, resolution, inputs)
            subqueries |= {each: flow for each, flow in told.items() if each not in subqueries or not hides(flow)}
        known = {
            ids[at][link.attribute]: made[link.producer, ids[link.producer][link.made]]
            for link in own
            if (link.producer, ids[link.producer][link.made]) in made
        }
        if at == statement.batch:
            batch = resolution.flow
        outside |= {**known, **given} if at < statement.size else {}
        scanned = statement.context.scanned if at == 0 else ()
        merging = resolution.flow.command in MERGES | {hudi_merge.COMMAND}  # explained by the callers
        logical = None if merging else _logical(statement, at, resolution.flow, known, inputs)
        flow, unexplained = matched_by_name(logical or resolution.flow, known, scanned, _row(statement))
        if at < statement.size:
            flows[at] = resolution.flow if merging else with_gap(flow, unexplained)
        reads.extend(flow.reads if wanted or at == statement.batch else ())
        for number, output in resolution.made.items():
            opened, _ = explain(Flow(outputs=(output,)), known)
            made[at, number] = opened.outputs[0]
    own_flows = [flows[at] for at in range(statement.size)]
    if outside:
        own_flows[0] = own_flows[0].under(*batch.conditions)
    return own_flows, reads, gaps, outside


def _resolved(statement: Statement, at: int, wanted: set[int], gaps: list[Gap], inputs: PlanInputs) -> Resolution:
    text = statement.texts[at]
    if is_internal_query(text):
        return Resolution(Flow(), {})
    if not text.strip():
        if at < statement.size:
            gaps.append(Gap(GapReason.MISSING_PLAN, "", "the execution has no plan text", _MISSING_HINT))
        return Resolution(Flow(), {})
    try:
        return _read(statement, read_plan(text), wanted, inputs)
    except PlanSyntaxError as error:
        if at < statement.size:
            gaps.append(Gap(GapReason.UNPARSED_PLAN, "", str(error)[:500], error.hint))
        return Resolution(Flow(), {})


def _read(statement: Statement, plan: Plan, wanted: set[int], inputs: PlanInputs | None = None) -> Resolution:
    """A plan, resolved with all that is known of the statement."""
    sources = statement.stream.sources if statement.stream is not None else ()
    catalogs, tables = dict(statement.catalog_settings.catalogs), _tables(statement)
    known = inputs or PlanInputs()
    return resolve(plan, PlanInputs(catalogs, sources, tables, known.given, known.subqueries), wanted)


def _reader(statement: Statement) -> Callable[[Plan], Resolution]:
    """Resolves plans whose attributes nobody else asks for."""
    return lambda plan: _read(statement, plan, set())


def _beside(statement: Statement, flows: Sequence[Flow], outside: Known) -> MergeEvidence:
    """What is known of a MERGE besides the plans of its executions."""
    texts = _result_texts(statement, flows)
    source = command_results.parsed_source(texts, _reader(statement))
    return MergeEvidence(
        outside, statement.context.scanned, source, command_results.own_attributes(statement.texts[0], texts)
    )


def _result_texts(statement: Statement, flows: Sequence[Flow]) -> list[str]:
    """The texts of the statement's results, the root's own left out."""
    own = zip(statement.texts[1:], flows[1:], strict=False)
    return [text for text, flow in own if flow.command == command_results.COMMAND]


def _logical(statement: Statement, at: int, flow: Flow, known: Known, inputs: PlanInputs) -> Flow | None:
    """What the logical plans of a text tell where its physical plan hides the query."""
    text = statement.texts[at]
    if at >= statement.size or is_internal_query(text):
        return None
    return logical_fallback(text, flow, known, lambda plan: _read(statement, plan, set(), inputs).flow)


def _subqueries(statement: Statement, at: int, resolution: Resolution, inputs: PlanInputs) -> Mapping[int, Flow]:
    """The subqueries of a plan by number; those that do not name their tables as the text's logical plans tell them."""
    if resolution.flow.command == command_results.COMMAND:
        return command_results.parsed_subqueries([statement.texts[at]], _reader(statement))
    told = dict(resolution.subqueries)
    hidden = {number for number, flow in told.items() if hides(flow)}
    for plan in logical_plans(statement.texts[at]) if hidden else ():
        logical = _read(statement, plan, set(), inputs).subqueries
        told |= {number: logical[number] for number in hidden & logical.keys() if not logical[number].gaps}
        hidden -= {number for number in logical if not logical[number].gaps}
    return told


def _tables(statement: Statement) -> dict[str, str]:
    """`PlanInputs.tables`: `StatementContext.tables`, and the Delta table that a command prints as an object."""
    tables = dict(statement.context.tables)
    if "DeleteCommand" in statement.texts[0] and "DeltaLog@" in statement.texts[0]:
        places = clones.loaded(statement.texts[1 : statement.size])
        tables |= {LOADED_TABLE: places[0]} if len(places) == 1 else {}
    return tables


def _row(statement: Statement) -> dict[int, int]:
    """`StatementContext.row` by the ids of the root's text."""
    if not statement.context.row:
        return {}
    ids = number_plan(statement.texts[0]).ids
    return {ids[place]: distance for place, distance in statement.context.row}


def _plans(statement: Statement) -> Iterator[Plan | None]:
    """The statement's own plans, helpers left out; then the logical plans of the same texts, the root's left out."""
    yield from (_plan(statement, at) for at in range(statement.size))
    for at in range(1, statement.size):
        if not is_internal_query(statement.texts[at]):
            yield from logical_plans(statement.texts[at])


def _plan(statement: Statement, at: int) -> Plan | None:
    text = statement.texts[at]
    return read_plan(text) if text.strip() and not is_internal_query(text) else None
