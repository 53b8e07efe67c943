-- The run of a job ($job) to look at, its last one or its last failed one, and the last good one before it: place 2 and 1.
WITH runs AS (
    SELECT e.*, coalesce(e.user_name, a.user_name) AS run_by, a.app_name, a.spark_version, a.code_version, a.log_path
    FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
    WHERE e.job_name = $job AND e.execution_id = e.root_execution_id AND e.started_at IS NOT NULL
),
last_run AS (
    FROM runs WHERE NOT $failed OR status = 'failed'
    ORDER BY started_at DESC, app_id DESC, execution_id DESC LIMIT 1
),
good AS (
    SELECT r.* FROM runs r, last_run l
    WHERE r.status = 'succeeded' AND r.started_at < l.started_at
    ORDER BY r.started_at DESC, r.app_id DESC, r.execution_id DESC LIMIT 1
)
SELECT place, started_at, status, error, run_by AS user_name, app_name, spark_version, code_version,
       duration_ms / 1000.0 AS seconds, executor_run_ms / 1000.0 AS executor_seconds, rows_written, bytes_written,
       files_written, coalesce(sql_text, description) AS statement, log_path, app_id, attempt_id, execution_id,
       lineage_fingerprint
FROM (SELECT 1 AS place, * FROM good UNION ALL BY NAME SELECT 2 AS place, * FROM last_run)
ORDER BY place
