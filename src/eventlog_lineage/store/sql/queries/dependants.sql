-- The columns that were derived from a dataset or column at a time, through all hops.
WITH RECURSIVE now_held AS MATERIALIZED (
    FROM held_edges WHERE first_seen <= $at AND (ended_at IS NULL OR ended_at > $at)
),
reached(dataset, column_name) AS (
    SELECT CAST($dataset AS VARCHAR), lower(CAST($column AS VARCHAR))
    UNION
    SELECT h.target_dataset, lower(h.target_column)
    FROM reached r
    JOIN now_held h ON h.source_dataset = r.dataset
     AND (r.column_name IS NULL OR h.source_column = r.column_name
          OR starts_with(h.source_column, r.column_name || '.'))
)
SELECT DISTINCT h.target_dataset, h.target_column
FROM reached r
JOIN now_held h ON h.source_dataset = r.dataset
 AND (r.column_name IS NULL OR h.source_column = r.column_name
      OR starts_with(h.source_column, r.column_name || '.'))
WHERE h.target_dataset <> $dataset
ORDER BY ALL
