-- The edges onto the targets of batch {batch}.
-- reads: edge_runs target_batches named_edges
-- makes: batch_runs
-- changes: column_lineage

CREATE OR REPLACE TEMP TABLE batch_runs AS
SELECT r.* FROM edge_runs r JOIN target_batches b USING (target_dataset) WHERE b.batch = {batch};

INSERT INTO column_lineage BY NAME
WITH per_run AS (
    SELECT r.job_name, r.recency, {edge_key of e},
           any_value(r.first_seen) AS first_seen, any_value(r.last_seen) AS last_seen,
           any_value(r.run_count) AS run_count, any_value(r.is_current) AS is_current,
           arg_min(struct_pack({edge_values of e}), e."position") AS edge_values
    FROM batch_runs r
    JOIN named_edges e ON e.lineage_fingerprint = r.lineage_fingerprint AND e.target_dataset = r.target_dataset
    WHERE NOT r.unshared
    GROUP BY ALL
),
-- Of several runs that show an edge the newest decides on the other columns.
folded AS (
    SELECT job_name, {edge_key}, arg_max(edge_values, recency) AS edge_values,
           min(first_seen) AS first_seen, max(last_seen) AS last_seen,
           CAST(sum(run_count) AS BIGINT) AS run_count, bool_or(is_current) AS is_current
    FROM per_run
    GROUP BY ALL
)
SELECT r.job_name, r.first_seen, r.last_seen, r.run_count, r.is_current, 'log' AS origin, {edge_columns of e}
FROM batch_runs r
JOIN named_edges e ON e.lineage_fingerprint = r.lineage_fingerprint AND e.target_dataset = r.target_dataset
WHERE r.unshared
UNION ALL BY NAME
SELECT * EXCLUDE (edge_values), 'log' AS origin, unnest(edge_values)
FROM folded
ORDER BY target_dataset, target_ordinal NULLS LAST, job_name;
