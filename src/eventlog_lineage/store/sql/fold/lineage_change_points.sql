-- Runs whose lineage onto a target differs from that of the run before: lineage_changes is made from them.
-- reads: run_series named_io named_edges successors
-- makes: written_targets changed_targets lineage_change_points change_point_edges

CREATE OR REPLACE TEMP TABLE written_targets AS
SELECT DISTINCT i.lineage_fingerprint, coalesce(s.successor, i.dataset) AS target_dataset, i.dataset AS own_target
FROM named_io i
LEFT JOIN successors s ON s.dataset = i.dataset
WHERE i.direction = 'write' AND i.mode <> 'maintenance';

-- Most jobs have one lineage per target and so no changes: only the others are compared run by run.
CREATE OR REPLACE TEMP TABLE changed_targets AS
WITH lineages_of_jobs AS (SELECT DISTINCT job_name, lineage_fingerprint FROM run_series WHERE succeeded)
SELECT job_name, target_dataset
FROM lineages_of_jobs JOIN written_targets USING (lineage_fingerprint)
GROUP BY ALL
HAVING count(DISTINCT lineage_fingerprint) > 1;

CREATE OR REPLACE TEMP TABLE lineage_change_points AS
WITH ordered AS (
    SELECT r.*, t.target_dataset, t.own_target,
           lag(r.lineage_fingerprint) OVER w AS before, lag(t.own_target) OVER w AS target_before,
           lag(r.last_seen) OVER w AS before_at, lag(r.last_spark_version) OVER w AS version_before
    FROM run_series r
    JOIN written_targets t USING (lineage_fingerprint)
    SEMI JOIN changed_targets c ON c.job_name = r.job_name AND c.target_dataset = t.target_dataset
    WHERE r.succeeded
    WINDOW w AS (
        PARTITION BY r.job_name, t.target_dataset
        ORDER BY r.first_seen NULLS FIRST, r.app_id, r.attempt_id, r.execution_id
    )
)
SELECT job_name, own_target AS target_dataset, target_before, before, lineage_fingerprint, before_at,
       first_seen AS changed_at, app_id, attempt_id, execution_id,
       regexp_extract(coalesce(spark_version, ''), '^\d+\.\d+')
           <> regexp_extract(coalesce(version_before, ''), '^\d+\.\d+') AS other_spark
FROM ordered
WHERE before IS NOT NULL AND before <> lineage_fingerprint;

CREATE OR REPLACE TEMP TABLE change_point_edges AS
WITH sides AS (
    SELECT before AS lineage_fingerprint, target_before AS target_dataset FROM lineage_change_points
    UNION
    SELECT lineage_fingerprint, target_dataset FROM lineage_change_points
)
SELECT row_number() OVER (ORDER BY e.lineage_fingerprint, e.target_dataset, e."position") AS edge_number,
       e.lineage_fingerprint, e.target_dataset, e.source_dataset, e.source_column, e.target_column, e.dependency,
       e.transformation, e.expression, e.pattern
FROM named_edges e
SEMI JOIN sides s ON s.lineage_fingerprint = e.lineage_fingerprint AND s.target_dataset = e.target_dataset;
