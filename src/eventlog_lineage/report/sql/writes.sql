-- The last write of each dataset of the page, whatever came of it.
WITH writes AS (
    SELECT d.node, e.started_at, e.status, e.job_name, e.error, i.rows, i.bytes, e.app_id, e.attempt_id, e.execution_id
    FROM dataset_io i
    JOIN executions e USING (app_id, attempt_id, execution_id)
    JOIN report_datasets d USING (dataset)
    WHERE i.direction = 'write' AND coalesce(i.mode, '') NOT IN ('maintenance', 'view') AND e.started_at IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY d.node ORDER BY e.started_at DESC, e.app_id DESC, e.attempt_id DESC, e.execution_id DESC
    ) = 1
)
SELECT node AS dataset, epoch_ms(started_at) AS "at", status, job_name AS job, CASE WHEN status = 'failed' THEN coalesce(error, '') ELSE '' END AS error, rows, bytes
FROM writes
ORDER BY node
