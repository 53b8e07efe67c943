-- The schemas and the lineage of a store at a time; the current ones if no time is passed. One row is a dataset, a
-- column with its type, or an edge with its expression.
WITH edges AS (
    SELECT target_dataset, target_column, source_dataset, source_column, transformation, expression
    FROM column_lineage
    WHERE CAST($at AS TIMESTAMP) IS NULL AND is_current AND source_column IS NOT NULL
    UNION ALL
    SELECT target_dataset, target_column, source_dataset, source_column, transformation, expression
    FROM lineage_at(CAST($at AS TIMESTAMP))
    WHERE source_column IS NOT NULL
),
columns AS (
    SELECT dataset, column_name, any_value(data_type) AS data_type
    FROM schema_versions
    WHERE CASE WHEN CAST($at AS TIMESTAMP) IS NULL THEN valid_to IS NULL
               ELSE valid_from <= CAST($at AS TIMESTAMP)
                    AND (valid_to IS NULL OR valid_to > CAST($at AS TIMESTAMP)) END
    GROUP BY dataset, column_name
),
dropped AS (
    SELECT dataset FROM schema_changes
    WHERE change IN ('table_dropped', 'table_created')
      AND (CAST($at AS TIMESTAMP) IS NULL OR changed_at <= CAST($at AS TIMESTAMP))
    GROUP BY dataset
    HAVING last(change ORDER BY changed_at) = 'table_dropped'
),
named AS (
    SELECT dataset FROM columns
    UNION
    SELECT target_dataset FROM edges
    UNION
    SELECT source_dataset FROM edges
    UNION
    SELECT dataset FROM datasets
    WHERE CAST($at AS TIMESTAMP) IS NULL OR first_seen <= CAST($at AS TIMESTAMP)
)
SELECT 'dataset' AS kind, dataset, '' AS column_name, '' AS source, '' AS transformation, '' AS "value"
FROM named
WHERE dataset IS NOT NULL AND dataset NOT IN (FROM dropped)
  AND dataset NOT IN (SELECT dataset FROM datasets WHERE kind = 'temp_view')
UNION ALL
SELECT 'column', dataset, column_name, '', '', coalesce(data_type, '') FROM columns WHERE dataset NOT IN (FROM dropped)
UNION ALL
SELECT 'edge', target_dataset, coalesce(target_column, ''), source_dataset || '.' || source_column, transformation,
       string_agg(DISTINCT coalesce(expression, ''), ' | ' ORDER BY coalesce(expression, ''))
FROM edges
GROUP BY ALL
