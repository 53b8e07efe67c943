-- The number of statements that write and whose time no log has.
SELECT count(*) FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
SEMI JOIN (FROM named_io WHERE direction = 'write') w USING (lineage_fingerprint)
WHERE e.execution_id = e.root_execution_id AND coalesce(e.started_at, a.started_at) IS NULL
