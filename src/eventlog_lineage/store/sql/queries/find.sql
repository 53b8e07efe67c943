-- Where a word occurs: names of datasets, columns and jobs, and expressions; names that begin with it come first.
WITH found AS (
    SELECT 'dataset' AS kind, d.dataset AS "name", d.kind AS detail, lower(d.dataset) AS text,
           lower(split_part(replace(d.dataset, '/', '.'), '.', -1)) AS ending
    FROM datasets d
    UNION ALL
    SELECT 'dataset', a.dataset, 'also ' || a.alias, lower(a.alias), lower(split_part(replace(a.alias, '/', '.'), '.', -1))
    FROM dataset_aliases a
    UNION ALL
    SELECT 'column', t.dataset || '.' || c.column_name, coalesce(v.data_type, ''), lower(c.column_name), lower(c.column_name)
    FROM trace_columns c
    JOIN trace_datasets t USING (dataset_number)
    LEFT JOIN schema_versions v
      ON v.dataset = t.dataset AND v.valid_to IS NULL AND lower(v.column_name) = lower(c.column_name)
    UNION ALL
    SELECT 'job', job_name, 'last run ' || strftime(max(started_at), '%Y-%m-%d %H:%M'), lower(job_name), lower(job_name)
    FROM executions
    WHERE job_name IS NOT NULL
    GROUP BY job_name
    UNION ALL
    SELECT DISTINCT 'expression', concat_ws('.', target_dataset, target_column), expression, lower(expression),
           lower(expression)
    FROM column_lineage
    WHERE is_current AND expression <> ''
)
SELECT kind, "name", any_value(detail ORDER BY detail) AS detail
FROM found
WHERE contains(text, lower($word))
GROUP BY kind, "name", CASE WHEN kind = 'expression' THEN detail END
ORDER BY min(CASE WHEN ending = lower($word) THEN 0 WHEN starts_with(ending, lower($word)) THEN 1 ELSE 2 END),
         CASE kind WHEN 'dataset' THEN 0 WHEN 'column' THEN 1 WHEN 'job' THEN 2 ELSE 3 END, "name", detail
