-- The columns that the runs of each job joined, failed runs left out.
-- reads: run_series named_joins
-- changes: column_joins

INSERT INTO column_joins BY NAME
SELECT j.* EXCLUDE (lineage_fingerprint, expression), r.job_name,
       arg_max(j.expression, (r.last_seen, j.expression)) AS expression, min(r.first_seen) AS first_seen, max(r.last_seen) AS last_seen,
       CAST(sum(r.run_count) AS BIGINT) AS run_count
FROM run_series r JOIN named_joins j USING (lineage_fingerprint)
WHERE r.succeeded
GROUP BY ALL
ORDER BY ALL;
