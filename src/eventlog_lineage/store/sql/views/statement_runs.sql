-- The runs of statements that have a lineage. One row is a run; where `--keep` dropped the rows of runs, one row is
-- several runs in a row of one lineage (is_past). Their status is NULL if they did not succeed. An execution without a
-- start of its own has that of its application.
SELECT e.app_id, e.attempt_id, e.execution_id, e.job_name, e.lineage_id, e.lineage_fingerprint, e.description, e.status,
       coalesce(e.status = 'succeeded', false) AS succeeded,
       coalesce(e.started_at, a.started_at) AS first_seen, coalesce(e.started_at, a.started_at) AS last_seen, e.ended_at,
       CAST(1 AS BIGINT) AS run_count, a.spark_version,
       coalesce(e.user_name, a.user_name) AS user_name, false AS is_past
FROM {prefix}executions e LEFT JOIN {prefix}applications a USING (app_id, attempt_id)
WHERE e.execution_id = e.root_execution_id AND e.lineage_fingerprint IS NOT NULL
UNION ALL BY NAME
SELECT app_id, attempt_id, execution_id, job_name, lineage_fingerprint,
       CASE WHEN succeeded THEN 'succeeded' END AS status, succeeded, first_seen, last_seen, ended_at, run_count,
       spark_version, true AS is_past
FROM past_runs
