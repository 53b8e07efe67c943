-- What could not be resolved: in the statements' lineages, and in the logs. A log that has its end now is not truncated
-- any more.
SELECT e.app_id, e.attempt_id, e.execution_id, g.reason, g.operator, g.detail, g.hint
FROM executions e JOIN lineage_gaps g USING (lineage_fingerprint)
UNION ALL
SELECT g.app_id, g.attempt_id, g.execution_id, g.reason, g.operator, g.detail, g.hint
FROM log_gaps g
LEFT JOIN applications a ON a.app_id = g.app_id AND a.attempt_id = g.attempt_id
WHERE NOT (g.reason = 'truncated_log' AND coalesce(a.complete, false))
UNION ALL
SELECT app_id, attempt_id, execution_id, reason, "operator", detail, hint FROM schema_gaps
SEMI JOIN executions USING (app_id, attempt_id, execution_id)
