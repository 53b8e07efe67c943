-- Datasets and columns that were written since a time and not read since then.
WITH spans AS (
    SELECT lineage_fingerprint, max(last_seen) AS last_at, list_sort(list_distinct(list(job_name))) AS jobs
    FROM statement_runs
    WHERE status <> 'failed' AND last_seen >= CAST(? AS TIMESTAMP)
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
other_reads AS (
    SELECT r.dataset, r.columns, r.last_at, r.lineage_fingerprint
    FROM uses r
    WHERE r.direction = 'read'
      AND NOT EXISTS (
          FROM uses w
          WHERE w.lineage_fingerprint = r.lineage_fingerprint AND w.direction = 'write' AND w.dataset = r.dataset
      )
),
read AS (SELECT dataset, max(last_at) AS last_read FROM other_reads GROUP BY dataset),
read_columns AS (
    SELECT DISTINCT dataset, lower(unnest(columns)) AS column_name FROM other_reads
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
checked AS (
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
       CAST(NULL AS TIMESTAMP) AS last_read, w.jobs,
       round(s.executor_run_ms / 1000.0, 1) AS executor_seconds, CAST(0 AS INTEGER) AS ordinal
FROM written w LEFT JOIN dataset_costs s USING (dataset)
WHERE w.dataset NOT IN (SELECT dataset FROM read)
UNION ALL BY NAME
SELECT CASE WHEN j.is_read THEN 'column_read_for_nothing' ELSE 'column_never_read' END AS kind, j.dataset,
       j.column_name, w.last_written, r.last_read, w.jobs,
       round(s.executor_run_ms / 1000.0, 1) AS executor_seconds, j.ordinal AS ordinal
FROM checked j
JOIN written w USING (dataset)
JOIN read r USING (dataset)
LEFT JOIN column_costs s ON s.dataset = j.dataset AND s.column_name = j.column_name
WHERE NOT j.is_read OR NOT j.is_used
ORDER BY kind DESC, dataset, ordinal
