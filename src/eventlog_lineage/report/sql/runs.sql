-- The last runs of each job: its statements in one application are one run.
WITH by_run AS (
    SELECT job_name, app_id, attempt_id, min(started_at) AS started_at, sum(duration_ms) / 1000.0 AS seconds,
           sum(rows_written) AS rows_written, sum(bytes_written) AS bytes_written,
           CASE WHEN bool_or(status = 'failed') THEN 'failed' ELSE max(status) END AS status, count(*) AS statements
    FROM executions
    WHERE execution_id = root_execution_id AND job_name IS NOT NULL AND started_at IS NOT NULL
    GROUP BY job_name, app_id, attempt_id
    QUALIFY row_number() OVER (PARTITION BY job_name ORDER BY min(started_at) DESC, app_id DESC, attempt_id DESC) <= 40
)
SELECT r.job_name AS job, epoch_ms(r.started_at) AS "at", round(r.seconds * 100) / 100 AS seconds,
       TRY_CAST(r.rows_written AS BIGINT) AS "rows", TRY_CAST(r.bytes_written AS BIGINT) AS bytes, r.status,
       r.statements, r.app_id AS app
FROM by_run r
ORDER BY r.job_name, r.started_at, r.app_id
LIMIT 60000
