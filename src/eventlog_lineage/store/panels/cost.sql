-- Jobs and datasets by the executor time that their statements cost, then by the time that they took. Executor seconds are
-- those of all tasks, seconds those from a statement's start to its end; event logs hold no money. growth compares the last
-- run of a job with the median of the runs before it. Several targets of a statement share its executor time equally.
WITH runs AS (
    SELECT e.job_name, e.app_id, e.attempt_id, min(e.started_at) AS started_at,
           sum(e.duration_ms) / 1000.0 AS seconds, count(*) AS statements, sum(e.rows_written) AS rows_written,
           sum(e.bytes_written) AS bytes_written, sum(e.executor_run_ms) / 1000.0 AS executor_seconds,
           sum(e.executor_cpu_ms) / 1000.0 AS cpu_seconds, sum(e.input_bytes) AS input_bytes,
           sum(e.shuffle_read_bytes) AS shuffle_bytes, sum(e.disk_spilled_bytes) AS spilled_bytes
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
shares AS (
    SELECT app_id, attempt_id, execution_id, count(*) AS targets
    FROM dataset_io
    WHERE direction = 'write'
    GROUP BY ALL
),
jobs AS (
    SELECT r.job_name AS name, count(*) AS runs, sum(r.seconds) AS seconds, max(r.started_at) AS last_run,
           sum(r.rows_written) AS rows_written, sum(r.bytes_written) AS bytes_written,
           sum(r.executor_seconds) AS executor_seconds, sum(r.cpu_seconds) AS cpu_seconds,
           sum(r.input_bytes) AS input_bytes, sum(r.shuffle_bytes) AS shuffle_bytes,
           sum(r.spilled_bytes) AS spilled_bytes,
           max(r.seconds) FILTER (r.newest = 1) / nullif(median(r.seconds) FILTER (r.newest > 1), 0) AS growth
    FROM ranked r
    WHERE r.job_name IS NOT NULL
    GROUP BY ALL
),
datasets_written AS (
    SELECT i.dataset AS name, count(DISTINCT concat_ws('/', e.app_id, e.attempt_id)) AS runs,
           sum(e.duration_ms) / 1000.0 AS seconds, max(e.started_at) AS last_run, sum(i.rows) AS rows_written,
           sum(i.bytes) AS bytes_written, sum(e.executor_run_ms / s.targets) / 1000.0 AS executor_seconds,
           sum(e.executor_cpu_ms / s.targets) / 1000.0 AS cpu_seconds,
           sum(e.shuffle_read_bytes / s.targets) AS shuffle_bytes,
           sum(e.disk_spilled_bytes / s.targets) AS spilled_bytes
    FROM dataset_io i
    JOIN executions e USING (app_id, attempt_id, execution_id)
    JOIN shares s USING (app_id, attempt_id, execution_id)
    WHERE i.direction = 'write' AND e.execution_id = e.root_execution_id
    GROUP BY ALL
)
SELECT 'job' AS kind, j.name, j.runs, round(j.seconds * 10) / 10 AS seconds, round(j.seconds / j.runs * 10) / 10 AS seconds_per_run,
       round(j.growth * 100) / 100 AS growth, round(j.executor_seconds * 10) / 10 AS executor_seconds,
       round(j.cpu_seconds * 10) / 10 AS cpu_seconds, TRY_CAST(j.shuffle_bytes AS BIGINT) AS shuffle_bytes,
       TRY_CAST(j.spilled_bytes AS BIGINT) AS spilled_bytes,
       TRY_CAST(coalesce(b.bytes_read, j.input_bytes) AS BIGINT) AS bytes_read,
       TRY_CAST(j.bytes_written AS BIGINT) AS bytes_written, TRY_CAST(j.rows_written AS BIGINT) AS rows_written, j.last_run
FROM jobs j LEFT JOIN read_bytes b ON b.job_name = j.name
UNION ALL BY NAME
SELECT 'dataset' AS kind, d.name, d.runs, round(d.seconds * 10) / 10 AS seconds, round(d.seconds / d.runs * 10) / 10 AS seconds_per_run,
       round(d.executor_seconds * 10) / 10 AS executor_seconds,
       round(d.cpu_seconds * 10) / 10 AS cpu_seconds, TRY_CAST(d.shuffle_bytes AS BIGINT) AS shuffle_bytes,
       TRY_CAST(d.spilled_bytes AS BIGINT) AS spilled_bytes,
       TRY_CAST(d.bytes_written AS BIGINT) AS bytes_written, TRY_CAST(d.rows_written AS BIGINT) AS rows_written, d.last_run,
       s."system"
FROM datasets_written d LEFT JOIN datasets s ON s.dataset = d.name
ORDER BY kind DESC, executor_seconds DESC NULLS LAST, seconds DESC NULLS LAST, name
