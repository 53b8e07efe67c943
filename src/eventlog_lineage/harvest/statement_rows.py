"""Rows of a lineage, whatever it was read from: plans, or what a producer reports."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import lru_cache
from typing import IO

import zstandard

from eventlog_lineage.datasets import naming
from eventlog_lineage.events.listener_events import ExecutionStart, ParsedStatement, PartEnd
from eventlog_lineage.events.read_options import DEFAULT, CpuBudget, ReadOptions
from eventlog_lineage.events.reading import read_part
from eventlog_lineage.events.records import Event
from eventlog_lineage.events.sources.layouts import LogPart
from eventlog_lineage.harvest.checkpoints import Batch, NewStatement
from eventlog_lineage.harvest.row_batches import RowBatches, describe_error
from eventlog_lineage.lineage.results.lineage_names import (
    attributes_only,
    short_name,
    with_own_views,
    with_short_names,
    without_literals,
)
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import OVER_TIME, TraceBudget, trace
from eventlog_lineage.observed_schemas import to_stored
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute, unescaped
from eventlog_lineage.plan.plan_text import PlanText, SummaryCache, views_of
from eventlog_lineage.plan.summary.fingerprint import CommonText
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, walk
from eventlog_lineage.redaction import Redaction
from eventlog_lineage.store.schema.declaration import Row
from eventlog_lineage.store.schema.tables import (
    LINEAGE_EDGES,
    LINEAGE_GAPS,
    LINEAGE_IO,
    LINEAGE_JOINS,
    LINEAGE_SCHEMAS,
    LINEAGES,
    PLAN_NODES,
    SHOWN_DATASETS,
)

_MOST_HELD = 16 * 1024 * 1024
"""Characters that are held in memory; further texts go to a file."""


_COMPRESSOR = zstandard.ZstdCompressor(level=1)
"""One for all texts of a worker: to make one costs as much as to compress a text."""


class PlanTexts:
    """The first text of each plan of a log, by fingerprint; to be closed.

    Args:
        clean: Takes the secrets out of a text before it is written or returned.
    """

    def __init__(self, clean: Callable[[str], str] = str) -> None:
        self._clean = clean
        self._texts: dict[str, str] = {}
        self._positions: dict[str, tuple[int, int]] = {}
        self._held = 0
        self._file: IO[bytes] | None = None

    def __contains__(self, fingerprint: str) -> bool:
        return fingerprint in self._texts or fingerprint in self._positions

    def add(self, fingerprint: str, text: str) -> None:
        """Add a plan's text, unless there is one of this fingerprint."""
        if fingerprint in self:
            return
        if self._held + len(text) <= _MOST_HELD:
            self._held += len(text)
            self._texts[fingerprint] = text
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the rest
        packed = pack_text(self._clean(text))
        self._positions[fingerprint] = (self._file.seek(0, 2), len(packed))
        self._file.write(packed)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def packed(self, fingerprint: str) -> bytes | None:
        """Return a plan's text without secrets, as `pack_text` packs it; None if there is none."""
        if fingerprint in self._texts:
            return pack_text(self._clean(self._texts[fingerprint]))
        if fingerprint not in self._positions or self._file is None:
            return None
        offset, size = self._positions[fingerprint]
        self._file.seek(offset)
        return self._file.read(size)


def pack_text(text: str) -> bytes:
    """Return a text, compressed."""
    return _COMPRESSOR.compress(text.encode("utf-8", "surrogatepass"))


def unpack_text(packed: bytes) -> str:
    """Return the text that `pack_text` packed."""
    return zstandard.decompress(packed).decode("utf-8", "surrogatepass")


# -- replace plan texts by summaries in events, which are small enough to send and to group into statements


def summarized_events(
    part: LogPart, options: ReadOptions = DEFAULT, budget: CpuBudget | None = None
) -> Iterator[tuple[Event, str]]:
    """Yield a part's events with summaries instead of plan texts; an internal error ends the part only.

    Yields:
        Each event, and the text of its plan as it was logged: a caller that keeps the text takes the secrets out.
    """
    given = 0
    try:
        for event in read_part(part, replace(options, plans_as_logged=True), budget):
            summarized = summarized_event(event, options.redaction)
            given += 1
            yield summarized
    except Exception as error:  # what was read before it is kept
        yield PartEnd(part.index, lines=given, failed=describe_error(error)), ""


def summarized_event(event: Event, redaction: Redaction) -> tuple[Event, str]:
    """Return an event with the summary of its plan (a Thrift server's: the views), and the plan's text."""
    if isinstance(event, ExecutionStart) and isinstance(event.plan, PlanText):
        summary = shared_summaries(redaction).read(event.plan)
        return event.with_plan(summary), event.plan.text if summary.fingerprint else ""
    if isinstance(event, ParsedStatement):
        return replace(event, plan=views_of(event.plan)), ""
    return event, ""


@lru_cache(maxsize=8)
def shared_summaries(redaction: Redaction) -> SummaryCache:
    """Return the summaries that this process has read so far."""
    return SummaryCache(redaction.text)


def add_rows(lineage_id: str, lineage: StatementLineage, traced_at: int | None, batches: RowBatches) -> None:
    """Add the rows of a lineage; its plans are of the run that started at `traced_at` (epoch milliseconds)."""
    own = {"lineage_fingerprint": lineage.fingerprint}
    traced = {**own, "traced_at": traced_at}
    target = lineage.target.name if lineage.target else None
    batches.add(LINEAGES, LINEAGES.row.of(lineage, **traced, lineage_id=lineage_id, target_dataset=target))
    edges = enumerate(lineage.edges)
    batches.add(LINEAGE_EDGES, *(LINEAGE_EDGES.row.of(edge, **traced, position=at) for at, edge in edges))
    batches.add(LINEAGE_IO, *(LINEAGE_IO.row.of(use, **own, dataset=use.dataset.name) for use in lineage.accesses))
    for table, records in ((LINEAGE_JOINS, lineage.joins), (LINEAGE_GAPS, lineage.gaps)):
        batches.add(table, *(table.row.of(each, **own) for each in records))
    batches.add(LINEAGE_SCHEMAS, *_schema_rows(lineage_id, lineage))
    batches.add(SHOWN_DATASETS, *_dataset_rows(lineage_id, lineage))


def _schema_rows(lineage_id: str, lineage: StatementLineage) -> Iterator[Row]:
    for position, observation in enumerate(lineage.observations):
        stored = to_stored(observation)
        columns = [
            {"name": column.name, "data_type": column.data_type, "derivation": column.derivation}
            for column in stored.columns
        ]
        yield LINEAGE_SCHEMAS.row.of(stored, lineage_id=lineage_id, position=position, columns=columns)


def _dataset_rows(lineage_id: str, lineage: StatementLineage) -> Iterator[Row]:
    for table, location in lineage.aliases:
        yield SHOWN_DATASETS.row(lineage_id=lineage_id, dataset=table, kind="", format="", location=location)
    for dataset in lineage.datasets:
        yield SHOWN_DATASETS.row.of(dataset, lineage_id=lineage_id, dataset=dataset.name)


_DETAIL_LIMIT = 2000
"""Characters of a node's arguments that are kept."""

_SCANS_WITH_NAMES = frozenset({"FileScan", "BatchScan", "HiveTableScan"})
"""Scans that print their table's name as the last word of their argument."""


def plan_rows(fingerprint: str, plan: PlanText, *, mask_literals: bool) -> Sequence[Row]:
    """Return the rows of `plan_nodes` for a plan, root first, subqueries last; none if the parser fails."""
    try:
        return list(_node_rows(fingerprint, plan.physical, CommonText(plan.numbered.ids), mask_literals))
    except Exception:  # an internal error costs the plan's operators only; the statement's lineage has the gap
        return ()


def _node_rows(fingerprint: str, plan: Plan, common: CommonText, mask_literals: bool) -> Iterator[Row]:
    """Yield the operators of a plan; the root of a subquery's plan has no parent."""
    roots = [plan.root, *(subquery.root for subquery in plan.subqueries)]
    number = 0
    for root in roots:
        if root is None:
            continue
        parents: dict[int, tuple[int | None, int]] = {id(root): (None, 0)}
        for node in walk(root):
            parent_id, position = parents.pop(id(node))
            for index, child in enumerate(node.children):
                parents[id(child)] = (number, index)
            yield PLAN_NODES.row(
                plan_fingerprint=fingerprint,
                node_id=number,
                parent_id=parent_id,
                position=position,
                operator=node.operator,
                node_name=short_name(common.rewritten(node.name)),
                dataset=_scanned_table(node),
                outputs=_outputs(node, common),
                detail=_detail(node, common, mask_literals),
            )
            number += 1


def _outputs(node: PlanNode, common: CommonText) -> list[dict[str, object]]:
    attributes = (read_attribute(item) for item in (node.items("Output") or node.items("Results")))
    return [
        {"id": common.number(found[1]), "name": short_name(common.rewritten(found[0].rpartition(" AS ")[2]))}
        for found in attributes
        if found
    ]


def _detail(node: PlanNode, common: CommonText, mask_literals: bool) -> str:
    fields = attributes_only(node) if mask_literals else node.fields
    printed = unescaped("\n".join(f"{label}: {field.text}" for label, field in fields.items()))
    return common.rewritten(printed)[:_DETAIL_LIMIT]


def _scanned_table(node: PlanNode) -> str | None:
    """Return the table that a scan names; None for other operators and for paths."""
    if node.operator not in _SCANS_WITH_NAMES:
        return None
    table = node.argument.rpartition(" ")[2]
    return short_name(naming.table_name(table)) if "." in table and "/" not in table else None


def trace_statements(records: Iterable[NewStatement], options: ReadOptions) -> Iterator[Batch]:
    """Trace each lineage id once; of several statements with one id the first one."""
    chosen: dict[str, NewStatement] = {}
    for record in records:
        found = chosen.setdefault(record.statement.lineage_id, record)
        chosen[record.statement.lineage_id] = min(found, record, key=lambda each: each.rank)
    batches = RowBatches()
    budget = TraceBudget(options.max_seconds)
    for new in sorted(chosen.values(), key=lambda each: each.statement.lineage_id):
        add_lineage(new, batches, options, budget.limited(new.rank[1]))
        yield from (Batch(*each) for each in batches.full())
    yield from (Batch(*each) for each in batches.rest())


def add_lineage(
    new: NewStatement,
    batches: RowBatches,
    options: ReadOptions = DEFAULT,
    limit: AbstractContextManager[None] | None = None,
) -> None:
    """Trace a statement once for all its runs, and add the rows of its lineage and of its plans' operators."""
    statement, traced_at, mask_literals = new.statement, new.traced_at, options.mask_literals
    plans = {name: PlanText(unpack_text(text)) for name, text in new.texts.items()}
    lineage = with_short_names(with_own_views(trace(statement, plans, limit), statement.view_owner))
    if mask_literals:
        lineage = without_literals(lineage)
    add_rows(statement.lineage_id, lineage, traced_at, batches)
    for fingerprint in dict.fromkeys(statement.fingerprints[: statement.size]):
        if fingerprint in plans and lineage.gaps != (OVER_TIME,):
            batches.add(PLAN_NODES, *plan_rows(fingerprint, plans[fingerprint], mask_literals=mask_literals))
