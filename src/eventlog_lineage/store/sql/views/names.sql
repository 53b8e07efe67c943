-- Names in questions. `asked` is a dataset or `dataset.column`: the whole name, an alias, or an ending of either
-- that only one dataset has; case does not matter. A temporary view is meant only where no other dataset has the
-- name: the view belongs to one application, the name to everybody.

CREATE OR REPLACE MACRO find_names(asked) AS TABLE
WITH wanted AS (
    SELECT regexp_replace(
        regexp_replace(lower(rtrim(trim(replace(asked, '`', '')), '/')), '^s3[an]://', 's3://'), '^file:/+', 'file:///'
    ) AS words
),
splits AS (
    SELECT words AS "name", '' AS rest FROM wanted
    UNION ALL
    SELECT substr(words, 1, dot - 1), substr(words, dot + 1)
    FROM (SELECT words, unnest(range(2, length(words))) AS dot FROM wanted)
    WHERE substr(words, dot, 1) = '.'
),
named AS (
    SELECT n.dataset_number, c.rest,
           CASE WHEN d.kind = 'temp_view' THEN 4 ELSE 0 END + CASE WHEN n.whole THEN 0 ELSE 2 END
               + CASE WHEN c.rest = '' THEN 0 ELSE 1 END AS rank
    FROM splits c
    JOIN trace_names n ON n."name" = c."name"
    JOIN trace_datasets t ON t.dataset_number = n.dataset_number
    LEFT JOIN datasets d ON d.dataset = t.dataset
),
nested AS (
    -- the column and the fields within it; without either the innermost struct around it
    SELECT n.dataset_number, n.rest, n.rank, c.node, c.column_name,
           CASE WHEN starts_with(n.rest, lower(c.column_name) || '.') THEN length(n.rest) - length(c.column_name)
                ELSE 0 END AS distance
    FROM named n JOIN trace_columns c ON c.dataset_number = n.dataset_number
    WHERE n.rest <> ''
      AND (lower(c.column_name) = n.rest
           OR starts_with(lower(c.column_name), n.rest || '.')
           OR starts_with(n.rest, lower(c.column_name) || '.'))
    QUALIFY distance = min(distance) OVER (PARTITION BY n.dataset_number, n.rest, n.rank)
),
found AS (
    SELECT dataset_number, rest, rank, CAST(NULL AS BIGINT) AS node
    FROM named WHERE rest = ''
    UNION ALL
    -- a struct in place of a field that no edge names has its own edges only: its number is negative
    SELECT dataset_number, rest, rank, CASE WHEN distance > 0 THEN -node ELSE node END FROM nested
)
SELECT DISTINCT d.dataset, f.rest, f.dataset_number, f.node
FROM found f JOIN trace_datasets d USING (dataset_number)
WHERE f.rank = (SELECT min(rank) FROM found);

CREATE OR REPLACE MACRO find_name(asked) AS TABLE
WITH found AS MATERIALIZED (FROM find_names(asked)),
verdict AS (
    SELECT count(DISTINCT dataset || ' ' || rest) AS datasets,
           string_agg(DISTINCT concat_ws('.', dataset, nullif(rest, '')), ', ') AS names
    FROM found
)
SELECT CASE v.datasets
           WHEN 1 THEN f.dataset_number
           WHEN 0 THEN CAST(error('no dataset or column of the store is called ' || asked) AS BIGINT)
           ELSE CAST(error(asked || ' can mean several: ' || v.names) AS BIGINT)
       END AS dataset_number, f.node
FROM verdict v LEFT JOIN found f ON true;
