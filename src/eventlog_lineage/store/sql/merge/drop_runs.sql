-- Drop the rows of applications that started before {keep_from}, and keep what the folded tables need of them. An
-- application without a start is as old as the harvest that read its log last.
-- reads: applications executions statement_runs schema_observations selected_observations
-- reads: staged_keys harvested_logs harvests
-- makes: expired_applications merged_past_runs
-- changes: dropped_days past_runs dropped_applications applications executions io_metrics run_snapshots batch_sources
-- changes: log_gaps plan_nodes lineage_schemas lineages

CREATE OR REPLACE TEMP TABLE expired_applications AS
WITH log_harvests AS (
    SELECT l.app_id, l.attempt_id, max(h.started_at) AS harvested_at
    FROM harvested_logs l JOIN harvests h USING (harvest_id)
    GROUP BY ALL
)
SELECT app_id, attempt_id, CAST(a.started_at AS DATE) AS started_on
FROM applications a LEFT JOIN log_harvests h USING (app_id, attempt_id)
WHERE a.started_at < {keep_from}
   OR (a.started_at IS NULL AND coalesce(h.harvested_at, (SELECT min(started_at) FROM harvests)) < {keep_from}
       AND (app_id, attempt_id) NOT IN (SELECT (app_id, attempt_id) FROM staged_keys));

INSERT INTO dropped_days SELECT DISTINCT started_on FROM expired_applications;

-- Runs in a row of one job with one lineage and one outcome become one row.
CREATE OR REPLACE TEMP TABLE merged_past_runs AS
WITH runs AS (
    SELECT job_name, lineage_fingerprint, first_seen, last_seen, run_count, succeeded, ended_at, app_id, attempt_id,
           execution_id, spark_version
    FROM statement_runs
    WHERE is_past OR (app_id, attempt_id) IN (SELECT (app_id, attempt_id) FROM expired_applications)
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
SELECT app_id, attempt_id, started_at, app_name FROM applications SEMI JOIN expired_applications USING (app_id, attempt_id);
DELETE FROM executions USING expired_applications e
WHERE executions.app_id = e.app_id AND executions.attempt_id = e.attempt_id;
DELETE FROM io_metrics USING expired_applications e
WHERE io_metrics.app_id = e.app_id AND io_metrics.attempt_id = e.attempt_id;
DELETE FROM run_snapshots USING expired_applications e
WHERE run_snapshots.app_id = e.app_id AND run_snapshots.attempt_id = e.attempt_id;
DELETE FROM batch_sources USING expired_applications e
WHERE batch_sources.app_id = e.app_id AND batch_sources.attempt_id = e.attempt_id;
DELETE FROM log_gaps USING expired_applications e
WHERE log_gaps.app_id = e.app_id AND log_gaps.attempt_id = e.attempt_id;
DELETE FROM applications USING expired_applications e
WHERE applications.app_id = e.app_id AND applications.attempt_id = e.attempt_id;

-- Plans and lineages without a run; one that runs again is traced again.
DELETE FROM plan_nodes WHERE plan_fingerprint NOT IN (
    SELECT plan_fingerprint FROM executions WHERE plan_fingerprint IS NOT NULL
);
DELETE FROM lineage_schemas
WHERE lineage_id NOT IN (SELECT lineage_id FROM executions WHERE lineage_id IS NOT NULL)
  AND lineage_id NOT IN (SELECT lineage_id FROM schema_observations)
  AND lineage_id NOT IN (SELECT lineage_id FROM selected_observations);
DELETE FROM lineages WHERE lineage_id NOT IN (SELECT lineage_id FROM executions WHERE lineage_id IS NOT NULL);
