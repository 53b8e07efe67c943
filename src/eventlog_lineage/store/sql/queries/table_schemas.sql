-- The schemas in the own metadata of the datasets in dataset_batch, in the order in which the tables had them.
SELECT dataset, schema_id, changed_at, columns, comments
FROM (
    SELECT b.dataset, s.*
    FROM dataset_batch b
    JOIN dataset_names n ON n.dataset = b.dataset
    JOIN table_schemas s ON s.location = n."name"
    UNION ALL
    SELECT b.dataset, s.*
    FROM dataset_batch b
    JOIN table_schemas s ON s.location = b.dataset
)
ORDER BY dataset, changed_at, TRY_CAST(schema_id AS BIGINT)
