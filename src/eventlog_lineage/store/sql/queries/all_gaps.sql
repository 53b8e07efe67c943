-- All gaps, with the jobs of their statements.
SELECT g.app_id, g.attempt_id, g.execution_id, e.job_name, g.reason, g.operator, g.detail, g.hint
FROM gaps g LEFT JOIN executions e USING (app_id, attempt_id, execution_id)
ORDER BY g.reason, g.operator, g.detail, g.app_id, g.attempt_id, g.execution_id
