-- Drop the rows of expired applications, and keep what the folded tables need of them.
-- reads: expired_applications executions open_runs schema_observations selected_observations open_applications
-- makes: merged_past_runs
-- changes: changed_days past_runs dropped_applications open_applications open_executions open_io_metrics
-- changes: open_run_snapshots open_batch_sources open_log_gaps plan_nodes lineage_schemas lineages shown_datasets

INSERT INTO changed_days SELECT DISTINCT started_on FROM expired_applications;

-- Runs in a row of one job with one lineage and one outcome become one row.
CREATE OR REPLACE TEMP TABLE merged_past_runs AS
WITH runs AS (
    SELECT job_name, lineage_fingerprint, first_seen, last_seen, run_count, succeeded, ended_at, app_id, attempt_id,
           execution_id, spark_version
    FROM open_runs SEMI JOIN expired_applications USING (app_id, attempt_id)
    UNION ALL BY NAME
    FROM past_runs
),
compared AS (
    SELECT *, coalesce(lag(lineage_fingerprint) OVER w <> lineage_fingerprint, true) AS differs
    FROM runs
    WINDOW w AS (
        PARTITION BY job_name, succeeded ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id
    )
),
numbered AS (
    SELECT *, count(*) FILTER (differs) OVER (
        PARTITION BY job_name, succeeded ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id
    ) AS series
    FROM compared
)
SELECT job_name, lineage_fingerprint, min(first_seen) AS first_seen, max(last_seen) AS last_seen,
       CAST(sum(run_count) AS BIGINT) AS run_count, succeeded,
       first(ended_at ORDER BY first_seen, app_id, attempt_id, execution_id) AS ended_at,
       first(app_id ORDER BY first_seen, app_id, attempt_id, execution_id) AS app_id,
       first(attempt_id ORDER BY first_seen, app_id, attempt_id, execution_id) AS attempt_id,
       first(execution_id ORDER BY first_seen, app_id, attempt_id, execution_id) AS execution_id,
       last(spark_version ORDER BY first_seen, app_id, attempt_id, execution_id) AS spark_version
FROM numbered
GROUP BY job_name, lineage_fingerprint, succeeded, series;
DELETE FROM past_runs;
INSERT INTO past_runs BY NAME SELECT * FROM merged_past_runs;

INSERT INTO dropped_applications BY NAME
SELECT app_id, attempt_id, started_at, app_name FROM open_applications SEMI JOIN expired_applications USING (app_id, attempt_id);
DELETE FROM open_executions USING expired_applications e
WHERE open_executions.app_id = e.app_id AND open_executions.attempt_id = e.attempt_id;
DELETE FROM open_io_metrics USING expired_applications e
WHERE open_io_metrics.app_id = e.app_id AND open_io_metrics.attempt_id = e.attempt_id;
DELETE FROM open_run_snapshots USING expired_applications e
WHERE open_run_snapshots.app_id = e.app_id AND open_run_snapshots.attempt_id = e.attempt_id;
DELETE FROM open_batch_sources USING expired_applications e
WHERE open_batch_sources.app_id = e.app_id AND open_batch_sources.attempt_id = e.attempt_id;
DELETE FROM open_log_gaps USING expired_applications e
WHERE open_log_gaps.app_id = e.app_id AND open_log_gaps.attempt_id = e.attempt_id;
DELETE FROM open_applications USING expired_applications e
WHERE open_applications.app_id = e.app_id AND open_applications.attempt_id = e.attempt_id;

-- Plans and lineages without a run; one that runs again is traced again.
DELETE FROM plan_nodes WHERE plan_fingerprint NOT IN (
    SELECT plan_fingerprint FROM executions WHERE plan_fingerprint IS NOT NULL
);
DELETE FROM lineage_schemas
WHERE lineage_id NOT IN (SELECT lineage_id FROM executions WHERE lineage_id IS NOT NULL)
  AND lineage_id NOT IN (SELECT lineage_id FROM schema_observations)
  AND lineage_id NOT IN (SELECT lineage_id FROM selected_observations);
DELETE FROM lineages WHERE lineage_id NOT IN (SELECT lineage_id FROM executions WHERE lineage_id IS NOT NULL);
DELETE FROM shown_datasets WHERE lineage_id NOT IN (SELECT lineage_id FROM lineages);
