-- Edges, with the time from which on they are not current any more.
CREATE OR REPLACE TEMP TABLE held_edges AS
SELECT l.source_dataset, lower(l.source_column) AS source_column, l.target_dataset, l.target_column, l.job_name,
       l.first_seen, l.last_seen, l.is_current, min(r.changed_at) AS ended_at
FROM column_lineage l
LEFT JOIN lineage_changes r
  ON r.change = 'edge_removed' AND NOT l.is_current AND r.job_name = l.job_name
 AND r.target_dataset = l.target_dataset AND r.source_dataset = l.source_dataset
 AND r.source_column = l.source_column AND r.target_column IS NOT DISTINCT FROM l.target_column
 AND r.changed_at > l.last_seen
WHERE l.source_dataset IS NOT NULL AND l.target_dataset IS NOT NULL
GROUP BY ALL
