-- The lineages of each job, with when they ran.
-- reads: run_series named_io successors dataset_names lineage_edges
-- makes: job_runs read_by_two_names edge_runs target_batches

CREATE OR REPLACE TEMP TABLE job_runs AS
WITH targets AS (
    SELECT DISTINCT i.lineage_fingerprint, i.dataset AS target_dataset, i.mode FROM named_io i WHERE i.direction = 'write'
),
folded AS (
    SELECT job_name, lineage_fingerprint, min(first_seen) AS first_seen, max(last_seen) AS last_seen,
           CAST(sum(run_count) AS BIGINT) AS run_count
    FROM run_series
    WHERE succeeded
    GROUP BY ALL
)
SELECT f.*, t.target_dataset, t.mode,
       row_number() OVER w AS recency,
       count(*) OVER (PARTITION BY f.job_name, t.target_dataset) = 1 AS single_lineage,
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
CREATE OR REPLACE TEMP TABLE read_by_two_names AS
WITH aliased AS (SELECT "name" FROM dataset_names UNION SELECT dataset FROM dataset_names),
     sources AS (
        SELECT DISTINCT e.lineage_fingerprint, e.source_dataset
        FROM lineage_edges e SEMI JOIN aliased a ON a."name" = e.source_dataset
     )
SELECT s.lineage_fingerprint
FROM sources s LEFT JOIN dataset_names n ON n."name" = s.source_dataset
GROUP BY s.lineage_fingerprint
HAVING count(*) > count(DISTINCT coalesce(n.dataset, s.source_dataset));

-- Unshared: no other lineage of the job and no other name of a source shows the same edge, so nothing is grouped.
CREATE OR REPLACE TEMP TABLE edge_runs AS
SELECT r.* EXCLUDE (mode, single_lineage), r.single_lineage AND t.lineage_fingerprint IS NULL AS unshared
FROM job_runs r LEFT JOIN read_by_two_names t USING (lineage_fingerprint);

-- Edges are written target by target, some {edges_at_once} of them at a time: as many as can be sorted in memory.
CREATE OR REPLACE TEMP TABLE target_batches AS
WITH sizes AS (SELECT lineage_fingerprint, count(*) AS edges FROM lineage_edges GROUP BY ALL),
     targets AS (
        SELECT r.target_dataset, sum(s.edges) AS edges
        FROM edge_runs r JOIN sizes s USING (lineage_fingerprint)
        GROUP BY ALL
     )
SELECT target_dataset, CAST((sum(edges) OVER (ORDER BY target_dataset) - edges) // {edges_at_once} AS BIGINT) AS batch
FROM targets;
