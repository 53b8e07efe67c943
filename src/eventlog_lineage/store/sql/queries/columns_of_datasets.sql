-- The columns of datasets ($names): those of the schema of today, else those that edges name.
WITH asked AS (SELECT unnest(CAST($names AS VARCHAR[])) AS dataset),
listed AS (
    SELECT v.dataset, v.column_name FROM schema_versions v SEMI JOIN asked USING (dataset)
    WHERE v.valid_to IS NULL AND NOT contains(v.column_name, '.')
),
named AS (
    SELECT target_dataset AS dataset, target_column AS column_name FROM column_lineage WHERE is_current
    UNION SELECT source_dataset, source_column FROM column_lineage WHERE is_current
)
FROM listed
UNION
SELECT n.dataset, n.column_name
FROM named n SEMI JOIN asked USING (dataset) ANTI JOIN listed USING (dataset)
WHERE n.column_name IS NOT NULL
ORDER BY ALL
