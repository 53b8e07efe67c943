-- The datasets with a pattern in their name: what they are, who wrote and read them last.
WITH spans AS (
    SELECT lineage_fingerprint, max(last_seen) AS last_at, list(DISTINCT job_name) AS jobs
    FROM statement_runs
    WHERE status <> 'failed'
    GROUP BY lineage_fingerprint
),
used AS (
    SELECT i.dataset, max(s.last_at) FILTER (i.direction = 'write') AS last_written,
           max(s.last_at) FILTER (i.direction = 'read') AS last_read,
           len(list_distinct(flatten(list(s.jobs) FILTER (i.direction = 'write')))) AS writers,
           len(list_distinct(flatten(list(s.jobs) FILTER (i.direction = 'read')))) AS readers
    FROM named_io i JOIN spans s USING (lineage_fingerprint)
    GROUP BY i.dataset
),
listed AS (
    SELECT dataset, count(*) FILTER (NOT contains(column_name, '.')) AS columns
    FROM schema_versions
    WHERE valid_to IS NULL
    GROUP BY dataset
),
known AS (
    SELECT t.dataset, count(*) FILTER (NOT contains(c.column_name, '.')) AS columns
    FROM trace_columns c JOIN trace_datasets t USING (dataset_number)
    GROUP BY t.dataset
)
SELECT d.dataset, CASE WHEN d.kind = 'temp_view' THEN 'temporary view'
                       WHEN d.kind IN ('jdbc', 'other') THEN coalesce(d."system", d.kind)
                       ELSE d.kind END AS kind, d.format,
       coalesce(l.columns, k.columns, 0) AS columns, u.last_written, u.last_read,
       coalesce(u.writers, 0) AS writers, coalesce(u.readers, 0) AS readers, d.location
FROM datasets d
LEFT JOIN used u USING (dataset)
LEFT JOIN listed l USING (dataset)
LEFT JOIN known k USING (dataset)
WHERE ($pattern = ''
       OR lower(d.dataset) GLOB lower($pattern) OR lower(d.dataset) GLOB '*[./]' || lower($pattern)
       OR (NOT regexp_matches($pattern, '[*?\[]') AND contains(lower(d.dataset), lower($pattern)))
       OR d.dataset IN (SELECT dataset FROM dataset_aliases
                        WHERE kind = 'catalog' AND (lower(alias) GLOB lower($pattern) OR lower(alias) = lower($pattern))))
  AND ($temporary OR d.kind <> 'temp_view')
  AND (NOT $unread OR u.last_read IS NULL) AND (NOT $unwritten OR u.last_written IS NULL)
ORDER BY d.kind = 'temp_view', d.dataset
