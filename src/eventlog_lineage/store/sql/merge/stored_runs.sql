-- The runs of the applications that this harvest may change, as they are stored.
-- reads: compared_applications open_runs
-- makes: stored_runs

CREATE OR REPLACE TEMP TABLE stored_runs AS
SELECT app_id, attempt_id, execution_id, job_name, lineage_id, lineage_fingerprint, description, succeeded, first_seen,
       ended_at, spark_version
FROM open_runs SEMI JOIN compared_applications USING (app_id, attempt_id);
