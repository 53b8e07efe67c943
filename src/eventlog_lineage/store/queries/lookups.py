"""The questions that the commands ask a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.schema.sql_files import sql_text

from .open_store import Answer, OpenStore

if TYPE_CHECKING:
    from eventlog_lineage.history.job_names import JobNameRule

FOREVER = 1_000_000
"""More hops than any chain has."""

_NEAR = 5


def trace(store: OpenStore, asked: str, *, up: bool, depth: int | None = None, direct_only: bool = False) -> Answer:
    """The edges on the way to or from a dataset or column.

    Args:
        store: The store.
        asked: `dataset` or `dataset.column`, as `upstream` and `downstream` of docs/queries.md take it.
        up: To where it comes from; else to where it flows.
        depth: How many hops at most; None for all.
        direct_only: Leave out what only influences a value.

    Returns:
        depth, source_dataset, source_column, target_dataset, target_column, dependency, transformation, masking,
        expression, confidence, job_name; nearest first. Columns are NULL where a dataset was asked for.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    check_name(store, asked)
    return store.ask(_trace(up=up, depth=depth, direct_only=direct_only), [asked])


def short_trace(
    store: OpenStore, asked: str, *, up: bool, depth: int | None = None, direct_only: bool = False
) -> Answer:
    """The same in fewer, wider columns: depth, source, target, how, expression, job. Long answers are read faster."""
    check_name(store, asked)
    return store.ask(
        sql_text("queries/short_trace", trace=_trace(up=up, depth=depth, direct_only=direct_only)), [asked]
    )


def _trace(*, up: bool, depth: int | None, direct_only: bool) -> str:
    macro = "upstream" if up else "downstream"
    hops = FOREVER if depth is None else depth
    return f"FROM {macro}(?, max_depth := {int(hops)}, direct_only := {direct_only})"


def columns(store: OpenStore, asked: str) -> Answer:
    """A dataset's columns today: their types, and how its current writers make them.

    Raises:
        UsageError: The name is no dataset of the store.
    """
    dataset, column = check_name(store, asked)
    if column:
        raise UsageError(f"{asked} is a column", hint=f"ask for the dataset {dataset}")
    return store.ask(sql_text("queries/columns"), [dataset])


def gaps(store: OpenStore, *, every: bool = False) -> Answer:
    """What could not be told, by reason with the first example, or every single gap."""
    return store.ask(sql_text("queries/all_gaps" if every else "queries/gaps"))


def jobs(store: OpenStore, rule: JobNameRule | None = None) -> Answer:
    """The store's jobs, as a rule names them.

    Args:
        store: The store.
        rule: The rule to try; None for the names that the store has.
    """
    from eventlog_lineage.store.fold.stored_names import name_statements, stored_rule  # noqa: PLC0415 - the other questions start without it

    if rule is None or rule == stored_rule(store.connection):
        return store.ask(sql_text("queries/jobs", named="executions"))
    name_statements(store.connection, rule, "applications")
    return store.ask(sql_text("queries/jobs", named="named_statements"))


def check_name(store: OpenStore, asked: str) -> tuple[str, str]:
    """The one dataset, and the column as asked for (or empty), that a name means.

    Raises:
        UsageError: It means nothing in the store, or several things; says what is near.
    """
    found = store.ask("SELECT DISTINCT dataset, rest FROM find_names(?) ORDER BY ALL", [asked]).rows
    if len(found) == 1:
        return str(found[0][0]), str(found[0][1])
    if found:
        names = ", ".join(f"{dataset}.{rest}" if rest else str(dataset) for dataset, rest in found[:_NEAR])
        raise UsageError(f"{asked} can mean {len(found)} things: {names}", hint="give more of the name")
    near = _near(store, asked)
    hint = f"did you mean {', '.join(near)}?" if near else "the store has no datasets yet"
    raise UsageError(f"no dataset or column of the store is called {asked}", hint=hint)


def _near(store: OpenStore, asked: str) -> list[str]:
    head, _, column = asked.rpartition(".")
    rows = store.ask(sql_text("queries/near_columns"), [head, column, _NEAR]).rows if head else []
    if not rows:
        rows = store.ask(
            sql_text("queries/near_datasets"), [asked, asked.replace("/", ".").rpartition(".")[2], _NEAR]
        ).rows
    return [str(row[0]) for row in rows]
