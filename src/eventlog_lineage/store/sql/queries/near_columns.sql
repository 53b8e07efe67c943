-- The columns of a dataset with names most like the name that was asked for.
SELECT d.dataset || '.' || c.column_name AS "name"
FROM find_names(?) f
JOIN trace_datasets d USING (dataset_number)
JOIN trace_columns c USING (dataset_number)
WHERE f.node IS NULL
ORDER BY jaro_winkler_similarity(lower(c.column_name), lower(?)) DESC, "name"
LIMIT ?
