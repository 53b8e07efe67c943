"""What is written and never read."""

from __future__ import annotations

from datetime import datetime

from .open_store import Answer, OpenStore

CAVEAT = (
    "Only what the harvested logs show counts: reads by other engines, notebooks without event logs and runs that were "
    "not harvested are not seen. See docs/history.md."
)

_UNUSED = """
    WITH runs AS (
        SELECT lineage_fingerprint, started_at AS first_at, started_at AS last_at, job_name
        FROM executions
        WHERE execution_id = root_execution_id AND lineage_fingerprint IS NOT NULL AND status <> 'failed'
        UNION ALL
        SELECT lineage_fingerprint, first_seen, last_seen, job_name FROM past_runs WHERE succeeded
    ),
    spans AS (
        SELECT lineage_fingerprint, max(last_at) AS last_at, list_sort(list_distinct(list(job_name))) AS jobs
        FROM runs WHERE last_at >= $since
        GROUP BY lineage_fingerprint
    ),
    uses AS (
        SELECT i.dataset, i.direction, i.mode, i.columns, s.last_at, s.jobs, s.lineage_fingerprint
        FROM named_io i JOIN spans s USING (lineage_fingerprint)
    ),
    dropped AS (
        SELECT dataset FROM schema_changes
        WHERE change IN ('table_dropped', 'table_created')
        GROUP BY dataset
        HAVING last(change ORDER BY changed_at) = 'table_dropped'
    ),
    written AS (
        SELECT u.dataset, max(u.last_at) AS last_written, list_sort(list_distinct(flatten(list(u.jobs)))) AS jobs
        FROM uses u JOIN datasets d ON d.dataset = u.dataset
        WHERE u.direction = 'write' AND d.kind NOT IN ('view', 'temp_view')
          AND u.mode IN ('append', 'overwrite', 'create', 'merge', 'update')
          AND u.dataset NOT IN (FROM dropped)
          AND u.dataset NOT IN (SELECT old_value FROM schema_changes WHERE change = 'table_renamed')
        GROUP BY u.dataset
    ),
    foreign_reads AS (
        SELECT r.dataset, r.columns, r.last_at, r.lineage_fingerprint
        FROM uses r
        WHERE r.direction = 'read'
          AND NOT EXISTS (
              FROM uses w
              WHERE w.lineage_fingerprint = r.lineage_fingerprint AND w.direction = 'write' AND w.dataset = r.dataset
          )
    ),
    read AS (SELECT dataset, max(last_at) AS last_read FROM foreign_reads GROUP BY dataset),
    read_columns AS (
        SELECT DISTINCT dataset, lower(unnest(columns)) AS column_name FROM foreign_reads
    ),
    used_columns AS (
        SELECT DISTINCT e.source_dataset AS dataset, lower(e.source_column) AS column_name
        FROM named_edges e JOIN spans s USING (lineage_fingerprint)
        WHERE e.source_column IS NOT NULL
    ),
    listed AS (
        SELECT v.dataset, v.column_name, lower(v.column_name) AS key, v.ordinal
        FROM schema_versions v JOIN written w USING (dataset)
        WHERE v.valid_to IS NULL
          AND NOT EXISTS (
              FROM schema_versions f
              WHERE f.dataset = v.dataset AND f.valid_to IS NULL AND starts_with(f.column_name, v.column_name || '.')
          )
    ),
    judged AS (
        SELECT l.*,
               EXISTS (
                   FROM read_columns r
                   WHERE r.dataset = l.dataset
                     AND (r.column_name = l.key OR starts_with(l.key, r.column_name || '.'))
               ) AS is_read,
               EXISTS (
                   FROM used_columns r
                   WHERE r.dataset = l.dataset
                     AND (r.column_name = l.key OR starts_with(l.key, r.column_name || '.'))
               ) AS is_used
        FROM listed l
    )
    SELECT 'dataset_never_read' AS kind, w.dataset, CAST(NULL AS VARCHAR) AS column_name, w.last_written,
           CAST(NULL AS TIMESTAMP) AS last_read, w.jobs, CAST(0 AS INTEGER) AS place
    FROM written w WHERE w.dataset NOT IN (SELECT dataset FROM read)
    UNION ALL BY NAME
    SELECT CASE WHEN j.is_read THEN 'column_read_for_nothing' ELSE 'column_never_read' END AS kind, j.dataset,
           j.column_name, w.last_written, r.last_read, w.jobs, j.ordinal AS place
    FROM judged j
    JOIN written w USING (dataset)
    JOIN read r USING (dataset)
    WHERE NOT j.is_read OR NOT j.is_used
    ORDER BY kind DESC, dataset, place
"""


def unused(store: OpenStore, since: datetime) -> Answer:
    """Datasets and columns that were written since a time and that no statement read since then.

    Args:
        store: The store.
        since: From this time on, UTC without a zone.

    Returns:
        kind (`dataset_never_read`, `column_never_read`, `column_read_for_nothing`: read, but nothing is made of it),
        dataset, column_name, last_written, last_read (of the dataset), jobs that write it. A statement that reads what
        it writes does not count as a reader.
    """
    found = store.ask(_UNUSED.replace("$since", "CAST(? AS TIMESTAMP)"), [since])
    return Answer(found.names[:-1], [row[:-1] for row in found.rows])
