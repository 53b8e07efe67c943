-- Datasets and columns that are written and not read: with $since, written since a time and not read since then; with
-- $span, however long ago they were written, not read for a span of time before the newest run of the store; what was first
-- written within the span is left out. One of the two is NULL.
WITH spans AS (
    SELECT lineage_fingerprint, min(first_seen) AS first_at, max(last_seen) AS last_at,
           list_sort(list_distinct(list(job_name))) AS jobs
    FROM statement_runs
    WHERE status <> 'failed' AND ($since IS NULL OR last_seen >= CAST($since AS TIMESTAMP))
    GROUP BY lineage_fingerprint
),
threshold AS (
    SELECT coalesce(CAST($since AS TIMESTAMP), max(last_at) - CAST($span AS INTERVAL)) AS unread_since FROM spans
),
uses AS (
    SELECT i.dataset, i.direction, i.mode, i.columns, s.first_at, s.last_at, s.jobs, s.lineage_fingerprint
    FROM named_io i JOIN spans s USING (lineage_fingerprint)
),
dropped AS (
    SELECT dataset FROM schema_changes
    WHERE change IN ('table_dropped', 'table_created')
    GROUP BY dataset
    HAVING last(change ORDER BY changed_at) = 'table_dropped'
),
written AS (
    SELECT u.dataset, min(u.first_at) AS first_written, max(u.last_at) AS last_written,
           list_sort(list_distinct(flatten(list(u.jobs)))) AS jobs
    FROM uses u JOIN datasets d ON d.dataset = u.dataset
    WHERE u.direction = 'write' AND d.kind NOT IN ('view', 'temp_view')
      AND u.mode IN ('append', 'overwrite', 'create', 'merge', 'update')
      AND u.dataset NOT IN (FROM dropped)
      AND u.dataset NOT IN (SELECT old_value FROM schema_changes WHERE change = 'table_renamed')
    GROUP BY u.dataset
),
newest AS (SELECT max(last_at) AS at FROM spans),
-- dashboards, copy jobs and the like that a file declares read until today; a whole dataset where no column is named
declared_reads AS (
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
other_reads AS (
    SELECT d.dataset, d.columns, n.at AS last_at, CAST(NULL AS VARCHAR) AS lineage_fingerprint
    FROM declared_reads d, newest n
    UNION ALL
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
    SELECT dataset, column_name, max(last_at) AS last_read
    FROM (SELECT dataset, lower(unnest(columns)) AS column_name, last_at FROM other_reads)
    GROUP BY dataset, column_name
),
used_columns AS (
    SELECT DISTINCT e.source_dataset AS dataset, lower(e.source_column) AS column_name
    FROM named_edges e JOIN spans s USING (lineage_fingerprint)
    WHERE e.source_column IS NOT NULL
    UNION
    SELECT dataset, lower(unnest(columns)) FROM declared_reads
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
column_reads AS (
    SELECT l.dataset, l.column_name, l.key, l.ordinal, max(r.last_read) AS last_read
    FROM listed l
    LEFT JOIN read_columns r
      ON r.dataset = l.dataset AND (r.column_name = l.key OR starts_with(l.key, r.column_name || '.'))
    GROUP BY ALL
),
checked AS (
    SELECT c.*, EXISTS (
               FROM used_columns u
               WHERE u.dataset = c.dataset AND (u.column_name = c.key OR starts_with(c.key, u.column_name || '.'))
           ) AS is_used
    FROM column_reads c
)
SELECT CASE WHEN r.last_read IS NULL THEN 'dataset_never_read' ELSE 'dataset_unread' END AS kind, w.dataset,
       CAST(NULL AS VARCHAR) AS column_name, w.first_written, w.last_written, r.last_read, w.jobs,
       round(s.executor_run_ms / 100.0) / 10 AS executor_seconds, CAST(0 AS INTEGER) AS ordinal
FROM written w
LEFT JOIN read r USING (dataset)
LEFT JOIN dataset_costs s USING (dataset), threshold t
WHERE (r.last_read IS NULL OR r.last_read < t.unread_since) AND ($span IS NULL OR w.first_written < t.unread_since)
UNION ALL BY NAME
SELECT CASE WHEN c.last_read IS NULL THEN 'column_never_read' WHEN c.last_read < t.unread_since THEN 'column_unread'
            ELSE 'column_read_for_nothing' END AS kind,
       c.dataset, c.column_name, w.first_written, w.last_written,
       CASE WHEN $since IS NULL THEN c.last_read ELSE r.last_read END AS last_read, w.jobs,
       round(s.executor_run_ms / 100.0) / 10 AS executor_seconds, c.ordinal
FROM checked c
JOIN written w USING (dataset)
JOIN read r ON r.dataset = c.dataset
LEFT JOIN column_costs s ON s.dataset = c.dataset AND s.column_name = c.column_name, threshold t
WHERE ($span IS NULL OR w.first_written < t.unread_since) AND r.last_read >= t.unread_since AND (c.last_read IS NULL OR c.last_read < t.unread_since OR NOT c.is_used)
ORDER BY kind DESC, dataset, ordinal
