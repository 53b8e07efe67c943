-- The applications whose runs this harvest may change: all with {rename_jobs}.
-- reads: staged_keys staged_lineages executions
-- makes: compared_applications

CREATE OR REPLACE TEMP TABLE compared_applications AS
SELECT app_id, attempt_id FROM staged_keys
UNION
SELECT e.app_id, e.attempt_id FROM executions e SEMI JOIN staged_lineages l USING (lineage_id)
UNION
SELECT app_id, attempt_id FROM executions WHERE {rename_jobs};
