-- The schema versions of a dataset until a time, the newest first, with the type of a column.
SELECT version, valid_from,
       string_agg(concat_ws(' ', column_name, nullif(data_type, '')), ', ' ORDER BY ordinal)
           FILTER (NOT contains(column_name, '.')),
       any_value(data_type) FILTER (lower(column_name) = lower(?))
FROM schema_versions WHERE dataset = ? AND (? IS NULL OR valid_from <= ?)
GROUP BY ALL ORDER BY version DESC
