-- How the columns of $datasets are made, nested fields included; a copy has no expression, and its original's type.
SELECT target_dataset, made, way, list_sort(list(DISTINCT source))
FROM (
    SELECT target_dataset, lower(target_column) AS made, if(transformation = 'IDENTITY', '', expression) AS way,
           [source_dataset, lower(source_column)] AS source, job_name
    FROM column_lineage
    WHERE target_dataset IN (SELECT unnest($datasets)) AND target_column IS NOT NULL AND source_column IS NOT NULL
    UNION ALL
    SELECT source_dataset, lower(source_column), '', [target_dataset, lower(target_column)], job_name
    FROM column_lineage
    WHERE source_dataset IN (SELECT unnest($datasets)) AND transformation = 'IDENTITY'
      AND target_dataset IS NOT NULL AND target_column IS NOT NULL)
WHERE way <> '' OR source <> [target_dataset, made]
GROUP BY target_dataset, made, way, if(way = '', source, [job_name])
