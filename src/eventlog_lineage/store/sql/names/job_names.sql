-- Name the executions as their statements are named.
-- reads: named_statements open_executions
-- makes: renamed_jobs renamed_executions
-- changes: open_executions

CREATE OR REPLACE TEMP TABLE renamed_jobs AS
SELECT DISTINCT e.app_id, e.attempt_id
FROM open_executions e
JOIN named_statements n
  ON n.app_id = e.app_id AND n.attempt_id = e.attempt_id AND n.execution_id = e.root_execution_id
WHERE e.job_name IS DISTINCT FROM n.job_name;

-- The rows are written again, not updated: DuckDB keeps updates in memory, and most of a harvest's rows get a name here.
CREATE OR REPLACE TEMP TABLE renamed_executions AS
SELECT e.* REPLACE (CASE WHEN n.execution_id IS NULL THEN e.job_name ELSE n.job_name END AS job_name)
FROM open_executions e
SEMI JOIN renamed_jobs r ON r.app_id = e.app_id AND r.attempt_id = e.attempt_id
LEFT JOIN named_statements n
  ON n.app_id = e.app_id AND n.attempt_id = e.attempt_id AND n.execution_id = e.root_execution_id;
DELETE FROM open_executions USING renamed_jobs r
WHERE open_executions.app_id = r.app_id AND open_executions.attempt_id = r.attempt_id;
INSERT INTO open_executions BY NAME SELECT * FROM renamed_executions;
