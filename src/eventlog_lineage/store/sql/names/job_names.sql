-- Name the executions as their statements are named. Many rows are written again, not updated: DuckDB keeps updates in
-- memory, and most of a harvest's rows get a name here.
-- reads: named_statements renamed_jobs open_executions
-- makes: renamed_executions
-- changes: open_executions

CREATE OR REPLACE TEMP TABLE renamed_executions AS
WITH executions AS (SELECT e.* FROM open_executions e SEMI JOIN renamed_jobs r USING (app_id, attempt_id))
SELECT e.* REPLACE (CASE WHEN n.execution_id IS NULL THEN e.job_name ELSE n.job_name END AS job_name)
FROM executions e
LEFT JOIN named_statements n
  ON n.app_id = e.app_id AND n.attempt_id = e.attempt_id AND n.execution_id = e.root_execution_id;

DELETE FROM open_executions USING renamed_jobs r
WHERE open_executions.app_id = r.app_id AND open_executions.attempt_id = r.attempt_id;
INSERT INTO open_executions BY NAME SELECT * FROM renamed_executions;
