"""Compares what the program resolves of a medallion log with its truth: one verdict per statement."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import lru_cache
from typing import TYPE_CHECKING

from eventlog_lineage.datasets.naming import UNKNOWN
from eventlog_lineage.history.columns import TimedObservation
from eventlog_lineage.history.evolution import evolve
from eventlog_lineage.model import GapReason
from support.lakehouse.medallions import MEDALLION_LOGS, Medallion, TrueStatement, load_schemas, stored_name
from support.lakehouse.statements import TracedLog

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from eventlog_lineage.lineage.application import TracedStatement
    from eventlog_lineage.lineage.results.statement_lineage import StatementLineage

_ORDER = ("wrong", "silent", "gap", "right")
"""Verdicts, the worst first: a stream's statement is as good as its worst batch."""
_CHANGES = frozenset({"column_added", "column_dropped", "column_renamed", "type_changed", "column_moved"})


@dataclass(frozen=True, slots=True)
class Verdict:
    """How good the resolved lineage of a statement is.

    Attributes:
        name: The statement's.
        verdict: `right`, `wrong`, `gap` or `silent`.
        differences: What differs from the truth, and the statement's gaps.
    """

    name: str
    verdict: str
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """How good the resolved lineage of a log is.

    Attributes:
        statements: A verdict per statement of the truth.
        unlisted: Succeeded statements that write columns and that the truth does not list.
        false_changes: Schema changes that the truth does not have.
        missing_changes: Schema changes that only the truth has.
    """

    statements: tuple[Verdict, ...]
    unlisted: tuple[str, ...]
    false_changes: tuple[str, ...]
    missing_changes: tuple[str, ...]


@lru_cache(maxsize=1)
def _traced(name: str) -> TracedLog:
    """Return a log, traced once for truths that are compared one after another."""
    return TracedLog(MEDALLION_LOGS / f"{name}.zstd")


def score_log(truth: Medallion, name: str) -> Score:
    """Trace a log and score its statements and its schema history.

    Args:
        truth: What is true of it.
        name: The log, `delta-3-5`.
    """
    log = _traced(name)
    named: dict[str, list[TracedStatement]] = defaultdict(list)
    for statement in log.traced:
        named[log.named(statement)] += _writes_of(statement)
    tables = {place: table for each in log.traced for table, place in each.lineage.aliases}
    truths: dict[str, list[TrueStatement]] = defaultdict(list)
    for each in truth.statements:
        truths[each.name].append(each)
    unlisted = tuple(
        f"{each}: {statement.lineage.mode} {statement.lineage.target.name}"
        for each, statements in named.items()
        for statement in _unlisted(truths.get(each, ()), statements, tables)
        if statement.lineage.target is not None
    )
    found = frozenset(_changes(log, tables, name)) if truth.schema_changes is not None else frozenset()
    wanted = truth.schema_changes or frozenset()
    return Score(
        tuple(verdict for name, written in truths.items() for verdict in verdicts(written, named[name], tables)),
        unlisted,
        tuple(" ".join(each) for each in sorted(found - wanted)),
        tuple(" ".join(each) for each in sorted(wanted - found)),
    )


def verdicts(
    truths: Sequence[TrueStatement], named: Sequence[TracedStatement], tables: Mapping[str, str]
) -> Iterator[Verdict]:
    """Yield the verdict about each truth of one name.

    A truth alone is compared with all statements of its name. Of several, each is compared with the writes of its own
    target and kind, or with those whose target a gap says to be unknown. Truths of equal target and kind share their
    writes, each write with the truth that it fits best and that has fewest of them; if there are more truths than
    writes (a multi-insert into one table is one statement), with all of their columns and sources together.

    Args:
        truths: What is true of the statements of this name.
        named: The statements.
        tables: Location to table.
    """
    if len(truths) == 1:
        yield _verdict(truths[0], named, tables)
        return
    truths = [_together(each, truths, named, tables) for each in truths]
    own: list[list[TracedStatement]] = [[] for _ in truths]
    for statement in named:
        if _is_write(statement):
            fitting = [n for n, truth in enumerate(truths) if _is_of(truth, statement, tables)]
            fits = {n: _ORDER.index(_compared(truths[n], statement.lineage, tables).verdict) for n in fitting}
            if fitting:
                best = max(fitting, key=lambda n: (fits[n], -len(own[n])))
                for n in fitting:
                    if truths[n] == truths[best]:  # all of several that were put together
                        own[n].append(statement)
    others = [each for each in named if not _is_write(each)]
    hidden = [each for each in others if any(gap.reason is GapReason.UNKNOWN_TARGET for gap in each.lineage.gaps)]
    for truth, written in zip(truths, own, strict=True):
        yield _verdict(truth, written or (hidden if truth.target else others), tables)


def _together(
    truth: TrueStatement,
    truths: Sequence[TrueStatement],
    named: Sequence[TracedStatement],
    tables: Mapping[str, str],
) -> TrueStatement:
    """Return a truth with the columns and conditions of all truths of its target and kind, if one write has them all.

    Args:
        truth: The truth.
        truths: All truths of its name.
        named: The statements of the name.
        tables: Location to table.
    """
    alike = [each for each in truths if (each.target, each.kind) == (truth.target, truth.kind)]
    if len(alike) <= sum(_is_of(truth, each, tables) for each in named):
        return truth
    columns: dict[str, frozenset[str]] = {}
    for each in alike:
        for column, sources in each.columns.items():
            columns[column] = columns.get(column, frozenset()) | sources
    return replace(truth, columns=columns, conditions=frozenset().union(*(each.conditions for each in alike)))


def _writes_of(statement: TracedStatement) -> list[TracedStatement]:
    """Return a statement as one per target: a multi-insert has several, which its edges name."""
    lineage = statement.lineage
    modes = {each.dataset: each.mode for each in lineage.accesses if each.direction == "write"}
    if len(modes) < 2:
        return [statement]
    return [
        replace(
            statement,
            lineage=replace(
                lineage,
                target=target,
                mode=mode,
                edges=tuple(each for each in lineage.edges if each.target_dataset == target.name),
            ),
        )
        for target, mode in modes.items()
    ]


def _unlisted(
    truths: Sequence[TrueStatement], named: Sequence[TracedStatement], tables: Mapping[str, str]
) -> Iterator[TracedStatement]:
    """Yield the writes of a name that no truth of it is compared with."""
    for statement in named:
        if not _is_write(statement) or not statement.lineage.edges or statement.root.status != "succeeded":
            continue
        if not truths or (len(truths) > 1 and not any(_is_of(each, statement, tables) for each in truths)):
            yield statement


def _is_write(statement: TracedStatement) -> bool:
    return statement.lineage.target is not None and statement.lineage.target.kind != "temp_view"


def _is_of(truth: TrueStatement, statement: TracedStatement, tables: Mapping[str, str]) -> bool:
    """Return whether a write has the target and the kind of a truth."""
    target = statement.lineage.target
    return (
        target is not None
        and tables.get(target.name, target.name) == truth.target
        and statement.lineage.mode == truth.kind
    )


def _verdict(truth: TrueStatement, named: Sequence[TracedStatement], tables: Mapping[str, str]) -> Verdict:
    """The verdict about all statements of a name: those that write, or the queries if the truth is one."""
    own = [each for each in named if each.lineage.command != "CommandResult"]  # the rows that a command returned
    lineages = [each.lineage for each in own or named]
    writing = [each for each in lineages if each.target is not None and each.target.kind != "temp_view"]
    if truth.columns:  # a step may prepare its table with DDL, which no truth lists
        writing = [each for each in writing if each.edges or each.gaps] or writing
    reading = [each for each in lineages if each.target is None and each.edges]
    hidden = [each for each in lineages if any(gap.reason is GapReason.UNKNOWN_TARGET for gap in each.gaps)]
    chosen = (writing or hidden or reading or lineages) if truth.target else (writing or reading)
    if not chosen:
        return Verdict(truth.name, "silent", ("no statement of this name",))
    compared = [_compared(truth, each, tables) for each in chosen]
    return min(compared, key=lambda each: _ORDER.index(each.verdict))


def _compared(truth: TrueStatement, lineage: StatementLineage, tables: Mapping[str, str]) -> Verdict:
    target = lineage.target and tables.get(lineage.target.name, lineage.target.name)
    gaps = [f"gap {gap.reason}: {gap.detail}"[:300] for gap in lineage.gaps]
    false: list[str] = []
    missing: list[str] = []
    if target != truth.target:
        (false if target else missing).append(f"target {target}, not {truth.target}")
    elif truth.target and lineage.mode != truth.kind:
        false.append(f"kind {lineage.mode}, not {truth.kind}")
    found = _columns(lineage, tables)
    if not lineage.mode or lineage.mode in {"create", "append", "overwrite", "merge", "update"}:
        false += [f"column {column}" for column in found.keys() - truth.columns.keys()]
    for column, sources in truth.columns.items():
        if column not in found:
            missing.append(f"no column {column}")
            continue
        false += [
            f"{column} <- {source}"
            for source in sorted(found[column] - sources)
            if not (_is_left_open(source, lineage) or _is_whole_dataset_of(source, sources))
        ]
        missing += [
            f"no {column} <- {source}"
            for source in sorted(sources - found[column])
            if not any(_is_whole_dataset_of(each, [source]) for each in found[column])
        ]
    conditions = {
        (
            str(edge.transformation),
            f"{stored_name(tables.get(edge.source_dataset, edge.source_dataset))}.{edge.source_column}",
        )
        for edge in lineage.edges
        if edge.source_dataset and str(edge.dependency) == "INDIRECT"
    }
    missing += [f"no {kind} of {source}" for kind, source in sorted(truth.conditions - conditions)]
    differences = (*(f"false: {each}" for each in false), *(f"missing: {each}" for each in missing), *gaps)
    verdict = "wrong" if false else "right" if not missing else "gap" if gaps else "silent"
    return Verdict(truth.name, verdict, differences)


def _is_left_open(source: str, lineage: StatementLineage) -> bool:
    """Return whether a source says only that its dataset is unknown, and a gap says so, too."""
    return source.startswith(f"{UNKNOWN}.") and any(gap.reason is GapReason.UNKNOWN_SOURCE for gap in lineage.gaps)


def _is_whole_dataset_of(found: str, sources: Collection[str]) -> bool:
    """Return whether a source is a dataset as a whole, as of rows of an RDD, that has one of the columns."""
    dataset, _, column = found.rpartition(".")
    return column == "None" and any(source.rpartition(".")[0] == dataset for source in sources)


def _columns(lineage: StatementLineage, tables: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Each target column's DIRECT sources, datasets by their tables' names."""
    found: dict[str, set[str]] = {}
    for edge in lineage.edges:
        if edge.target_column is not None:
            sources = found.setdefault(edge.target_column, set())
            if edge.source_dataset and str(edge.dependency) == "DIRECT":
                sources.add(f"{stored_name(tables.get(edge.source_dataset, edge.source_dataset))}.{edge.source_column}")
    return {column: frozenset(sources) for column, sources in found.items()}


def _changes(log: TracedLog, tables: Mapping[str, str], name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the changes of columns in the log's schema history, as (table, change, column)."""
    observations = [
        TimedObservation(
            datetime.fromtimestamp(at / 1000, timezone.utc),
            ("app", "", statement.root.execution_id),
            "job",
            replace(shown, dataset=tables.get(shown.dataset, shown.dataset)),
            (statement.root.execution_id, number),
            statement.root.description,
        )
        for statement in log.traced
        if statement.root.status == "succeeded"
        for number, shown in enumerate(statement.lineage.observations)
        if (at := _time(statement, str(shown.evidence))) is not None
    ]
    for change in evolve(observations, load_schemas(name)).changes:
        if change.change in _CHANGES:
            yield (change.dataset, change.change, change.column_name or "")


def _time(statement: TracedStatement, evidence: str) -> int | None:
    """When an observation holds: the start of a read, the end of anything else (milliseconds)."""
    return statement.root.started_at if evidence in {"read", "relation"} else statement.root.ended_at
