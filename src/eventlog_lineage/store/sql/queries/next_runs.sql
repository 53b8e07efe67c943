-- The first run, after a change, of each job that reads the dataset.
WITH readers AS (
    SELECT DISTINCT r.job_name
    FROM statement_runs r JOIN named_io i USING (lineage_fingerprint)
    WHERE i.direction = 'read' AND i.dataset IN ($dataset, $other)
)
SELECT r.job_name, e.started_at, e.status, e.error, e.app_id, e.execution_id
FROM readers r
LEFT JOIN executions e
  ON e.job_name = r.job_name AND e.started_at >= $at AND e.execution_id = e.root_execution_id
 AND NOT (e.app_id = $app AND e.attempt_id = $attempt AND e.execution_id = $execution)
QUALIFY row_number() OVER (PARTITION BY r.job_name ORDER BY e.started_at, e.app_id, e.execution_id) = 1
ORDER BY r.job_name
