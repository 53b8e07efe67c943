-- Takes the rows of old applications away and leaves what the folded tables need of them.

CREATE OR REPLACE TEMP TABLE old_applications AS
SELECT app_id, attempt_id, CAST(started_at AS DATE) AS started_on FROM applications WHERE started_at < {keep_from};

INSERT INTO dropped_days SELECT DISTINCT started_on FROM old_applications;

CREATE OR REPLACE TEMP TABLE merged_past_runs AS
WITH runs AS (
    SELECT e.job_name, e.lineage_fingerprint, coalesce(e.started_at, a.started_at) AS first_seen,
           coalesce(e.started_at, a.started_at) AS last_seen, 1 AS run_count,
           coalesce(e.status = 'succeeded', false) AS succeeded, e.ended_at, e.app_id, e.attempt_id, e.execution_id,
           a.spark_version
    FROM executions e
    SEMI JOIN old_applications o ON o.app_id = e.app_id AND o.attempt_id = e.attempt_id
    LEFT JOIN applications a ON a.app_id = e.app_id AND a.attempt_id = e.attempt_id
    WHERE e.lineage_fingerprint IS NOT NULL AND e.execution_id = e.root_execution_id
    UNION ALL BY NAME
    FROM past_runs
),
turns AS (
    SELECT *, coalesce(lag(lineage_fingerprint) OVER w <> lineage_fingerprint, true) AS turns
    FROM runs
    WINDOW w AS (
        PARTITION BY job_name, succeeded ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id
    )
),
stretches AS (
    SELECT *, count(*) FILTER (turns) OVER (
        PARTITION BY job_name, succeeded ORDER BY first_seen NULLS FIRST, app_id, attempt_id, execution_id
    ) AS stretch
    FROM turns
)
SELECT job_name, lineage_fingerprint, min(first_seen) AS first_seen, max(last_seen) AS last_seen,
       CAST(sum(run_count) AS BIGINT) AS run_count, succeeded,
       first(ended_at ORDER BY first_seen, app_id, attempt_id, execution_id) AS ended_at,
       first(app_id ORDER BY first_seen, app_id, attempt_id, execution_id) AS app_id,
       first(attempt_id ORDER BY first_seen, app_id, attempt_id, execution_id) AS attempt_id,
       first(execution_id ORDER BY first_seen, app_id, attempt_id, execution_id) AS execution_id,
       last(spark_version ORDER BY first_seen, app_id, attempt_id, execution_id) AS spark_version
FROM stretches
GROUP BY job_name, lineage_fingerprint, succeeded, stretch;
DELETE FROM past_runs;
INSERT INTO past_runs BY NAME SELECT * FROM merged_past_runs;

INSERT INTO dropped_applications BY NAME SELECT app_id, attempt_id FROM old_applications;
DELETE FROM executions USING old_applications o
WHERE executions.app_id = o.app_id AND executions.attempt_id = o.attempt_id;
DELETE FROM io_metrics USING old_applications o
WHERE io_metrics.app_id = o.app_id AND io_metrics.attempt_id = o.attempt_id;
DELETE FROM run_snapshots USING old_applications o
WHERE run_snapshots.app_id = o.app_id AND run_snapshots.attempt_id = o.attempt_id;
DELETE FROM batch_sources USING old_applications o
WHERE batch_sources.app_id = o.app_id AND batch_sources.attempt_id = o.attempt_id;
DELETE FROM log_gaps USING old_applications o
WHERE log_gaps.app_id = o.app_id AND log_gaps.attempt_id = o.attempt_id;
DELETE FROM applications USING old_applications o
WHERE applications.app_id = o.app_id AND applications.attempt_id = o.attempt_id;

-- Plans and ids that no run has any more; should one come again, it is handed over again.
DELETE FROM plan_nodes WHERE plan_fingerprint NOT IN (
    SELECT plan_fingerprint FROM executions WHERE plan_fingerprint IS NOT NULL
);
DELETE FROM lineage_schemas
WHERE lineage_id NOT IN (SELECT lineage_id FROM executions WHERE lineage_id IS NOT NULL)
  AND lineage_id NOT IN (SELECT lineage_id FROM schema_observations);
DELETE FROM lineages WHERE lineage_id NOT IN (SELECT lineage_id FROM executions WHERE lineage_id IS NOT NULL);
