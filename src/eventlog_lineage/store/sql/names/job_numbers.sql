-- Statements of one application with equal names and different lineages are numbered in the order of their executions.
-- reads: unnamed_statements job_bases
-- makes: named_statements

CREATE OR REPLACE TEMP TABLE named_statements AS
WITH roots AS (
    SELECT s.app_id, s.attempt_id, s.execution_id, s.lineage_fingerprint, b.base,
           min(s.execution_id) OVER (
               PARTITION BY s.app_id, s.attempt_id, b.base, s.lineage_fingerprint
           ) AS first_execution
    FROM unnamed_statements s
    JOIN job_bases b USING (app_name, description, target, command)
),
numbered AS (
    SELECT *, dense_rank() OVER (
        PARTITION BY app_id, attempt_id, base, lineage_fingerprint IS NULL ORDER BY first_execution
    ) AS number
    FROM roots
)
SELECT app_id, attempt_id, execution_id,
       CASE WHEN number > 1 AND lineage_fingerprint IS NOT NULL THEN base || ' #' || number ELSE base END AS job_name
FROM numbered;
