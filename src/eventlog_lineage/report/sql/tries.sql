-- What the last run of a job read and wrote, or tried to, where that run failed.
WITH last_run AS (
    SELECT job_name, app_id, attempt_id, execution_id FROM executions
    WHERE execution_id = root_execution_id AND job_name IS NOT NULL AND status = 'failed'
    QUALIFY row_number() OVER (PARTITION BY job_name ORDER BY started_at DESC NULLS LAST, app_id DESC, execution_id DESC) = 1
)
SELECT r.job_name AS job, d.node AS dataset, i.direction, any_value(i.mode ORDER BY i.mode) AS mode, TRY_CAST(sum(i.rows) AS BIGINT) AS rows
FROM last_run r
JOIN dataset_io i USING (app_id, attempt_id, execution_id)
JOIN report_datasets d USING (dataset)
GROUP BY r.job_name, d.node, i.direction
ORDER BY r.job_name, i.direction, d.node
LIMIT 20000
