-- Name the executions as their statements are named.
-- reads: named_statements open_executions
-- makes: renamed_jobs
-- changes: open_executions

CREATE OR REPLACE TEMP TABLE renamed_jobs AS
SELECT DISTINCT e.app_id, e.attempt_id
FROM open_executions e
JOIN named_statements n
  ON n.app_id = e.app_id AND n.attempt_id = e.attempt_id AND n.execution_id = e.root_execution_id
WHERE e.job_name IS DISTINCT FROM n.job_name;

UPDATE open_executions SET job_name = n.job_name
FROM named_statements n
WHERE open_executions.app_id = n.app_id AND open_executions.attempt_id = n.attempt_id
  AND open_executions.root_execution_id = n.execution_id
  AND open_executions.job_name IS DISTINCT FROM n.job_name;
