-- Which job reads and writes which dataset, with the columns where a statement reads them and writes nothing.
WITH statements AS (
    SELECT app_id, attempt_id, execution_id, bool_or(direction = 'write') AS writes
    FROM dataset_io
    GROUP BY ALL
),
io AS (
    SELECT i.dataset, i.direction, i.mode, i.columns, s.writes, e.job_name, e.started_at, e.status,
           coalesce(e.user_name, a.user_name) AS user_name
    FROM dataset_io i
    JOIN statements s USING (app_id, attempt_id, execution_id)
    JOIN executions e USING (app_id, attempt_id, execution_id)
    LEFT JOIN applications a USING (app_id, attempt_id)
    WHERE i.mode <> 'view' OR i.mode IS NULL
)
SELECT d.node AS dataset, i.job_name AS job, i.direction, NOT i.writes AS only_reads, max(i.mode) AS mode, count(*) AS statements,
       count(*) FILTER (i.status = 'failed') AS failures, epoch_ms(max(i.started_at)) AS "last",
       string_agg(DISTINCT i.user_name, ', ' ORDER BY i.user_name) AS users,
       CASE WHEN NOT i.writes THEN list_sort(list_distinct(flatten(list(i.columns)))) END AS columns
FROM io i JOIN report_datasets d USING (dataset)
WHERE i.job_name IS NOT NULL
GROUP BY d.node, i.job_name, i.direction, i.writes
ORDER BY d.node, i.direction, "last" DESC NULLS LAST, i.job_name, only_reads
