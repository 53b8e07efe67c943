-- The datasets and columns with names most like the name that was asked for: like the whole name, or like its last part.
WITH asked AS (
    SELECT lower($asked) AS whole, lower(split_part(replace($asked, '/', '.'), '.', -1)) AS ending
),
names AS (
    SELECT dataset AS "name", lower(dataset) AS whole, lower(split_part(replace(dataset, '/', '.'), '.', -1)) AS ending,
           0 AS rank
    FROM trace_datasets
    UNION ALL
    SELECT d.dataset || '.' || c.column_name, lower(split_part(d.dataset, '.', -1) || '.' || c.column_name),
           lower(c.column_name), 1
    FROM trace_columns c JOIN trace_datasets d USING (dataset_number)
),
scored AS (
    SELECT n."name", n.rank, greatest(
               jaro_winkler_similarity(n.whole, a.whole), jaro_winkler_similarity(n.ending, a.ending)
           ) AS score
    FROM names n, asked a
)
SELECT "name"
FROM scored
WHERE rank = 0 OR score > 0.9
ORDER BY score DESC, rank, "name"
LIMIT $most
