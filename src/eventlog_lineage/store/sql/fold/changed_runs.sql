-- The runs that differ from those stored before: new ones, and old ones that are gone or were otherwise.
-- reads: compared_applications stored_runs open_runs
-- makes: merged_runs changed_runs

CREATE OR REPLACE TEMP TABLE merged_runs AS
SELECT app_id, attempt_id, execution_id, job_name, lineage_id, lineage_fingerprint, description, succeeded, first_seen,
       ended_at, spark_version
FROM open_runs SEMI JOIN compared_applications USING (app_id, attempt_id);

-- Only the runs of applications that are stored are compared: most of a harvest's are new.
CREATE OR REPLACE TEMP TABLE changed_runs AS
WITH known AS (SELECT DISTINCT app_id, attempt_id FROM stored_runs),
     compared AS (SELECT m.* FROM merged_runs m SEMI JOIN known USING (app_id, attempt_id))
SELECT m.*, true AS is_new FROM merged_runs m ANTI JOIN known USING (app_id, attempt_id)
UNION ALL
SELECT *, true FROM (FROM compared EXCEPT FROM stored_runs)
UNION ALL
SELECT *, false FROM (FROM stored_runs EXCEPT FROM compared);
