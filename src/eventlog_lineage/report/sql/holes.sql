-- Times between the first and the last run of an edge in which it did not hold: removed by one run, added again by a later one.
WITH ends AS (
    SELECT e.number, e.edge, l.job_name, l.source_dataset, l.source_column, l.target_dataset, l.target_column, l.last_seen
    FROM numbered_edges e JOIN column_lineage l ON l.rowid = e.edge
),
changes AS (
    SELECT e.number, c.change, c.changed_at
    FROM ends e
    JOIN lineage_changes c
      ON c.change IN ('edge_added', 'edge_removed') AND c.job_name = e.job_name
     AND c.target_dataset = e.target_dataset AND c.source_dataset IS NOT DISTINCT FROM e.source_dataset
     AND c.source_column IS NOT DISTINCT FROM e.source_column
     AND c.target_column IS NOT DISTINCT FROM e.target_column
     AND c.changed_at <= e.last_seen
)
SELECT number, epoch_ms(changed_at) AS removed_at,
       epoch_ms(min(changed_at) FILTER (change = 'edge_added') OVER (
           PARTITION BY number ORDER BY changed_at ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
       )) AS added_at
FROM changes
QUALIFY change = 'edge_removed' AND added_at IS NOT NULL
ORDER BY number, removed_at
