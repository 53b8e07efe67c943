-- The columns at one end of the paths of values to or from some names (?), the nearest first.
SELECT {end}_dataset AS dataset, {end}_column AS column_name, min(depth) AS hops, bool_and(masked) AS masked,
       any_value(transformation ORDER BY depth, transformation) AS transformation,
       any_value(expression ORDER BY depth, expression) AS expression, list_sort(list(DISTINCT job_name)) AS jobs,
       list(DISTINCT [source_dataset, lower(source_column)]) AS sources
FROM {macro}(CAST(? AS VARCHAR[]), direct_only := true)
WHERE target_column IS NOT NULL AND {end}_column IS NOT NULL AND source_dataset IS NOT NULL
GROUP BY ALL
ORDER BY hops, dataset, column_name
