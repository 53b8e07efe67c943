-- Queries as table macros. `asked` is a dataset or `dataset.column`: the whole name, an alias, or an ending of either
-- that only one dataset has; case does not matter.

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
           CASE WHEN n.whole THEN 0 ELSE 2 END + CASE WHEN c.rest = '' THEN 0 ELSE 1 END AS rank
    FROM splits c JOIN trace_names n ON n."name" = c."name"
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

-- The edges on the paths to a column, with the number of hops; `whole_dataset` starts at all columns of a dataset.
CREATE OR REPLACE MACRO reach_up(asked, max_depth, direct_only) AS TABLE
WITH RECURSIVE start AS MATERIALIZED (SELECT dataset_number, node FROM find_name(asked) WHERE node IS NOT NULL),
near(dataset_number, depth, step) AS (
    SELECT DISTINCT dataset_number, 0, 0 FROM start
    UNION ALL
    SELECT dataset_number, min(depth), step + 1
    FROM (
        SELECT dataset_number, depth, step FROM near
        UNION ALL
        SELECT p.source_number, n.depth + 1, n.step
        FROM near n JOIN trace_pairs p ON p.target_number = n.dataset_number
        WHERE n.depth = n.step AND n.depth < max_depth AND (p.direct OR NOT direct_only)
    )
    GROUP BY dataset_number, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
edges AS MATERIALIZED (
    SELECT source_node, target_node, edge, way FROM trace_edges
    WHERE way < 2 AND (direct OR NOT direct_only)
      AND target_node // 16777216 IN (SELECT dataset_number FROM near)
),
local AS MATERIALIZED (
    SELECT source_node, target_node, edge FROM edges
    UNION ALL
    SELECT e.source_node, s.node, e.edge FROM edges e JOIN start s ON s.node = -e.target_node WHERE e.way = 0
),
reached(node, depth, step) AS (
    SELECT DISTINCT unnest([node, dataset_number * 16777216]), 0, 0 FROM start
    UNION ALL
    SELECT node, min(depth), step + 1
    FROM (
        SELECT node, depth, step FROM reached
        UNION ALL
        SELECT DISTINCT unnest([e.source_node, e.source_node - e.source_node % 16777216]), r.depth + 1, r.step
        FROM reached r JOIN local e ON e.target_node = r.node
        WHERE r.depth = r.step AND r.depth < max_depth
    )
    GROUP BY node, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
nodes AS (SELECT node, min(depth) AS depth FROM reached GROUP BY node)
SELECT e.edge, min(n.depth) + 1 AS depth
FROM nodes n JOIN local e ON e.target_node = n.node
WHERE n.depth < max_depth
GROUP BY e.edge;

CREATE OR REPLACE MACRO reach_down(asked, max_depth, direct_only, whole_dataset) AS TABLE
WITH RECURSIVE start AS MATERIALIZED (
    SELECT f.dataset_number, coalesce(f.node, c.node) AS node
    FROM find_name(asked) f
    LEFT JOIN trace_columns c ON f.node IS NULL AND whole_dataset AND c.dataset_number = f.dataset_number
    WHERE coalesce(f.node, c.node) IS NOT NULL
),
near(dataset_number, depth, step) AS (
    SELECT DISTINCT dataset_number, 0, 0 FROM start
    UNION ALL
    SELECT dataset_number, min(depth), step + 1
    FROM (
        SELECT dataset_number, depth, step FROM near
        UNION ALL
        SELECT p.target_number, n.depth + 1, n.step
        FROM near n JOIN trace_pairs p ON p.source_number = n.dataset_number
        WHERE n.depth = n.step AND n.depth < max_depth AND (p.direct OR NOT direct_only)
    )
    GROUP BY dataset_number, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
edges AS MATERIALIZED (
    SELECT source_node, target_node, edge, way FROM trace_edges
    WHERE way <> 1 AND (direct OR NOT direct_only)
      AND source_node // 16777216 IN (SELECT dataset_number FROM near)
),
local AS MATERIALIZED (
    SELECT source_node, target_node, edge FROM edges
    UNION ALL
    SELECT s.node, e.target_node, e.edge FROM edges e JOIN start s ON s.node = -e.source_node WHERE e.way = 0
    UNION ALL
    -- an influence on a whole dataset is one on each of its columns
    SELECT source_node - source_node % 16777216, target_node, edge FROM edges
),
reached(node, depth, step) AS (
    SELECT DISTINCT node, 0, 0 FROM start
    UNION ALL
    SELECT node, min(depth), step + 1
    FROM (
        SELECT node, depth, step FROM reached
        UNION ALL
        SELECT DISTINCT e.target_node, r.depth + 1, r.step
        FROM reached r JOIN local e ON e.source_node = r.node
        WHERE r.depth = r.step AND r.depth < max_depth
    )
    GROUP BY node, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
nodes AS (SELECT node, min(depth) AS depth FROM reached GROUP BY node)
SELECT e.edge, min(n.depth) + 1 AS depth
FROM nodes n JOIN local e ON e.source_node = n.node
WHERE n.depth < max_depth
GROUP BY e.edge;

-- The same between datasets.
CREATE OR REPLACE MACRO reach_datasets(asked, max_depth, direct_only, up) AS TABLE
WITH RECURSIVE start AS MATERIALIZED (SELECT dataset_number FROM find_name(asked) WHERE node IS NULL),
steps AS MATERIALIZED (
    SELECT CASE WHEN up THEN target_number ELSE source_number END AS here,
           CASE WHEN up THEN source_number ELSE target_number END AS there, direct
    FROM trace_pairs
    WHERE direct OR NOT direct_only
),
near(dataset_number, depth, step) AS (
    SELECT dataset_number, 0, 0 FROM start
    UNION ALL
    SELECT dataset_number, min(depth), step + 1
    FROM (
        SELECT dataset_number, depth, step FROM near
        UNION ALL
        SELECT s.there, n.depth + 1, n.step
        FROM near n JOIN steps s ON s.here = n.dataset_number
        WHERE n.depth = n.step AND n.depth < max_depth
    )
    GROUP BY dataset_number, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
nodes AS (SELECT dataset_number, min(depth) AS depth FROM near GROUP BY dataset_number)
SELECT CASE WHEN up THEN s.there ELSE s.here END AS source_number,
       CASE WHEN up THEN s.here ELSE s.there END AS target_number,
       n.depth + 1 AS depth, s.direct
FROM nodes n JOIN steps s ON s.here = n.dataset_number
WHERE n.depth < max_depth;

CREATE OR REPLACE MACRO dataset_trace(asked, max_depth, direct_only, up) AS TABLE
SELECT r.depth, s.dataset AS source_dataset, t.dataset AS target_dataset,
       CASE WHEN r.direct THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency, l.job_name
FROM reach_datasets(asked, max_depth, direct_only, up) r
JOIN trace_datasets s ON s.dataset_number = r.source_number
JOIN trace_datasets t ON t.dataset_number = r.target_number
LEFT JOIN table_lineage l ON l.source_dataset = s.dataset AND l.target_dataset = t.dataset AND l.is_current;

CREATE OR REPLACE MACRO upstream(asked, max_depth := 1000, direct_only := false) AS TABLE
SELECT r.depth, {hop_columns of l}, l.job_name
FROM reach_up(asked, max_depth, direct_only) r
JOIN column_lineage l ON l.rowid = r.edge
UNION ALL BY NAME
FROM dataset_trace(asked, max_depth, direct_only, true)
ORDER BY ALL;

CREATE OR REPLACE MACRO downstream(asked, max_depth := 1000, direct_only := false) AS TABLE
SELECT r.depth, {hop_columns of l}, l.job_name
FROM reach_down(asked, max_depth, direct_only, false) r
JOIN column_lineage l ON l.rowid = r.edge
UNION ALL BY NAME
FROM dataset_trace(asked, max_depth, direct_only, false)
ORDER BY ALL;

CREATE OR REPLACE MACRO impact(asked, max_depth := 1000) AS TABLE
WITH every AS MATERIALIZED (FROM reach_down(asked, max_depth, false, true)),
valued AS MATERIALIZED (FROM reach_down(asked, max_depth, true, true)),
columns AS (
    SELECT l.target_dataset AS dataset, l.target_column AS column_name, min(r.depth) AS depth,
           CASE WHEN bool_or(v.edge IS NOT NULL) THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency,
           list_sort(list_distinct(list(l.transformation))) AS transformations,
           list_sort(list_distinct(list(l.job_name))) AS jobs
    FROM every r
    JOIN column_lineage l ON l.rowid = r.edge
    LEFT JOIN valued v ON v.edge = r.edge
    GROUP BY l.target_dataset, l.target_column
),
others AS (
    SELECT t.target_dataset AS dataset, CAST(NULL AS VARCHAR) AS column_name, min(t.depth) AS depth,
           'INDIRECT' AS dependency, CAST([] AS VARCHAR[]) AS transformations,
           list_sort(list_distinct(list(t.job_name))) AS jobs
    FROM dataset_trace(asked, max_depth, false, false) t
    WHERE t.target_dataset NOT IN (SELECT dataset FROM columns)
    GROUP BY t.target_dataset
)
SELECT dataset, column_name AS "column", depth, dependency, transformations, jobs
FROM (FROM columns UNION ALL FROM others)
ORDER BY depth, dataset, "column" NULLS FIRST;

-- The edges that were current at a time: those of each job's last succeeded run onto each target before it.
CREATE OR REPLACE MACRO lineage_at(at_time) AS TABLE
WITH runs AS (
    SELECT job_name, lineage_fingerprint, unnest(list_distinct([first_seen, last_seen])) AS ran_at
    FROM statement_runs
    WHERE succeeded
),
held AS (
    SELECT r.job_name, w.dataset AS target_dataset, r.lineage_fingerprint, max(r.ran_at) AS shown_at
    FROM runs r
    JOIN named_io w ON w.lineage_fingerprint = r.lineage_fingerprint AND w.direction = 'write'
    WHERE r.ran_at <= CAST(at_time AS TIMESTAMP)
    GROUP BY r.job_name, w.dataset, r.lineage_fingerprint
    QUALIFY row_number() OVER (
        PARTITION BY r.job_name, w.dataset ORDER BY max(r.ran_at) DESC, r.lineage_fingerprint DESC
    ) = 1
)
SELECT h.job_name, {edge_columns of l}, h.shown_at
FROM held h
JOIN named_edges l
  ON l.lineage_fingerprint = h.lineage_fingerprint AND l.target_dataset = h.target_dataset
ANTI JOIN removals m
  ON m.removed_at > h.shown_at AND m.removed_at <= CAST(at_time AS TIMESTAMP)
 AND (m.dataset = l.target_dataset AND (m.column_name IS NULL OR m.column_name = lower(l.target_column))
      OR m.dataset = l.source_dataset AND m.column_name = lower(l.source_column));

COMMENT ON MACRO TABLE upstream IS
    'The edges on all paths to a dataset or a column, the nearest first; depth is the number of hops.';
COMMENT ON MACRO TABLE downstream IS
    'The edges on all paths from a dataset or a column, the nearest first; depth is the number of hops.';
COMMENT ON MACRO TABLE impact IS
    'The datasets and columns that a change of a dataset or a column affects: the distance, by value (DIRECT) or by influence only, the kinds of the last edges, the jobs.';
COMMENT ON MACRO TABLE lineage_at IS
    'The edges that were current at a time: those of each job''s last succeeded run onto each target until then, without dropped columns and tables.';
