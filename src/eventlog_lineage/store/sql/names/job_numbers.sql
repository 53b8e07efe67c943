-- Statements of one application with equal names and different lineages are numbered in the order of their executions:
-- those with a target first, so that a query takes the name of none.
-- reads: unnamed_statements job_bases
-- makes: based_statements numbered_names named_statements

CREATE OR REPLACE TEMP TABLE based_statements AS
SELECT s.app_id, s.attempt_id, s.execution_id, s.lineage_fingerprint, s.target = '' AS is_query, b.base
FROM unnamed_statements s
JOIN job_bases b USING (app_name, description, target, command, mode);

-- Most names of an application have one lineage: only the others are numbered.
CREATE OR REPLACE TEMP TABLE numbered_names AS
WITH lineages_of_names AS MATERIALIZED (
    SELECT app_id, attempt_id, base, lineage_fingerprint, bool_and(is_query) AS is_query,
           min(execution_id) AS first_execution
    FROM based_statements
    WHERE lineage_fingerprint IS NOT NULL
    GROUP BY ALL
)
SELECT *, row_number() OVER (PARTITION BY app_id, attempt_id, base ORDER BY is_query, first_execution) AS number
FROM lineages_of_names
SEMI JOIN (
    SELECT app_id, attempt_id, base FROM lineages_of_names GROUP BY ALL HAVING count(*) > 1
) USING (app_id, attempt_id, base);

CREATE OR REPLACE TEMP TABLE named_statements AS
SELECT s.app_id, s.attempt_id, s.execution_id,
       CASE WHEN n.number > 1 THEN s.base || ' #' || n.number ELSE s.base END AS job_name
FROM based_statements s
LEFT JOIN numbered_names n USING (app_id, attempt_id, base, lineage_fingerprint);
