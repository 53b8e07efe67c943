-- The applications with executions whose names differ from those of their statements.
-- reads: named_statements open_executions open_applications
-- makes: renamed_jobs
-- changes: changed_days

CREATE OR REPLACE TEMP TABLE renamed_jobs AS
SELECT DISTINCT e.app_id, e.attempt_id
FROM open_executions e
JOIN named_statements n
  ON n.app_id = e.app_id AND n.attempt_id = e.attempt_id AND n.execution_id = e.root_execution_id
WHERE e.job_name IS DISTINCT FROM n.job_name;

INSERT INTO changed_days
SELECT DISTINCT CAST(a.started_at AS DATE) FROM renamed_jobs LEFT JOIN open_applications a USING (app_id, attempt_id);
