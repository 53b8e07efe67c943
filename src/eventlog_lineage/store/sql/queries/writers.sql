-- The jobs that write a dataset ($dataset), or one job ($job), with their runs: the time they take, how it grows, failures, rows, users.
WITH wrote AS (
    SELECT lineage_fingerprint, max(mode) AS mode
    FROM named_io
    WHERE ($dataset IS NULL OR dataset = $dataset) AND direction = 'write'
    GROUP BY lineage_fingerprint
),
runs AS (
    SELECT e.job_name, e.started_at, e.status, e.error, e.duration_ms / 1000.0 AS seconds, w.mode, a.user_name,
           a.app_name, e.rows_written, e.executor_run_ms / 1000.0 AS executor_seconds,
           nullif(concat_ws(' ', e.scheduler, e.scheduler_task), '') AS scheduler,
           row_number() OVER (PARTITION BY e.job_name ORDER BY e.started_at DESC, e.execution_id DESC) AS place
    FROM executions e
    LEFT JOIN wrote w USING (lineage_fingerprint)
    LEFT JOIN applications a USING (app_id, attempt_id)
    WHERE e.execution_id = e.root_execution_id AND ($job IS NULL OR e.job_name = $job)
      AND ($dataset IS NULL OR w.lineage_fingerprint IS NOT NULL)
)
SELECT job_name, list_sort(list_distinct(list(mode) FILTER (mode IS NOT NULL))) AS modes, count(*) AS runs,
       count(*) FILTER (status = 'failed') AS failed,
       max(started_at) AS last_run, arg_min(status, place) AS last_status,
       arg_min(user_name, place) AS last_user,
       max(started_at) FILTER (status = 'succeeded') AS last_success,
       round(median(seconds) FILTER (status = 'succeeded') * 10) / 10 AS median_seconds,
       round(quantile_cont(seconds, 0.95) FILTER (status = 'succeeded') * 10) / 10 AS p95_seconds,
       round(median(seconds) FILTER (status = 'succeeded' AND place <= 5)
             / nullif(median(seconds) FILTER (status = 'succeeded' AND place > 5), 0) * 100) / 100 AS recent_to_earlier,
       round(median(executor_seconds) FILTER (status = 'succeeded') * 10) / 10 AS median_executor_seconds,
       round(sum(executor_seconds) * 10) / 10 AS executor_seconds,
       arg_min(rows_written, place) FILTER (rows_written IS NOT NULL) AS last_rows,
       arg_min(error, place) FILTER (status = 'failed') AS last_error,
       arg_min(scheduler, place) FILTER (scheduler IS NOT NULL) AS scheduler
FROM runs
GROUP BY job_name
ORDER BY last_run DESC, job_name
