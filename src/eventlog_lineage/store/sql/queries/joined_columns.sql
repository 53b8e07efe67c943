-- The columns that are compared for equality with some columns; with $any_column, with any column of their datasets.
WITH asked AS (SELECT unnest($datasets) AS dataset, lower(unnest($columns)) AS column_name),
sides AS (
    SELECT left_dataset AS dataset, left_column AS column_name, right_dataset AS other, right_column AS other_column,
           job_name, last_seen
    FROM column_joins WHERE "operator" IN ('=', '<=>')
    UNION
    SELECT right_dataset, right_column, left_dataset, left_column, job_name, last_seen
    FROM column_joins WHERE "operator" IN ('=', '<=>')
)
SELECT s.other AS dataset, s.other_column AS column_name,
       min(s.dataset || '.' || s.column_name) AS via, list_sort(list(DISTINCT s.job_name)) AS jobs,
       max(s.last_seen) AS last_seen
FROM sides s JOIN asked a ON a.dataset = s.dataset AND ($any_column OR a.column_name = lower(s.column_name))
GROUP BY s.other, s.other_column
ORDER BY ALL
