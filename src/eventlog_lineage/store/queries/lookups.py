"""The questions that the commands ask a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.errors import UsageError

from .open_store import Answer, OpenStore

if TYPE_CHECKING:
    from eventlog_lineage.history.job_names import JobNameRule

FOREVER = 1_000_000
"""More hops than any chain has."""

_NEAR = 5

_NEAR_DATASETS = """
    SELECT dataset FROM trace_datasets
    ORDER BY greatest(
        jaro_winkler_similarity(lower(dataset), lower(?)),
        jaro_winkler_similarity(lower(split_part(replace(dataset, '/', '.'), '.', -1)), lower(?))
    ) DESC, dataset
    LIMIT ?
"""

_NEAR_COLUMNS = """
    SELECT d.dataset || '.' || c.column_name AS "name"
    FROM find_names(?) f
    JOIN trace_datasets d USING (dataset_number)
    JOIN trace_columns c USING (dataset_number)
    WHERE f.node IS NULL
    ORDER BY jaro_winkler_similarity(lower(c.column_name), lower(?)) DESC, "name"
    LIMIT ?
"""

_COLUMNS = """
    WITH asked AS (
        SELECT d.dataset, d.dataset_number FROM trace_datasets d WHERE d.dataset = ?
    ),
    written AS (
        SELECT lower(l.target_column) AS key, min(l.target_ordinal) AS ordinal,
               min(l.target_column) AS column_name,
               list_sort(list_distinct(list(l.source_dataset || '.' || l.source_column)
                   FILTER (l.source_column IS NOT NULL))) AS sources,
               list_sort(list_distinct(list(l.transformation)
                   FILTER (l.transformation IS NOT NULL))) AS transformations,
               list_sort(list_distinct(list(l.expression) FILTER (l.expression <> ''))) AS expressions,
               list_sort(list_distinct(list(l.job_name))) AS jobs, max(l.last_seen) AS last_written
        FROM column_lineage l JOIN asked ON asked.dataset = l.target_dataset
        WHERE l.target_column IS NOT NULL AND l.is_current
        GROUP BY lower(l.target_column)
    ),
    listed AS (
        SELECT lower(v.column_name) AS key, v.column_name, v.ordinal, v.data_type
        FROM schema_versions v JOIN asked USING (dataset)
        WHERE v.valid_to IS NULL
    ),
    known AS (
        SELECT lower(c.column_name) AS key, c.column_name
        FROM trace_columns c JOIN asked USING (dataset_number)
        WHERE NOT EXISTS (FROM listed)
    )
    SELECT coalesce(l.ordinal, w.ordinal) AS ordinal,
           coalesce(l.column_name, w.column_name, k.column_name) AS column_name, l.data_type,
           w.sources, w.transformations, w.expressions, w.jobs, w.last_written
    FROM listed l
    FULL JOIN written w USING (key)
    FULL JOIN known k USING (key)
    ORDER BY coalesce(l.ordinal, w.ordinal) NULLS LAST, column_name
"""

_GAPS = """
    SELECT reason, count(*) AS gaps, count(DISTINCT concat_ws('/', app_id, attempt_id, execution_id)) AS statements,
           any_value(operator ORDER BY operator, detail) FILTER (operator <> '') AS for_example,
           any_value(detail ORDER BY operator, detail) AS detail,
           any_value(hint ORDER BY operator, detail) AS hint
    FROM gaps
    GROUP BY reason
    ORDER BY gaps DESC, reason
"""

_ALL_GAPS = """
    SELECT g.app_id, g.attempt_id, g.execution_id, e.job_name, g.reason, g.operator, g.detail, g.hint
    FROM gaps g LEFT JOIN executions e USING (app_id, attempt_id, execution_id)
    ORDER BY g.reason, g.operator, g.detail, g.app_id, g.attempt_id, g.execution_id
"""

_JOBS = """
    SELECT n.job_name, count(*) AS runs, count(DISTINCT e.app_id) AS applications,
           min(e.started_at) AS first_run, max(e.started_at) AS last_run,
           list_sort(list_distinct(list(l.target_dataset) FILTER (l.target_dataset IS NOT NULL))) AS targets,
           any_value(a.app_name ORDER BY e.started_at DESC, a.app_name) AS application,
           any_value(e.description ORDER BY e.started_at DESC, e.description) AS description
    FROM {named} n
    JOIN executions e USING (app_id, attempt_id, execution_id)
    LEFT JOIN applications a USING (app_id, attempt_id)
    LEFT JOIN lineages l ON l.lineage_id = e.lineage_id
    WHERE n.job_name IS NOT NULL AND e.execution_id = e.root_execution_id
    GROUP BY n.job_name
    ORDER BY n.job_name
"""


_SHORT = """
    SELECT depth, source_dataset || coalesce('.' || nullif(source_column, ''), '') AS source,
           target_dataset || coalesce('.' || nullif(target_column, ''), '') AS target,
           coalesce(nullif(transformation, ''), dependency) AS how, expression, job_name AS job
"""


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
    return store.ask(_edges(up=up, depth=depth, direct_only=direct_only), [asked])


def short_trace(
    store: OpenStore, asked: str, *, up: bool, depth: int | None = None, direct_only: bool = False
) -> Answer:
    """The same in fewer, wider columns: depth, source, target, how, expression, job. Long answers are read faster."""
    check_name(store, asked)
    return store.ask(_SHORT + _edges(up=up, depth=depth, direct_only=direct_only), [asked])


def _edges(*, up: bool, depth: int | None, direct_only: bool) -> str:
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
    return store.ask(_COLUMNS, [dataset])


def gaps(store: OpenStore, *, every: bool = False) -> Answer:
    """What could not be told, by reason with the first example, or every single gap."""
    return store.ask(_ALL_GAPS if every else _GAPS)


def jobs(store: OpenStore, rule: JobNameRule | None = None) -> Answer:
    """The store's jobs, as a rule names them.

    Args:
        store: The store.
        rule: The rule to try; None for the names that the store has.
    """
    from eventlog_lineage.store.fold.stored_names import name_statements, stored_rule  # noqa: PLC0415 - the other questions start without it

    if rule is None or rule == stored_rule(store.connection):
        return store.ask(_JOBS.format(named="executions"))
    name_statements(store.connection, rule, "applications")
    return store.ask(_JOBS.format(named="named_statements"))


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
    rows = store.ask(_NEAR_COLUMNS, [head, column, _NEAR]).rows if head else []
    if not rows:
        rows = store.ask(_NEAR_DATASETS, [asked, asked.replace("/", ".").rpartition(".")[2], _NEAR]).rows
    return [str(row[0]) for row in rows]
