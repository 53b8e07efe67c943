-- Where columns with the tag PII arrive without a hash or a mask on the way, through all hops, and the last edges there.
WITH arrived AS (FROM tags WHERE tag = 'PII' AND origin = 'derived' AND NOT masked),
holders AS (
    SELECT dataset, lower(column_name) AS key, coalesce(source_dataset, dataset) AS root_dataset,
           lower(coalesce(source_column, column_name)) AS root_key
    FROM tags
    WHERE tag = 'PII' AND column_name IS NOT NULL AND NOT masked
),
edges AS (
    SELECT l.target_dataset, lower(l.target_column) AS target_key, h.root_dataset, h.root_key, l.transformation,
           l.job_name, l.last_seen
    FROM column_lineage l
    JOIN holders h ON h.dataset = l.source_dataset AND h.key = lower(l.source_column)
    WHERE l.is_current AND l.dependency = 'DIRECT' AND NOT l.masking
)
SELECT a.dataset, a.column_name, a.source_dataset AS personal_dataset, a.source_column AS personal_column,
       list_sort(list_distinct(list(e.transformation) FILTER (e.transformation IS NOT NULL))) AS transformations,
       list_sort(list_distinct(list(e.job_name) FILTER (e.job_name IS NOT NULL))) AS jobs, max(e.last_seen) AS last_seen,
       any_value(s."system") AS "system"
FROM arrived a
LEFT JOIN datasets s ON s.dataset = a.dataset
LEFT JOIN edges e
  ON e.target_dataset = a.dataset AND e.target_key = lower(a.column_name)
 AND e.root_dataset = a.source_dataset AND e.root_key = lower(a.source_column)
GROUP BY ALL
ORDER BY a.source_dataset, a.source_column, a.dataset, a.column_name
