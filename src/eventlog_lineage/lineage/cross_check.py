"""Other tools' answers in a log, beside ours: where they differ, one of the two is wrong, and a person should look.

Kyuubi's lineage plugin (`OperationLineageSparkEvent`, 1.6 and later) resolves the analyzed plan in the driver. It
counts as a column's origins what makes its value, and the columns of CASE conditions and windows; not filters, joins
and groups. `count(*)` is made of `<table>.__count__` there, a literal row of the table `__local__`, and files that are
read by their path are none of its tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.lineage.grouping.statement_key import answered_lineage_id
from eventlog_lineage.lineage.results.lineage_fingerprint import lineage_fingerprint
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.model import Dependency, Edge, Gap, GapReason, Transformation

_COUNTED = frozenset({Transformation.CONDITIONAL, Transformation.WINDOW})
_TOLD = 5
_SESSION_CATALOG = "spark_catalog."
_LITERALS = "__local__"
_COUNTED_ROWS = "__count__"
_HINT = "look at the statement's plan with explain; please report it if ours is wrong"


def by_execution(answers: Iterable[ExternalLineage]) -> Mapping[int, ExternalLineage]:
    """Execution id to the answer that is about it."""
    return {answer.execution_id: answer for answer in answers}


def with_external(statement: Statement, answers: Mapping[int, ExternalLineage]) -> Statement:
    """Return a statement with what another tool reports for it, under a lineage id of its own.

    Otherwise a disagreement in one log would be reported for every log with the same plans. What the tool reports
    counts, when it reported does not. Each execution gets an event: the one that says most is taken.

    Args:
        statement: The statement.
        answers: Execution id to what the tool reports.
    """
    own = [answers[member] for member in statement.members if member in answers]
    if not own:
        return statement
    external = tuple(sorted(own, key=_says, reverse=True)[:1])
    return replace(statement, lineage_id=answered_lineage_id(statement.lineage_id, external), external=external)


def _says(answer: ExternalLineage) -> tuple[int, int]:
    return len(answer.columns), len(answer.input_tables) + len(answer.output_tables)


def compared(lineage: StatementLineage, answer: ExternalLineage) -> StatementLineage:
    """A statement's lineage, with a gap where another tool's answer says something else.

    Args:
        lineage: Ours.
        answer: Theirs, of the same execution.
    """
    tables = list(_of_tables(lineage, answer))
    if answer.error or (tables and not answer.certain):  # an answer about other tables may be another statement's
        return lineage
    differences = [*tables, *_of_columns(lineage, answer)]
    if not differences:
        return lineage
    told = "; ".join(differences[:_TOLD])
    more = f"; and {len(differences) - _TOLD} more" if len(differences) > _TOLD else ""
    gap = Gap(GapReason.DISAGREEMENT, "Kyuubi", f"{told}{more}"[:2000], _HINT)
    gaps = (*lineage.gaps, gap)
    return replace(lineage, gaps=gaps, fingerprint=lineage_fingerprint(lineage.edges, lineage.uses, gaps))


def _of_tables(lineage: StatementLineage, answer: ExternalLineage) -> Iterable[str]:
    for direction, theirs in (("read", answer.input_tables), ("write", answer.output_tables)):
        ours = {_plain(use.dataset.name) for use in lineage.uses if use.direction == direction}
        ours |= {_plain(use.dataset.location) for use in lineage.uses if use.direction == direction}
        missing = sorted(name for name in theirs if name != _LITERALS and _plain(name) not in ours)
        if missing:
            yield f"Kyuubi says that it {direction}s {', '.join(missing)}"


def _of_columns(lineage: StatementLineage, answer: ExternalLineage) -> Iterable[str]:
    ours: dict[str, set[str]] = {}
    for edge in lineage.edges:
        if edge.target_column is not None and _counts(edge):
            found = ours.setdefault(edge.target_column.lower(), set())
            if edge.source_dataset is not None and "/" not in edge.source_dataset:
                found.add(_plain(f"{edge.source_dataset}.{edge.source_column}"))
    for column, origins in answer.columns:
        name = _own_name(column, answer.output_tables).lower()
        theirs = {_plain(origin) for origin in origins if not _is_made_up(origin)}
        if name not in ours:
            if ours:
                yield f"Kyuubi has a column {name}"
            continue
        only_theirs = sorted(each for each in theirs if not _among(each, ours[name]))
        only_ours = sorted(each for each in ours[name] if not _among(each, theirs))
        if only_theirs:
            yield f"{name} comes from {', '.join(only_theirs)}, says Kyuubi alone"
        if only_ours and (theirs or not origins):
            yield f"{name} comes from {', '.join(only_ours)}, say we alone"


def _counts(edge: Edge) -> bool:
    return edge.dependency in {Dependency.DIRECT, None} or edge.transformation in _COUNTED


def _among(column: str, others: Iterable[str]) -> bool:
    """Is a column among others, or a nested field of one, or a struct that one is a field of?"""
    return any(column == other or column.startswith(f"{other}.") or other.startswith(f"{column}.") for other in others)


def _own_name(column: str, tables: Iterable[str]) -> str:
    """A target column's own name: `cat.db.t.c` to `c`; the columns of a query have no table."""
    for table in tables:
        if column.startswith(f"{table}."):
            return column[len(table) + 1 :]
    return column


def _is_made_up(origin: str) -> bool:
    return origin.endswith(_COUNTED_ROWS) or origin.startswith(f"{_LITERALS}.")


def _plain(name: str) -> str:
    """A name without the session catalog, which older plugins leave out, without case; a path without its scheme."""
    plain = name.lower().replace("`", "").removeprefix(_SESSION_CATALOG)
    return f"/{plain.partition(':')[2].lstrip('/')}" if plain.startswith("file:") else plain
