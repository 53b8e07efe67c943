-- Columns by what depends on them through all hops: columns made of them, datasets, jobs.
-- Values are followed (DIRECT); filters and keys count for the datasets and jobs that use them. Only the columns with the
-- most direct uses are followed, and the ways through a dataset to itself are left out.
WITH RECURSIVE edges AS MATERIALIZED (
    SELECT DISTINCT source_dataset, source_column, target_dataset, target_column, dependency, job_name
    FROM column_lineage
    WHERE is_current AND source_column IS NOT NULL AND target_dataset IS NOT NULL
),
roots AS (
    SELECT source_dataset, source_column
    FROM edges
    GROUP BY ALL
    ORDER BY count(*) DESC, source_dataset, source_column
    LIMIT 200
),
made(root_dataset, root_column, dataset, column_name) AS (
    SELECT source_dataset, source_column, source_dataset, source_column FROM roots
    UNION
    SELECT m.root_dataset, m.root_column, e.target_dataset, e.target_column
    FROM made m
    JOIN edges e ON e.source_dataset = m.dataset AND e.source_column = m.column_name
    WHERE e.dependency = 'DIRECT' AND e.target_column IS NOT NULL
)
SELECT m.root_dataset AS dataset, m.root_column AS column_name,
       count(DISTINCT (e.target_dataset, e.target_column))
           FILTER (e.dependency = 'DIRECT'
                   AND (e.target_dataset, e.target_column) IS DISTINCT FROM (m.root_dataset, m.root_column)) AS columns,
       count(DISTINCT e.target_dataset) FILTER (e.target_dataset <> m.root_dataset) AS datasets,
       count(DISTINCT e.job_name) AS jobs
FROM made m
JOIN edges e ON e.source_dataset = m.dataset AND e.source_column = m.column_name
GROUP BY ALL
ORDER BY columns DESC, datasets DESC, jobs DESC, dataset, column_name
