-- The statements whose names may change: those of the applications in {applications}. Children have their root's name.
-- reads: compared_applications open_executions open_applications lineages
-- makes: unnamed_statements

CREATE OR REPLACE TEMP TABLE unnamed_statements AS
SELECT e.app_id, e.attempt_id, e.execution_id, e.lineage_fingerprint,
       coalesce(a.app_name, '') AS app_name, coalesce(e.description, '') AS description,
       coalesce(l.target_dataset, '') AS target, coalesce(l.command, '') AS command,
       coalesce(l.mode, '') AS mode
FROM {prefix}executions e
SEMI JOIN {applications} d ON d.app_id = e.app_id AND d.attempt_id = e.attempt_id
LEFT JOIN {prefix}applications a ON a.app_id = e.app_id AND a.attempt_id = e.attempt_id
LEFT JOIN lineages l ON l.lineage_id = e.lineage_id
WHERE e.root_execution_id = e.execution_id;
