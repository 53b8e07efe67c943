"""Compare lineage with what other tools report in the same log, and report differences as gaps.

Kyuubi's lineage plugin (`OperationLineageSparkEvent`, 1.6 and later) resolves the analyzed plan in the driver. A
column's sources are those of its value, and the columns of CASE conditions and windows; not those of filters, joins and
groups. `count(*)` comes from `<table>.__count__` there, a literal row from the table `__local__`, and files that are
read by their path are not among its tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage, lineage_fingerprint
from eventlog_lineage.lineage.statement import Statement, compared_lineage_id
from eventlog_lineage.model import Dependency, Edge, Gap, GapReason, Transformation

_COMPARED = frozenset({Transformation.CONDITIONAL, Transformation.WINDOW})
"""Indirect dependencies that Kyuubi reports."""
_MAX_LISTED = 5
"""Most differences that a gap lists."""
_LITERALS = "__local__"
_HINT = "compare both with the statement's plan (explain); please report it if eventlog-lineage is wrong"


def by_execution(reported: Iterable[ExternalLineage]) -> Mapping[int, ExternalLineage]:
    """Return the lineage that other tools report, by execution id."""
    return {each.execution_id: each for each in reported}


def with_external(statement: Statement, reported: Mapping[int, ExternalLineage]) -> Statement:
    """Return a statement with the lineage that another tool reports for it, under its own lineage id.

    With the id of its plans, a disagreement in one log would be reported for every log with the same plans. The id
    depends on the reported lineage, not on the time of the report. The tool reports an event per execution: the most
    detailed one is used.
    """
    own = [reported[member] for member in statement.members if member in reported]
    if not own:
        return statement
    external = tuple(sorted(own, key=_detail, reverse=True)[:1])
    return replace(statement, lineage_id=compared_lineage_id(statement.lineage_id, external), external=external)


def _detail(reported: ExternalLineage) -> tuple[int, int]:
    return len(reported.columns), len(reported.input_tables) + len(reported.output_tables)


def with_differences(lineage: StatementLineage, reported: ExternalLineage) -> StatementLineage:
    """Return a statement's lineage, with a gap for its differences from what another tool reports."""
    tables = list(_table_differences(lineage, reported))
    if reported.error or (tables and not reported.certain):  # other tables: it may be about another statement
        return lineage
    differences = [*tables, *_column_differences(lineage, reported)]
    if not differences:
        return lineage
    more = f"; and {len(differences) - _MAX_LISTED} more" if len(differences) > _MAX_LISTED else ""
    detail = "; ".join(differences[:_MAX_LISTED])
    gap = Gap(GapReason.DISAGREEMENT, "Kyuubi", f"{detail}{more}"[:2000], _HINT)
    gaps = (*lineage.gaps, gap)
    return replace(lineage, gaps=gaps, fingerprint=lineage_fingerprint(lineage.edges, lineage.accesses, gaps))


def _table_differences(lineage: StatementLineage, reported: ExternalLineage) -> Iterator[str]:
    for direction, theirs in (("read", reported.input_tables), ("write", reported.output_tables)):
        ours = {_normalized(access.dataset.name) for access in lineage.accesses if access.direction == direction}
        ours |= {_normalized(access.dataset.location) for access in lineage.accesses if access.direction == direction}
        missing = sorted(name for name in theirs if name != _LITERALS and _normalized(name) not in ours)
        if missing:
            names = ", ".join(missing)
            yield f"only Kyuubi reports a {direction} of {names}"


def _column_differences(lineage: StatementLineage, reported: ExternalLineage) -> Iterator[str]:
    """Yield the sources of target columns that only one of the two lineages has."""
    ours = _sources(lineage)
    for column, origins in reported.columns:
        name = _column_name(column, reported.output_tables).lower()
        theirs = {_normalized(origin) for origin in origins if not _is_placeholder(origin)}
        if name not in ours:
            if ours:
                yield f"only Kyuubi reports a column {name}"
            continue
        only_theirs, only_ours = _without(theirs, ours[name]), _without(ours[name], theirs)
        if only_theirs:
            yield f"only Kyuubi derives {name} from {only_theirs}"
        if only_ours and (theirs or not origins):
            yield f"only eventlog-lineage derives {name} from {only_ours}"


def _sources(lineage: StatementLineage) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for edge in lineage.edges:
        if edge.target_column is not None and _is_compared(edge):
            sources = found.setdefault(edge.target_column.lower(), set())
            if edge.source_dataset is not None and "/" not in edge.source_dataset:
                sources.add(_normalized(f"{edge.source_dataset}.{edge.source_column}"))
    return found


def _without(columns: Iterable[str], others: Collection[str]) -> str:
    return ", ".join(sorted(each for each in columns if not _overlaps(each, others)))


def _is_compared(edge: Edge) -> bool:
    return edge.dependency in {Dependency.DIRECT, None} or edge.transformation in _COMPARED


def _overlaps(column: str, others: Iterable[str]) -> bool:
    """Return whether a column is one of others, a nested field of one, or a struct that has one of them as a field.

    Args:
        column: A normalized column, `db.t.addr.city`.
    """
    return any(column == other or column.startswith(f"{other}.") or other.startswith(f"{column}.") for other in others)


def _column_name(column: str, tables: Iterable[str]) -> str:
    """Return a target column's name without its table: `c` for `cat.db.t.c`; columns of a query have no table.

    Args:
        tables: The tables that the statement writes, as the tool names them.
    """
    for table in tables:
        if column.startswith(f"{table}."):
            return column[len(table) + 1 :]
    return column


def _is_placeholder(origin: str) -> bool:
    """Return whether an origin is something other than a column: counted rows, or literals."""
    return origin.endswith("__count__") or origin.startswith(f"{_LITERALS}.")


def _normalized(name: str) -> str:
    """Return a name in lower case, without the session catalog (older plugins omit it) or the scheme of a path."""
    plain = name.lower().replace("`", "").removeprefix("spark_catalog.")
    return f"/{plain.partition(':')[2].lstrip('/')}" if plain.startswith("file:") else plain
