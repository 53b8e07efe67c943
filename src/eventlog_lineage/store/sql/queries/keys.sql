-- The columns that jobs join with each other, the pairs of most jobs first: of a dataset or column (on the left then), of a
-- job, or all.
WITH pairs AS (
    SELECT * FROM column_joins WHERE $job = '' OR job_name = $job
),
oriented AS (
    SELECT left_dataset AS dataset, left_column AS column_name, "operator", right_dataset AS joined_dataset,
           right_column AS joined_column, * EXCLUDE (left_dataset, left_column, "operator", right_dataset, right_column)
    FROM pairs
    WHERE $dataset = '' OR left_dataset = $dataset AND ($column = '' OR lower(left_column) = lower($column))
    UNION ALL
    SELECT right_dataset, right_column,
           CASE "operator" WHEN '<' THEN '>' WHEN '<=' THEN '>=' WHEN '>' THEN '<' WHEN '>=' THEN '<=' ELSE "operator" END,
           left_dataset, left_column, * EXCLUDE (left_dataset, left_column, "operator", right_dataset, right_column)
    FROM pairs
    WHERE $dataset <> '' AND right_dataset = $dataset AND ($column = '' OR lower(right_column) = lower($column))
      AND (left_dataset, left_column) <> (right_dataset, right_column)
)
SELECT dataset, column_name, "operator", joined_dataset, joined_column, CAST(sum(run_count) AS BIGINT) AS runs,
       min(first_seen) AS first_seen, max(last_seen) AS last_seen, list_sort(list(DISTINCT job_name)) AS jobs,
       arg_max(o.expression, o.last_seen) AS expression
FROM oriented o
GROUP BY ALL
ORDER BY len(jobs) DESC, runs DESC, dataset, column_name, joined_dataset, joined_column, "operator"
