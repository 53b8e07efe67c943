-- Columns by what depends on them through all hops: columns made of them, datasets, jobs.
-- Values are followed (DIRECT); filters and keys count for the datasets and jobs that use them. Only the columns with the
-- most direct uses are followed. Names are compared by their hashes: a big store has millions of edges.
WITH RECURSIVE edges AS MATERIALIZED (
    SELECT DISTINCT hash(source_dataset, source_column) AS source, hash(target_dataset, target_column) AS target,
           dependency = 'DIRECT' AS direct, target_column IS NOT NULL AS onto_column, hash(target_dataset) AS used_by,
           CASE WHEN job_name IS NOT NULL THEN hash(job_name) END AS job
    FROM column_lineage
    WHERE is_current AND source_column IS NOT NULL AND target_dataset IS NOT NULL
),
steps AS MATERIALIZED (SELECT DISTINCT source, target FROM edges WHERE direct AND onto_column AND source <> target),
uses AS MATERIALIZED (SELECT DISTINCT source, used_by, job FROM edges),
columns AS (
    SELECT DISTINCT hash(source_dataset, source_column) AS source, source_dataset, source_column
    FROM column_lineage
    WHERE is_current AND source_column IS NOT NULL AND target_dataset IS NOT NULL
),
roots AS MATERIALIZED (
    SELECT source, source_dataset, source_column
    FROM edges JOIN columns USING (source)
    GROUP BY ALL
    ORDER BY count(*) DESC, source_dataset, source_column
    LIMIT 100
),
made(root, node) AS (
    SELECT source, source FROM roots
    UNION
    SELECT m.root, s.target FROM made m JOIN steps s ON s.source = m.node
),
made_columns AS (SELECT root, count(*) - 1 AS columns FROM made GROUP BY root),
users AS (SELECT DISTINCT m.root, u.used_by, u.job FROM made m JOIN uses u ON u.source = m.node)
SELECT r.source_dataset AS dataset, r.source_column AS column_name, any_value(c.columns) AS columns,
       count(DISTINCT u.used_by) FILTER (u.used_by <> hash(r.source_dataset)) AS datasets,
       count(DISTINCT u.job) AS jobs, any_value(s."system") AS "system"
FROM roots r
JOIN made_columns c ON c.root = r.source
JOIN users u ON u.root = r.source
LEFT JOIN datasets s ON s.dataset = r.source_dataset
GROUP BY r.source_dataset, r.source_column
ORDER BY columns DESC, datasets DESC, jobs DESC, dataset, column_name
