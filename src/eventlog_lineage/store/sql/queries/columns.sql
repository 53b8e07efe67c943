-- A dataset's columns: their types, how the current writers derive them, their tags, and what files declare.
WITH asked AS (
    SELECT d.dataset, d.dataset_number FROM trace_datasets d WHERE d.dataset = ?
),
written AS (
    SELECT lower(l.target_column) AS key, min(l.target_ordinal) AS ordinal,
           min(l.target_column) AS column_name,
           list_sort(list_distinct(list(concat_ws('.', l.source_dataset, l.source_column))
               FILTER (l.source_dataset IS NOT NULL))) AS sources,
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
tagged AS (
    SELECT lower(t.column_name) AS key, list_sort(list_distinct(list(t.tag))) AS tags
    FROM tags t JOIN asked USING (dataset)
    WHERE t.column_name IS NOT NULL
    GROUP BY lower(t.column_name)
),
declared AS (
    SELECT lower(d.column_name) AS key, nullif(d.owner, '') AS owner, nullif(d.description, '') AS description
    FROM declarations d JOIN asked USING (dataset)
    WHERE d.column_name IS NOT NULL
),
known AS (
    SELECT lower(c.column_name) AS key, c.column_name
    FROM trace_columns c JOIN asked USING (dataset_number)
    WHERE NOT EXISTS (FROM listed)
)
SELECT coalesce(l.ordinal, w.ordinal) AS ordinal,
       coalesce(l.column_name, w.column_name, k.column_name) AS column_name, l.data_type,
       w.sources, w.transformations, w.expressions, w.jobs, w.last_written, coalesce(t.tags, []) AS tags, d.owner,
       d.description
FROM listed l
FULL JOIN written w USING (key)
FULL JOIN known k USING (key)
LEFT JOIN tagged t USING (key)
LEFT JOIN declared d USING (key)
ORDER BY coalesce(l.ordinal, w.ordinal) NULLS LAST, column_name
