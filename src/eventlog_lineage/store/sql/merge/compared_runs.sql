-- The runs, as they are stored, of the applications whose runs this harvest may change: all with {rename_jobs}.
-- reads: staged_keys staged_lineages executions statement_runs
-- makes: compared_applications stored_runs

CREATE OR REPLACE TEMP TABLE compared_applications AS
SELECT app_id, attempt_id FROM staged_keys
UNION
SELECT e.app_id, e.attempt_id FROM executions e SEMI JOIN staged_lineages l USING (lineage_id)
UNION
SELECT app_id, attempt_id FROM executions WHERE {rename_jobs};

CREATE OR REPLACE TEMP TABLE stored_runs AS
SELECT app_id, attempt_id, execution_id, job_name, lineage_id, lineage_fingerprint, description, succeeded, first_seen,
       ended_at, spark_version
FROM statement_runs SEMI JOIN compared_applications USING (app_id, attempt_id)
WHERE NOT is_past;
