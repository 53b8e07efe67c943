-- Names of datasets and columns that begin with what is written, whole or from one of their parts on.
WITH datasets_with AS (
    SELECT DISTINCT n."name", n.dataset_number, n.whole
    FROM trace_names n
    WHERE starts_with(n."name", lower($written))
),
columns_with AS (
    SELECT DISTINCT n."name" || '.' || c.column_name AS "name"
    FROM trace_names n
    JOIN trace_columns c USING (dataset_number)
    WHERE $columns AND starts_with(lower($written), n."name" || '.')
      AND starts_with(lower(n."name" || '.' || c.column_name), lower($written))
)
SELECT "name" FROM (SELECT "name", 0 AS rank FROM columns_with UNION ALL SELECT "name", 1 FROM datasets_with)
GROUP BY "name"
ORDER BY min(rank), length("name"), "name"
LIMIT $most
