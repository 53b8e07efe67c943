-- The folded tables: made anew from the runs and the lineages, so that late knowledge reaches what earlier nights stored.

CREATE OR REPLACE TEMP TABLE job_runs AS
WITH runs AS (
    SELECT e.job_name, e.lineage_fingerprint, coalesce(e.started_at, a.started_at) AS first_seen,
           coalesce(e.started_at, a.started_at) AS last_seen, 1 AS run_count
    FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
    WHERE e.status = 'succeeded' AND e.execution_id = e.root_execution_id AND e.lineage_fingerprint IS NOT NULL
    UNION ALL
    SELECT job_name, lineage_fingerprint, first_seen, last_seen, run_count FROM past_runs WHERE succeeded
),
targets AS (
    SELECT DISTINCT i.lineage_fingerprint, i.dataset AS target_dataset, i.mode FROM named_io i WHERE i.direction = 'write'
),
folded AS (
    SELECT job_name, lineage_fingerprint, min(first_seen) AS first_seen, max(last_seen) AS last_seen,
           CAST(sum(run_count) AS BIGINT) AS run_count
    FROM runs
    GROUP BY ALL
)
SELECT f.*, t.target_dataset, t.mode,
       row_number() OVER w AS recency,
       count(*) OVER (PARTITION BY f.job_name, t.target_dataset) = 1 AS alone,
       row_number() OVER w
           = count(*) OVER (PARTITION BY f.job_name, coalesce(s.successor, t.target_dataset)) AS is_current
FROM folded f
JOIN targets t USING (lineage_fingerprint)
LEFT JOIN successors s ON s.dataset = t.target_dataset AND f.last_seen < s.renamed_at
WINDOW w AS (
    PARTITION BY f.job_name, coalesce(s.successor, t.target_dataset)
    ORDER BY f.last_seen NULLS FIRST, f.lineage_fingerprint
);

-- Lineages that read a table by two names, its own and its path: they have the edge twice.
CREATE OR REPLACE TEMP TABLE read_twice AS
WITH aliased AS (SELECT "name" FROM dataset_names UNION SELECT dataset FROM dataset_names),
     sources AS (
        SELECT DISTINCT e.lineage_fingerprint, e.source_dataset
        FROM lineage_edges e SEMI JOIN aliased a ON a."name" = e.source_dataset
     )
SELECT s.lineage_fingerprint
FROM sources s LEFT JOIN dataset_names n ON n."name" = s.source_dataset
GROUP BY s.lineage_fingerprint
HAVING count(*) > count(DISTINCT coalesce(n.dataset, s.source_dataset));

CREATE OR REPLACE TEMP TABLE run_edges AS
SELECT r.job_name, r.recency, r.first_seen, r.last_seen, r.run_count, r.is_current,
       r.alone AND t.lineage_fingerprint IS NULL AS alone,
       e.* EXCLUDE (pattern)
FROM job_runs r
JOIN named_edges e ON e.lineage_fingerprint = r.lineage_fingerprint AND e.target_dataset = r.target_dataset
LEFT JOIN read_twice t ON t.lineage_fingerprint = r.lineage_fingerprint;

INSERT INTO column_lineage BY NAME
WITH once AS (
    SELECT job_name, recency, source_dataset, source_column, target_dataset, target_column, dependency, transformation,
           any_value(first_seen) AS first_seen, any_value(last_seen) AS last_seen,
           any_value(run_count) AS run_count, any_value(is_current) AS is_current,
           arg_min({'ordinal': target_ordinal, 'masking': masking, 'expression': expression,
                    'confidence': confidence}, "position") AS told
    FROM run_edges
    WHERE NOT alone
    GROUP BY ALL
),
-- Of several runs that show an edge the newest tells its expression.
folded AS (
    SELECT job_name, source_dataset, source_column, target_dataset, target_column, dependency, transformation,
           arg_max(told, recency) AS told,
           min(first_seen) AS first_seen, max(last_seen) AS last_seen,
           CAST(sum(run_count) AS BIGINT) AS run_count, bool_or(is_current) AS is_current
    FROM once
    GROUP BY ALL
)
SELECT * EXCLUDE (recency, alone, lineage_fingerprint, "position") FROM run_edges WHERE alone
UNION ALL BY NAME
SELECT * EXCLUDE (told), told.ordinal AS target_ordinal, told.masking AS masking,
       told.expression AS expression, told.confidence AS confidence
FROM folded
ORDER BY target_dataset, target_ordinal NULLS LAST, job_name;

INSERT INTO table_lineage BY NAME
SELECT r.job_name, i.dataset AS source_dataset, r.target_dataset,
       last(r.mode ORDER BY r.recency) AS mode,
       min(r.first_seen) AS first_seen, max(r.last_seen) AS last_seen,
       CAST(sum(r.run_count) AS BIGINT) AS run_count, bool_or(r.is_current) AS is_current
FROM job_runs r
JOIN named_io i ON i.lineage_fingerprint = r.lineage_fingerprint AND i.direction = 'read' AND i.mode <> 'view'
WHERE r.mode <> 'maintenance'
GROUP BY r.job_name, i.dataset, r.target_dataset
ORDER BY r.target_dataset, source_dataset, r.job_name;

-- What was dropped since is not made by anyone any more, and nobody is made of a dropped column.
UPDATE column_lineage SET is_current = false
FROM ended_things d
WHERE column_lineage.is_current AND d.ended_at > column_lineage.last_seen
  AND (d.dataset = column_lineage.target_dataset
       AND (d.column_name IS NULL OR d.column_name = lower(column_lineage.target_column))
       OR d.dataset = column_lineage.source_dataset AND d.column_name = lower(column_lineage.source_column));

UPDATE table_lineage SET is_current = false
FROM ended_things d
WHERE table_lineage.is_current AND d.dataset = table_lineage.target_dataset
  AND d.ended_at > table_lineage.last_seen AND d.column_name IS NULL;
