"""The questions that the commands ask a store."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from eventlog_lineage.errors import UnknownNameError, UsageError
from eventlog_lineage.store.schema.sql_files import sql_text

from .open_store import Answer, OpenStore

if TYPE_CHECKING:
    from eventlog_lineage.history.job_names import JobNameRule

FOREVER = 1_000_000
"""More hops than any chain has."""

_NEAR = 5

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
    short: bool = False,
) -> Answer:
    """Return the edges on the way to or from a dataset or column.

    Args:
        store: The store.
        asked: `dataset` or `dataset.column`, as `upstream` and `downstream` of docs/queries.md take it.
        up: To where it comes from; else to where it flows.
        depth: How many hops at most; None for all.
        direct_only: Leave out what only influences a value.
        at: As the lineage was at that time, UTC without a zone; None for the current one.
        short: In fewer columns, as tables show it: a tenth of a second less for 65,000 rows.

    Returns:
        depth, source_dataset, source_column, target_dataset, target_column, dependency, transformation, masking,
        expression, confidence, job_name, masked; nearest first. Columns are NULL where a dataset was asked for.
        Downstream also user_name, last_read and columns of consumers: rows without a target.
        With `short` depth, source, target, transformation, masked, expression, last_read, job. Between datasets the
        dependency takes the place of the transformation. Columns without a value are left out.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    check_name(store, asked)
    macro = "upstream" if up else "downstream"
    options = f"max_depth := {FOREVER if depth is None else int(depth)}, direct_only := {direct_only}"
    values = [asked] if at is None else [asked, at]
    edges = f"FROM {macro}(?, {options})" if at is None else f"FROM {macro}_at(?, CAST(? AS TIMESTAMP), {options})"
    if not short:
        return store.ask(edges, values)
    columns = _SHORT_EDGES if up or at is not None else _SHORT_WITH_CONSUMERS
    return _without_unused(store.ask(f"{columns} {edges}", values))


def _without_unused(found: Answer) -> Answer:
    """Return a short trace without the columns that have no value.

    Args:
        found: The trace with all of them.
    """
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


def columns(store: OpenStore, asked: str) -> Answer:
    """Return a dataset's columns today: their types, and how its current writers make them.

    Args:
        store: The store.
        asked: The dataset.

    Raises:
        UsageError: The name is not a dataset of the store.
    """
    return store.ask(sql_text("queries/columns"), [check_dataset(store, asked)])


def gaps(store: OpenStore, *, every: bool = False) -> Answer:
    """Return what could not be resolved, by reason with the first example, or every gap.

    Args:
        store: The store.
        every: List every gap.
    """
    return store.ask(sql_text("queries/all_gaps" if every else "queries/gaps"))


def jobs(store: OpenStore, rule: JobNameRule | None = None) -> Answer:
    """Return the store's jobs, as a rule names them.

    Args:
        store: The store.
        rule: The rule to try; None for the names that the store has.
    """
    from eventlog_lineage.store.fold.stored_names import name_statements, stored_rule  # noqa: PLC0415 - the other questions start without it

    if rule is None or rule == stored_rule(store.connection):
        return store.ask(sql_text("queries/jobs", named="executions"))
    name_statements(store.connection, rule, "applications")
    return store.ask(sql_text("queries/jobs", named="named_statements"))


def writers(store: OpenStore, asked: str) -> Answer:
    """Return the jobs that write a dataset: who, when last, how long, how often they fail, how many rows.

    Args:
        store: The store.
        asked: The dataset.

    Raises:
        UsageError: The name is not a dataset of the store.
    """
    return store.ask(sql_text("queries/writers"), [check_dataset(store, asked)])


def runs(store: OpenStore, asked: str | None, *, failed: bool) -> Answer:
    """Return the runs of statements, the newest first: status, user, seconds, rows and bytes, writes and reads.

    Args:
        store: The store.
        asked: The dataset that they write; None for all runs.
        failed: Leave out the others.

    Raises:
        UsageError: The name is not that of a dataset in the store.
    """
    dataset = check_dataset(store, asked) if asked is not None else None
    return store.ask(sql_text("queries/runs"), {"dataset": dataset, "failed": failed})


def check_dataset(store: OpenStore, asked: str) -> str:
    """Return the one dataset that a name means.

    Args:
        store: The store.
        asked: The name.

    Raises:
        UsageError: It means nothing in the store, several things, or a column.
    """
    dataset, column = check_name(store, asked)
    if column:
        raise UsageError(f"{asked} is a column", hint=f"ask for the dataset {dataset}")
    return dataset


def check_name(store: OpenStore, asked: str) -> tuple[str, str]:
    """Return the one dataset, and the column as asked for (or empty), that a name means.

    Args:
        store: The store.
        asked: The name: a dataset or `dataset.column`.

    Raises:
        UsageError: The name is unknown or ambiguous; the error lists similar names.
    """
    found = store.ask("SELECT DISTINCT dataset, rest FROM find_names(?) ORDER BY ALL", [asked]).rows
    if len(found) == 1:
        return str(found[0][0]), str(found[0][1])
    if found:
        names = ", ".join(f"{dataset}.{rest}" if rest else str(dataset) for dataset, rest in found[:_NEAR])
        raise UsageError(f"{asked} can mean {len(found)} things: {names}", hint="give more of the name")
    near = _near(store, asked)
    hint = f"did you mean {', '.join(near)}?" if near else "the store has no datasets yet"
    raise UnknownNameError(f"no dataset or column of the store is called {asked}", hint=hint)


def _near(store: OpenStore, asked: str) -> list[str]:
    """Return the most similar names: columns of the dataset that the name begins with, datasets, columns.

    Args:
        store: The open store.
        asked: The name that the store does not have.
    """
    head, _, column = asked.rpartition(".")
    rows = store.ask(sql_text("queries/near_columns"), [head, column, _NEAR]).rows if head else []
    if not rows:
        rows = store.ask(sql_text("queries/near_names"), {"asked": asked, "most": _NEAR}).rows
    return [str(row[0]) for row in rows]
