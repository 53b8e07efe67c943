"""The questions that the commands ask a store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
) -> Answer:
    """Return the edges on the way to or from a dataset or column.

    Args:
        store: The store.
        asked: `dataset` or `dataset.column`, as `upstream` and `downstream` of docs/queries.md take it.
        up: To where it comes from; else to where it flows.
        depth: How many hops at most; None for all.
        direct_only: Leave out what only influences a value.
        at: As the lineage was at that time, UTC without a zone; None for the current one.

    Returns:
        depth, source_dataset, source_column, target_dataset, target_column, dependency, transformation, masking,
        expression, confidence, job_name, masked; nearest first. Columns are NULL where a dataset was asked for.
        Downstream also user_name, last_read and columns of consumers: rows without a target.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    check_name(store, asked)
    return store.ask(*_edges(asked, up=up, depth=depth, direct_only=direct_only, at=at))


def _edges(
    asked: str, *, up: bool, depth: int | None, direct_only: bool, at: datetime | None
) -> tuple[str, list[object]]:
    """Return the query of a trace, from its FROM on, and its values.

    Args:
        asked: `dataset` or `dataset.column`.
        up: To where it comes from; else to where it flows.
        depth: How many hops at most; None for all.
        direct_only: Leave out what only influences a value.
        at: As the lineage was at that time; None for the current one.
    """
    macro = "upstream" if up else "downstream"
    options = f"max_depth := {FOREVER if depth is None else int(depth)}, direct_only := {direct_only}"
    if at is not None:
        return f"FROM {macro}_at(?, CAST(? AS TIMESTAMP), {options})", [asked, at]
    return f"FROM {macro}(?, {options})", [asked]


def short_trace(  # noqa: PLR0913 - as `trace`
    store: OpenStore,
    asked: str,
    *,
    up: bool,
    depth: int | None = None,
    direct_only: bool = False,
    at: datetime | None = None,
) -> Answer:
    """Return the edges of `trace` as `shortened` does; DuckDB joins their names, and fewer values become Python's.

    Args:
        store: The store.
        asked: `dataset` or `dataset.column`.
        up: To where it comes from; else to where it flows.
        depth: How many hops at most; None for all.
        direct_only: Leave out what only influences a value.
        at: As the lineage was at that time, UTC without a zone; None for the current one.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    check_name(store, asked)
    edges, values = _edges(asked, up=up, depth=depth, direct_only=direct_only, at=at)
    columns = _SHORT_EDGES if up or at is not None else _SHORT_WITH_CONSUMERS
    found = store.ask(f"{columns} {edges}", values)
    return _without_unused(dict(zip(found.names, zip(*found.rows, strict=True), strict=True))) if found.rows else _NONE


def shortened(found: Answer) -> Answer:
    """Return a trace in fewer columns: depth, source, target, transformation, masked, expression, last_read, job.

    Between datasets there is no transformation: the dependency takes its place. Columns without a value are left out.
    """
    if not found.rows:
        return _NONE
    columns = dict(zip(found.names, zip(*found.rows, strict=True), strict=True))
    unknown = (None,) * len(found.rows)
    targets, expressions = _joined(columns["target_dataset"], columns["target_column"]), list(columns["expression"])
    if None in columns["target_dataset"]:
        users, reads = columns.get("user_name", unknown), columns.get("columns", unknown)
        for at, (target, user, read) in enumerate(zip(columns["target_dataset"], users, reads, strict=True)):
            if target is None:
                targets[at] = f"read by {user or 'a query'}"
                expressions[at] = ", ".join(map(str, read)) if isinstance(read, list) else ""
    return _without_unused(
        {
            "depth": columns["depth"],
            "source": _joined(columns["source_dataset"], columns["source_column"]),
            "target": targets,
            "dependency": columns["dependency"],
            "transformation": columns["transformation"],
            "masked": ["yes" if masked else "" for masked in columns["masked"]],
            "expression": expressions,
            "last_read": columns.get("last_read", unknown),
            "job": columns["job_name"],
        }
    )


def _without_unused(columns: Mapping[str, Sequence[object]]) -> Answer:
    """Return the rows of a short trace without columns that have no value.

    Args:
        columns: Name to values, of all columns.
    """
    unused = {name for name in _OPTIONAL if not any(columns[name])}
    if "transformation" not in unused:
        unused.add("dependency")
    shown = {name: values for name, values in columns.items() if name not in unused}
    return Answer(tuple(shown), list(zip(*shown.values(), strict=True)))


def _joined(datasets: Sequence[object], columns: Sequence[object]) -> list[str]:
    """Return `dataset.column` of each row; either may be missing.

    Args:
        datasets: The datasets of the rows.
        columns: Their columns.
    """
    return [
        f"{dataset}.{column}" if dataset and column else str(dataset or column or "")
        for dataset, column in zip(datasets, columns, strict=True)
    ]


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
