"""The questions that the commands ask a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.ddl import sql_text

from .asked_names import check_dataset, find_target, read_by, written_by
from .folded_traces import folded, short_rows, skipped_datasets

if TYPE_CHECKING:
    from eventlog_lineage.history.job_names import JobNameRule

FOREVER = 1_000_000
"""More hops than any chain has."""
_END_OF_TIME = datetime(9999, 12, 31)

_OPTIONAL = ("dependency", "transformation", "masked", "expression", "last_read")
_NONE = Answer(("depth", "source", "target", "job"), [])
"""A short trace without edges."""

_SHORT = """
SELECT depth, concat_ws('.', nullif(source_dataset, ''), nullif(source_column, '')) AS source, {target} AS target,
       dependency, transformation, CASE WHEN masked THEN 'yes' ELSE '' END AS masked, {expression} AS expression,
       {last_read} AS last_read, job_name AS job
"""
_TARGET = "concat_ws('.', nullif(target_dataset, ''), nullif(target_column, ''))"
_SHORT_EDGES = _SHORT.format(target=_TARGET, expression="expression", last_read="NULL")
_SHORT_WITH_CONSUMERS = _SHORT.format(
    target="CASE WHEN target_dataset IS NULL THEN 'read by ' || coalesce(nullif(user_name, ''), 'a query')"
    f" ELSE {_TARGET} END",
    expression="CASE WHEN target_dataset IS NULL THEN coalesce(array_to_string(columns, ', '), '') ELSE expression END",
    last_read="last_read",
)


def trace(  # noqa: PLR0913 - the options of two commands
    store: OpenStore,
    asked: str,
    *,
    up: bool,
    depth: int | None = None,
    direct_only: bool = False,
    at: datetime | None = None,
    since: datetime | None = None,
    short: bool = False,
    skip: Sequence[str] = (),
) -> Answer:
    """Return the edges on the way to or from a dataset or column.

    Args:
        asked: `dataset` or `dataset.column`, as `upstream` and `downstream` of docs/questions.md take it.
        up: To where it comes from; else to where it flows.
        depth: How many hops at most; None for all.
        direct_only: Leave out what only influences a value.
        at: As the lineage was at that time, UTC without a zone; None for the current one.
        since: The edges of all succeeded runs since that time, until `at` if it is given; without consumers.
        short: In fewer columns, as tables show it: a tenth of a second less for 65,000 rows.
        skip: Patterns of datasets that the trace goes through without showing them; `temp` for temporary views.

    Returns:
        depth, source_dataset, source_column, target_dataset, target_column, dependency, transformation, masking,
        expression, confidence, job_name, masked; nearest first. Columns are NULL where a dataset was asked for.
        Downstream also user_name, last_read and columns of consumers: rows without a target.
        With `short` depth, source, target, transformation, masked, expression, last_read, job. Between datasets the
        dependency takes the place of the transformation. Columns without a value are left out.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    if depth is not None and depth < 1:
        raise UsageError(f"a depth of {depth} follows no edge", hint="give 1 or more, or none for all")
    if skip:
        whole = trace(store, asked, up=up, direct_only=direct_only, at=at, since=since)
        return _folded(store, asked, whole, skip, up=up, depth=depth, short=short)
    names = trace_names(store, asked)
    macro = "upstream" if up else "downstream"
    options = f"max_depth := {FOREVER if depth is None else int(depth)}, direct_only := {direct_only}"
    until = at or (_END_OF_TIME if since else None)
    times = {"CAST(? AS TIMESTAMP)": until, "since_time := CAST(? AS TIMESTAMP)": since}
    given = {name: time for name, time in times.items() if time is not None}
    start = "?" if isinstance(names, str) else "CAST(? AS VARCHAR[])"
    edges = f"FROM {macro}{'_at' if given else ''}({', '.join((start, *given, options))})"
    values: list[object] = [names, *given.values()]
    if not short:
        return store.ask(edges, values)
    columns = _SHORT_EDGES if up or given else _SHORT_WITH_CONSUMERS
    return _without_unused(store.ask(f"{columns} {edges}", values))


def _folded(  # noqa: PLR0913 - as `trace`
    store: OpenStore, asked: str, whole: Answer, skip: Sequence[str], *, up: bool, depth: int | None, short: bool
) -> Answer:
    target = find_target(store, asked)
    start = list(trace_names(store, asked)) if target.job else [target.dataset]
    found = folded(whole, skipped_datasets(store, skip), start, up=up, depth=FOREVER if depth is None else depth)
    return _without_unused(short_rows(found)) if short else found


def trace_names(store: OpenStore, asked: str) -> str | list[str]:
    """Return what a trace begins at: the name, or the datasets that a job writes or, if it writes none, reads.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    target = find_target(store, asked)
    return (written_by(store, target.job) or read_by(store, target.job)) if target.job else asked


def _without_unused(found: Answer) -> Answer:
    """Return a short trace without the columns that have no value."""
    if not found.rows:
        return _NONE
    columns = dict(zip(found.names, zip(*found.rows, strict=True), strict=True))
    unused = {name for name in _OPTIONAL if not any(columns[name])}
    if "transformation" not in unused:
        unused.add("dependency")
    shown = {name: values for name, values in columns.items() if name not in unused}
    return Answer(tuple(shown), list(zip(*shown.values(), strict=True)))


def temporary_views(store: OpenStore) -> frozenset[str]:
    """Return the datasets that are temporary views of one application."""
    rows = store.ask("SELECT dataset FROM datasets WHERE kind = 'temp_view'").rows
    return frozenset(str(dataset) for (dataset,) in rows)


def ends(edges: Iterable[Mapping[str, object]]) -> Iterator[object]:
    """Return the datasets of edges; None for the target of a consumer."""
    return chain.from_iterable((edge["source_dataset"], edge["target_dataset"]) for edge in edges)


def labels(store: OpenStore, names: Iterable[object]) -> dict[str, str]:
    """Return name and system, as drawings label them, of the datasets whose name does not begin with its system."""
    query = """
        SELECT dataset, concat(dataset, ' (', "system", ')') FROM datasets
        WHERE "system" <> '' AND NOT starts_with(dataset, "system" || ':') AND dataset IN (SELECT unnest(?))
    """
    listed = sorted(map(str, {*names} - {None}))
    return {str(dataset): str(label) for dataset, label in store.ask(query, [listed]).rows}


def columns(store: OpenStore, asked: str) -> Answer:
    """Return a dataset's columns today: their types, and how its current writers make them.

    Raises:
        UsageError: The name is not a dataset of the store.
    """
    return store.ask(sql_text("queries/columns"), [check_dataset(store, asked)])


def has_declarations(store: OpenStore) -> bool:
    """Return whether files declare something of the store."""
    return bool(store.ask("FROM given_declarations LIMIT 1").rows)


def gaps(store: OpenStore, *, every: bool = False) -> Answer:
    """Return what could not be resolved, by reason with the first example, or every gap."""
    return store.ask(sql_text("queries/all_gaps" if every else "queries/gaps"))


def jobs(store: OpenStore, rule: JobNameRule | None = None) -> Answer:
    """Return the store's jobs, as a rule names them.

    Args:
        rule: The rule to try; None for the names that the store has.
    """
    from eventlog_lineage.store.fold.stored_names import name_statements, stored_rule  # noqa: PLC0415 - the other questions start without it

    if rule is None or rule == stored_rule(store.connection):
        return store.ask(sql_text("queries/jobs", named="executions"))
    name_statements(store.connection, rule, "applications")
    return store.ask(sql_text("queries/jobs", named="named_statements"))
