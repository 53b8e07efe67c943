-- Where a job's lineage onto a target is another one than in the run before: what lineage_changes is made from.

CREATE OR REPLACE TEMP TABLE written_targets AS
SELECT DISTINCT i.lineage_fingerprint, coalesce(s.successor, i.dataset) AS target_dataset, i.dataset AS own_target
FROM named_io i
LEFT JOIN successors s ON s.dataset = i.dataset
WHERE i.direction = 'write' AND i.mode <> 'maintenance';

-- Jobs and targets with one lineage only have no changes: most of them, so the others alone are looked at run by run.
CREATE OR REPLACE TEMP TABLE lively_targets AS
WITH shown AS (
    SELECT DISTINCT job_name, lineage_fingerprint FROM executions
    WHERE status = 'succeeded' AND execution_id = root_execution_id AND lineage_fingerprint IS NOT NULL
    UNION
    SELECT job_name, lineage_fingerprint FROM past_runs WHERE succeeded
)
SELECT job_name, target_dataset
FROM shown JOIN written_targets USING (lineage_fingerprint)
GROUP BY ALL
HAVING count(DISTINCT lineage_fingerprint) > 1;

CREATE OR REPLACE TEMP TABLE lineage_turns AS
WITH runs AS (
    SELECT e.job_name, e.lineage_fingerprint, coalesce(e.started_at, a.started_at) AS ran_at,
           coalesce(e.started_at, a.started_at) AS ran_until, coalesce(e.ended_at, e.started_at) AS ended_at,
           e.app_id, e.attempt_id, e.execution_id, a.spark_version
    FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
    WHERE e.status = 'succeeded' AND e.execution_id = e.root_execution_id AND e.lineage_fingerprint IS NOT NULL
      AND e.job_name IN (SELECT job_name FROM lively_targets)
    UNION ALL
    SELECT job_name, lineage_fingerprint, first_seen, last_seen, ended_at, app_id, attempt_id, execution_id,
           spark_version
    FROM past_runs
    WHERE succeeded AND job_name IN (SELECT job_name FROM lively_targets)
),
ordered AS (
    SELECT r.*, t.target_dataset, t.own_target,
           lag(r.lineage_fingerprint) OVER w AS before, lag(t.own_target) OVER w AS target_before,
           lag(r.ran_until) OVER w AS before_at, lag(r.spark_version) OVER w AS version_before
    FROM runs r
    JOIN written_targets t USING (lineage_fingerprint)
    SEMI JOIN lively_targets l ON l.job_name = r.job_name AND l.target_dataset = t.target_dataset
    WINDOW w AS (
        PARTITION BY r.job_name, t.target_dataset
        ORDER BY r.ran_at NULLS FIRST, r.app_id, r.attempt_id, r.execution_id
    )
)
SELECT job_name, own_target AS target_dataset, target_before, before, lineage_fingerprint, before_at, ran_at, ended_at,
       app_id, attempt_id, execution_id,
       regexp_extract(coalesce(spark_version, ''), '^\d+\.\d+')
           <> regexp_extract(coalesce(version_before, ''), '^\d+\.\d+') AS other_spark
FROM ordered
WHERE before IS NOT NULL AND before <> lineage_fingerprint;

CREATE OR REPLACE TEMP TABLE turning_edges AS
WITH wanted AS (
    SELECT before AS lineage_fingerprint, target_before AS target_dataset FROM lineage_turns
    UNION
    SELECT lineage_fingerprint, target_dataset FROM lineage_turns
)
SELECT e.lineage_fingerprint, e.target_dataset, e.source_dataset, e.source_column, e.target_column, e.dependency,
       e.transformation, e.expression, e.pattern
FROM named_edges e
SEMI JOIN wanted w ON w.lineage_fingerprint = e.lineage_fingerprint AND w.target_dataset = e.target_dataset
ORDER BY e.lineage_fingerprint, e.target_dataset, e."position";
