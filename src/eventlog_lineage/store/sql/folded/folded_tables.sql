-- The tables' lineage, and what is over.

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
