-- A dataset's columns: their types, and how the current writers derive them.
WITH asked AS (
    SELECT d.dataset, d.dataset_number FROM trace_datasets d WHERE d.dataset = ?
),
written AS (
    SELECT lower(l.target_column) AS key, min(l.target_ordinal) AS ordinal,
           min(l.target_column) AS column_name,
           list_sort(list_distinct(list(l.source_dataset || '.' || l.source_column)
               FILTER (l.source_column IS NOT NULL))) AS sources,
           list_sort(list_distinct(list(l.transformation)
               FILTER (l.transformation IS NOT NULL))) AS transformations,
           list_sort(list_distinct(list(l.expression) FILTER (l.expression <> ''))) AS expressions,
           list_sort(list_distinct(list(l.job_name))) AS jobs, max(l.last_seen) AS last_written
    FROM column_lineage l JOIN asked ON asked.dataset = l.target_dataset
    WHERE l.target_column IS NOT NULL AND l.is_current
    GROUP BY lower(l.target_column)
),
listed AS (
    SELECT lower(v.column_name) AS key, v.column_name, v.ordinal, v.data_type
    FROM schema_versions v JOIN asked USING (dataset)
    WHERE v.valid_to IS NULL
),
known AS (
    SELECT lower(c.column_name) AS key, c.column_name
    FROM trace_columns c JOIN asked USING (dataset_number)
    WHERE NOT EXISTS (FROM listed)
)
SELECT coalesce(l.ordinal, w.ordinal) AS ordinal,
       coalesce(l.column_name, w.column_name, k.column_name) AS column_name, l.data_type,
       w.sources, w.transformations, w.expressions, w.jobs, w.last_written
FROM listed l
FULL JOIN written w USING (key)
FULL JOIN known k USING (key)
ORDER BY coalesce(l.ordinal, w.ordinal) NULLS LAST, column_name
