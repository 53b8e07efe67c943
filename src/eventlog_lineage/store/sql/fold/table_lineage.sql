-- Dataset-to-dataset edges; edges of removed columns and tables are not current.
-- reads: job_runs named_io removals
-- changes: table_lineage column_lineage

INSERT INTO table_lineage BY NAME
SELECT r.job_name, i.dataset AS source_dataset, r.target_dataset,
       last(r.mode ORDER BY r.recency) AS mode,
       min(r.first_seen) AS first_seen, max(r.last_seen) AS last_seen,
       CAST(sum(r.run_count) AS BIGINT) AS run_count, bool_or(r.is_current) AS is_current, 'log' AS origin
FROM job_runs r
JOIN named_io i ON i.lineage_fingerprint = r.lineage_fingerprint AND i.direction = 'read' AND i.mode <> 'view'
WHERE r.mode <> 'maintenance'
GROUP BY r.job_name, i.dataset, r.target_dataset
ORDER BY r.target_dataset, source_dataset, r.job_name;

-- A column or table that was dropped after the last run is not written any more; a dropped column is not read.
UPDATE column_lineage SET is_current = false
FROM removals r
WHERE column_lineage.is_current AND r.removed_at > column_lineage.last_seen
  AND (r.dataset = column_lineage.target_dataset
       AND (r.column_name IS NULL OR r.column_name = lower(column_lineage.target_column))
       OR r.dataset = column_lineage.source_dataset AND r.column_name = lower(column_lineage.source_column));

UPDATE table_lineage SET is_current = false
FROM removals r
WHERE table_lineage.is_current AND r.dataset = table_lineage.target_dataset
  AND r.removed_at > table_lineage.last_seen AND r.column_name IS NULL;
