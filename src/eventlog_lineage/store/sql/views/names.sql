-- Names in questions. `asked` is a dataset or `dataset.column`, or a list of them: the whole name, an alias, or an ending
-- of either that only one dataset has; case does not matter. A temporary view is meant only where no other dataset
-- has the name: the view belongs to one application, the name to everybody.

-- The names that are asked for; a text is a list of one.
CREATE OR REPLACE MACRO asked_names(asked) AS
    CASE typeof(asked) WHEN 'VARCHAR' THEN [CAST(asked AS VARCHAR)] ELSE TRY_CAST(asked AS VARCHAR[]) END;

CREATE OR REPLACE MACRO find_names(asked) AS TABLE
WITH wanted AS (
    SELECT asked_name, regexp_replace(
        regexp_replace(lower(rtrim(trim(replace(asked_name, '`', '')), '/')), '^s3[an]://', 's3://'),
        '^file:/+', 'file:///'
    ) AS words
    FROM (SELECT DISTINCT unnest(asked_names(asked)) AS asked_name)
),
splits AS (
    SELECT asked_name, words AS "name", '' AS rest FROM wanted
    UNION ALL
    SELECT asked_name, substr(words, 1, dot - 1), substr(words, dot + 1)
    FROM (SELECT asked_name, words, unnest(range(2, length(words))) AS dot FROM wanted)
    WHERE substr(words, dot, 1) = '.'
),
named AS (
    SELECT c.asked_name, n.dataset_number, c.rest,
           CASE WHEN d.kind = 'temp_view' THEN 4 ELSE 0 END + CASE WHEN n.whole THEN 0 ELSE 2 END
               + CASE WHEN c.rest = '' THEN 0 ELSE 1 END AS rank
    FROM splits c
    JOIN trace_names n ON n."name" = c."name"
    JOIN trace_datasets t ON t.dataset_number = n.dataset_number
    LEFT JOIN datasets d ON d.dataset = t.dataset
),
nested AS (
    -- the column and the fields within it; without either the innermost struct around it
    SELECT n.asked_name, n.dataset_number, n.rest, n.rank, c.node, c.column_name,
           CASE WHEN starts_with(n.rest, lower(c.column_name) || '.') THEN length(n.rest) - length(c.column_name)
                ELSE 0 END AS distance
    FROM named n JOIN trace_columns c ON c.dataset_number = n.dataset_number
    WHERE n.rest <> ''
      AND (lower(c.column_name) = n.rest
           OR starts_with(lower(c.column_name), n.rest || '.')
           OR starts_with(n.rest, lower(c.column_name) || '.'))
    QUALIFY distance = min(distance) OVER (PARTITION BY n.asked_name, n.dataset_number, n.rest, n.rank)
),
found AS (
    SELECT asked_name, dataset_number, rest, rank, CAST(NULL AS BIGINT) AS node
    FROM named WHERE rest = ''
    UNION ALL
    -- a struct in place of a field that no edge names has its own edges only: its number is negative
    SELECT asked_name, dataset_number, rest, rank, CASE WHEN distance > 0 THEN -node ELSE node END FROM nested
),
best AS (SELECT * FROM found QUALIFY rank = min(rank) OVER (PARTITION BY asked_name))
SELECT DISTINCT f.asked_name, d.dataset, f.rest, f.dataset_number, f.node
FROM best f JOIN trace_datasets d USING (dataset_number);

-- What each name means; a name that means nothing, or several things, is an error.
CREATE OR REPLACE MACRO find_name(asked) AS TABLE
WITH found AS MATERIALIZED (FROM find_names(asked)),
verdict AS (
    SELECT w.asked_name, count(DISTINCT f.dataset || ' ' || f.rest) AS datasets,
           string_agg(DISTINCT concat_ws('.', f.dataset, nullif(f.rest, '')), ', ') AS names
    FROM (SELECT DISTINCT unnest(asked_names(asked)) AS asked_name) w LEFT JOIN found f USING (asked_name)
    GROUP BY w.asked_name
)
SELECT DISTINCT
       CASE v.datasets
           WHEN 1 THEN f.dataset_number
           WHEN 0 THEN CAST(error('no dataset or column of the store is called ' || v.asked_name) AS BIGINT)
           ELSE CAST(error(v.asked_name || ' can mean several: ' || v.names) AS BIGINT)
       END AS dataset_number, f.node
FROM verdict v LEFT JOIN found f USING (asked_name);

-- Full names: FROM resolve(['orders', 'orders.id']) has a row for each name, resolve('orders') is a text.
CREATE OR REPLACE MACRO resolve(asked) AS TABLE
WITH meant AS (
    SELECT DISTINCT asked_name, dataset, CASE WHEN rest = '' THEN NULL ELSE rest END AS rest, dataset_number
    FROM find_names(asked)
    WHERE dataset_number IN (SELECT dataset_number FROM find_name(asked))
)
SELECT m.asked_name AS asked, concat_ws('.', m.dataset, m.column_name) AS full_name, m.dataset, m.column_name
FROM (
    SELECT m.asked_name, m.dataset, coalesce(any_value(c.column_name), m.rest) AS column_name
    FROM meant m LEFT JOIN trace_columns c
      ON c.dataset_number = m.dataset_number AND lower(c.column_name) = m.rest
    GROUP BY m.asked_name, m.dataset, m.rest
) m
ORDER BY ALL;

CREATE OR REPLACE MACRO resolve(asked) AS (SELECT any_value(full_name) FROM resolve(asked));

COMMENT ON MACRO TABLE resolve IS
    'The full name of each dataset or column; an unknown or ambiguous name is an error. As a scalar function, resolve(''orders'') is the full name.';
