-- Jobs and datasets by the time that their statements took. Seconds are those from a statement's start to its end; event
-- logs hold no money. growth compares the last run of a job with the median of the runs before it.
WITH runs AS (
    SELECT e.job_name, e.app_id, e.attempt_id, min(e.started_at) AS started_at,
           sum(e.duration_ms) / 1000.0 AS seconds, count(*) AS statements, sum(e.rows_written) AS rows_written,
           sum(e.bytes_written) AS bytes_written
    FROM executions e
    WHERE e.execution_id = e.root_execution_id
    GROUP BY ALL
),
ranked AS (
    SELECT *, row_number() OVER (
        PARTITION BY job_name ORDER BY started_at DESC NULLS LAST, app_id DESC, attempt_id DESC
    ) AS newest
    FROM runs
),
read_bytes AS (
    SELECT e.job_name, sum(i.bytes) AS bytes_read
    FROM dataset_io i JOIN executions e USING (app_id, attempt_id, execution_id)
    WHERE i.direction = 'read'
    GROUP BY ALL
),
jobs AS (
    SELECT r.job_name AS name, count(*) AS runs, sum(r.seconds) AS seconds, max(r.started_at) AS last_run,
           sum(r.rows_written) AS rows_written, sum(r.bytes_written) AS bytes_written,
           max(r.seconds) FILTER (r.newest = 1) / nullif(median(r.seconds) FILTER (r.newest > 1), 0) AS growth
    FROM ranked r
    WHERE r.job_name IS NOT NULL
    GROUP BY ALL
),
datasets_written AS (
    SELECT i.dataset AS name, count(DISTINCT concat_ws('/', e.app_id, e.attempt_id)) AS runs,
           sum(e.duration_ms) / 1000.0 AS seconds, max(e.started_at) AS last_run, sum(i.rows) AS rows_written,
           sum(i.bytes) AS bytes_written
    FROM dataset_io i JOIN executions e USING (app_id, attempt_id, execution_id)
    WHERE i.direction = 'write' AND e.execution_id = e.root_execution_id
    GROUP BY ALL
)
SELECT 'job' AS kind, j.name, j.runs, round(j.seconds, 1) AS seconds, round(j.seconds / j.runs, 1) AS seconds_per_run,
       round(j.growth, 2) AS growth, CAST(b.bytes_read AS BIGINT) AS bytes_read,
       CAST(j.bytes_written AS BIGINT) AS bytes_written, CAST(j.rows_written AS BIGINT) AS rows_written, j.last_run
FROM jobs j LEFT JOIN read_bytes b ON b.job_name = j.name
UNION ALL BY NAME
SELECT 'dataset' AS kind, d.name, d.runs, round(d.seconds, 1) AS seconds, round(d.seconds / d.runs, 1) AS seconds_per_run,
       CAST(d.bytes_written AS BIGINT) AS bytes_written, CAST(d.rows_written AS BIGINT) AS rows_written, d.last_run
FROM datasets_written d
ORDER BY kind DESC, seconds DESC NULLS LAST, name
