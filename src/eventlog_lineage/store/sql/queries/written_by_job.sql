-- The datasets that a job ($job) writes, or its last run ($last).
SELECT DISTINCT i.dataset
FROM executions e JOIN named_io i USING (lineage_fingerprint)
WHERE e.job_name = $job AND e.execution_id = e.root_execution_id AND i.direction = 'write'
  AND (NOT $last OR e.started_at = (
      SELECT max(started_at) FROM executions WHERE job_name = $job AND execution_id = root_execution_id
  ))
ORDER BY ALL
