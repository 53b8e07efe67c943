-- Datasets that are written and that no other job reads, and their columns that no statement reads.
-- Only what the harvested logs show counts. A statement that reads a dataset to write it again does not use it.
WITH uses AS (
    SELECT i.dataset, i.direction, i.mode, i.columns, i.bytes, e.job_name, e.started_at,
           bool_or(i.direction = 'write') OVER (
               PARTITION BY i.app_id, i.attempt_id, i.execution_id, i.dataset
           ) AS is_written_here
    FROM dataset_io i
    JOIN executions e USING (app_id, attempt_id, execution_id)
    WHERE e.status <> 'failed'
),
gone AS (
    SELECT dataset FROM schema_changes
    WHERE change IN ('table_dropped', 'table_created', 'table_replaced')
    GROUP BY dataset
    HAVING arg_max(change, changed_at) = 'table_dropped'
    UNION
    SELECT old_value FROM schema_changes WHERE change = 'table_renamed'
),
written AS (
    SELECT u.dataset, max(u.started_at) AS last_written, CAST(sum(u.bytes) AS BIGINT) AS bytes_written,
           list(DISTINCT u.job_name ORDER BY u.job_name) AS jobs, any_value(d."system") AS "system"
    FROM uses u JOIN datasets d USING (dataset)
    WHERE u.direction = 'write' AND u.mode IN ('append', 'overwrite', 'create', 'merge', 'update')
      AND d.kind NOT IN ('view', 'temp_view') AND u.dataset NOT IN (SELECT dataset FROM gone WHERE dataset IS NOT NULL)
    GROUP BY u.dataset
),
declared AS (
    SELECT t.source_dataset AS dataset, list_distinct(coalesce(
               list(l.source_column) FILTER (l.source_column IS NOT NULL), list(c.column_name)
           )) AS columns
    FROM table_lineage t
    LEFT JOIN column_lineage l
      ON l.origin = 'manual' AND l.is_current AND l.source_dataset = t.source_dataset AND l.target_dataset = t.target_dataset
    LEFT JOIN schema_versions c ON c.dataset = t.source_dataset AND c.valid_to IS NULL
    WHERE t.origin = 'manual' AND t.is_current
    GROUP BY t.source_dataset, t.target_dataset
),
reads AS (
    SELECT dataset, columns, started_at FROM uses WHERE direction = 'read' AND NOT is_written_here
    UNION ALL
    SELECT dataset, columns, (SELECT max(started_at) FROM executions) FROM declared
),
last_reads AS (SELECT dataset, max(started_at) AS last_read FROM reads GROUP BY dataset),
read_columns AS (SELECT DISTINCT dataset, lower(unnest(columns)) AS key FROM reads),
listed AS (
    SELECT v.dataset, v.column_name, lower(v.column_name) AS key, v.ordinal
    FROM schema_versions v
    WHERE v.valid_to IS NULL
      AND NOT EXISTS (
          SELECT 1 FROM schema_versions f
          WHERE f.dataset = v.dataset AND f.valid_to IS NULL AND starts_with(f.column_name, v.column_name || '.')
      )
)
SELECT 'dataset' AS kind, w.dataset, CAST(NULL AS VARCHAR) AS column_name, w.bytes_written, w.last_written,
       CAST(NULL AS TIMESTAMP) AS last_read, w.jobs, 0 AS "position", w."system"
FROM written w ANTI JOIN last_reads USING (dataset)
UNION ALL BY NAME
SELECT 'column' AS kind, l.dataset, l.column_name, CAST(NULL AS BIGINT) AS bytes_written, w.last_written,
       r.last_read, w.jobs, l.ordinal AS "position", w."system"
FROM listed l
JOIN written w USING (dataset)
JOIN last_reads r USING (dataset)
WHERE NOT EXISTS (
    SELECT 1 FROM read_columns c
    WHERE c.dataset = l.dataset AND (c.key = l.key OR starts_with(l.key, c.key || '.'))
)
ORDER BY kind DESC, bytes_written DESC NULLS LAST, dataset, "position"
