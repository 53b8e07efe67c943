-- Traces: the edges on all paths to or from a name, through all hops, as table macros.
--
-- A path has a state of two bits: 2 once a step of it is an influence (INDIRECT), 1 once a step masks. A column is masked
-- if every path that brings a value masks (state 1 and no state 0); where no path brings a value, if every influence goes
-- through a mask (state 3 and no state 2). All paths count for that, however few hops are asked for.

CREATE OR REPLACE MACRO is_masked(states) AS
    CASE WHEN list_contains(states, 0) THEN false WHEN list_contains(states, 1) THEN true
         ELSE NOT list_contains(states, 2) END;

-- The edges on the paths to a column, with the number of hops, and whether all paths from their source mask.
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
        WHERE n.depth = n.step AND (p.direct OR NOT direct_only)
    )
    GROUP BY dataset_number, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
edges AS MATERIALIZED (
    SELECT e.source_node, e.target_node, e.edge, e.way,
           CASE WHEN e.direct THEN 0 ELSE 2 END + CASE WHEN l.masking THEN 1 ELSE 0 END AS state
    FROM trace_edges e JOIN column_lineage l ON l.rowid = e.edge
    WHERE e.way < 2 AND (e.direct OR NOT direct_only)
      AND e.target_node // 16777216 IN (SELECT dataset_number FROM near)
),
local AS MATERIALIZED (
    SELECT source_node, target_node, edge, state FROM edges
    UNION ALL
    SELECT e.source_node, s.node, e.edge, e.state
    FROM edges e JOIN start s ON s.node = -e.target_node
    WHERE e.way = 0
),
steps AS MATERIALIZED (SELECT DISTINCT source_node, target_node, state FROM local),
reached(node, state, depth, step) AS (
    SELECT DISTINCT unnest([node, dataset_number * 16777216]), 0, 0, 0 FROM start
    UNION ALL
    SELECT node, state, min(depth), step + 1
    FROM (
        SELECT node, state, depth, step FROM reached
        UNION ALL
        SELECT DISTINCT unnest([e.source_node, e.source_node - e.source_node % 16777216]), r.state | e.state,
               r.depth + 1, r.step
        FROM reached r JOIN steps e ON e.target_node = r.node
        WHERE r.depth = r.step
    )
    GROUP BY node, state, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
nodes AS MATERIALIZED (
    SELECT node, min(depth) AS depth, list(DISTINCT state) AS states FROM reached GROUP BY node
)
SELECT e.edge, min(n.depth) + 1 AS depth, bool_and(is_masked(s.states)) AS masked
FROM nodes n
JOIN local e ON e.target_node = n.node
JOIN nodes s ON s.node = e.source_node
WHERE n.depth < max_depth
GROUP BY e.edge;

-- The columns that are reached from a name, itself included, with the number of hops and the states of their paths;
-- `whole_dataset` starts at all columns of a dataset. A dataset as a whole is column 0 of it.
CREATE OR REPLACE MACRO reach_down(asked, direct_only, whole_dataset) AS TABLE
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
        WHERE n.depth = n.step AND (p.direct OR NOT direct_only)
    )
    GROUP BY dataset_number, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
edges AS MATERIALIZED (
    SELECT e.source_node, e.target_node, e.way, e.edge,
           CASE WHEN e.direct THEN 0 ELSE 2 END + CASE WHEN l.masking THEN 1 ELSE 0 END AS state
    FROM trace_edges e JOIN column_lineage l ON l.rowid = e.edge
    WHERE e.way <> 1 AND (e.direct OR NOT direct_only)
      AND e.source_node // 16777216 IN (SELECT dataset_number FROM near)
),
local AS MATERIALIZED (
    SELECT source_node, target_node, edge, state FROM edges
    UNION ALL
    SELECT s.node, e.target_node, e.edge, e.state FROM edges e JOIN start s ON s.node = -e.source_node WHERE e.way = 0
    UNION ALL
    -- an influence on a whole dataset is one on each of its columns
    SELECT source_node - source_node % 16777216, target_node, edge, state FROM edges
),
steps AS MATERIALIZED (SELECT DISTINCT source_node, target_node, state FROM local),
reached(node, state, depth, step) AS (
    SELECT DISTINCT node, 0, 0, 0 FROM start
    UNION ALL
    SELECT node, state, min(depth), step + 1
    FROM (
        SELECT node, state, depth, step FROM reached
        UNION ALL
        SELECT DISTINCT e.target_node, r.state | e.state, r.depth + 1, r.step
        FROM reached r JOIN steps e ON e.source_node = r.node
        WHERE r.depth = r.step
    )
    GROUP BY node, state, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
nodes AS MATERIALIZED (
    SELECT node, min(depth) AS depth, list(DISTINCT state) AS states FROM reached GROUP BY node
)
SELECT n.node, n.depth, n.states, e.edge, t.states AS target_states
FROM nodes n
LEFT JOIN local e ON e.source_node = n.node
LEFT JOIN nodes t ON t.node = e.target_node;

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
)
SELECT dataset_number, min(depth) AS depth FROM near GROUP BY dataset_number;

CREATE OR REPLACE MACRO dataset_trace(asked, max_depth, direct_only, up) AS TABLE
SELECT n.depth + 1 AS depth, s.dataset AS source_dataset, t.dataset AS target_dataset,
       CASE WHEN p.direct THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency, l.job_name
FROM reach_datasets(asked, max_depth, direct_only, up) n
JOIN trace_pairs p ON n.dataset_number = CASE WHEN up THEN p.target_number ELSE p.source_number END
JOIN trace_datasets s ON s.dataset_number = p.source_number
JOIN trace_datasets t ON t.dataset_number = p.target_number
LEFT JOIN table_lineage l ON l.source_dataset = s.dataset AND l.target_dataset = t.dataset AND l.is_current
WHERE n.depth < max_depth AND (p.direct OR NOT direct_only);

-- Queries that write nothing and read what a name flows to: by value or by influence, masked or not.
CREATE OR REPLACE MACRO readers_of_columns(asked, max_depth, direct_only, whole_dataset) AS TABLE
WITH nodes AS MATERIALIZED (
    SELECT DISTINCT abs(node) AS node, depth, unnest(states) AS state
    FROM reach_down(asked, direct_only, whole_dataset)
    WHERE depth < max_depth
),
uses AS (
    SELECT *, CASE WHEN direct THEN 0 ELSE 2 END + CASE WHEN masking THEN 1 ELSE 0 END AS state,
           unnest([node, dataset_number * 16777216]) AS reached
    FROM reader_columns
    WHERE direct OR NOT direct_only
)
SELECT u.lineage_fingerprint, u.dataset_number, min(n.depth) + 1 AS depth, min(n.state | u.state) < 2 AS direct,
       list_sort(list_distinct(list(u.column_name) FILTER (u.column_name IS NOT NULL))) AS columns,
       list_sort(list_distinct(list(u.transformation) FILTER (u.transformation IS NOT NULL))) AS transformations,
       is_masked(list(DISTINCT n.state | u.state)) AS masked
FROM uses u JOIN nodes n ON n.node = u.reached
GROUP BY u.lineage_fingerprint, u.dataset_number;

CREATE OR REPLACE MACRO readers_of_datasets(asked, max_depth, direct_only) AS TABLE
WITH nodes AS MATERIALIZED (FROM reach_datasets(asked, max_depth, direct_only, false) WHERE depth < max_depth)
SELECT r.lineage_fingerprint, r.dataset_number, n.depth + 1 AS depth, bool_or(r.direct) AS direct,
       list_sort(list_distinct(list(r.column_name) FILTER (r.column_name IS NOT NULL))) AS columns,
       list_sort(list_distinct(list(r.transformation) FILTER (r.transformation IS NOT NULL))) AS transformations,
       CAST(NULL AS BOOLEAN) AS masked
FROM reader_columns r JOIN nodes n USING (dataset_number)
GROUP BY r.lineage_fingerprint, r.dataset_number, n.depth
HAVING bool_or(r.direct) OR NOT direct_only;

-- The consumers among them: one row per job, user and dataset.
CREATE OR REPLACE MACRO consumers_of(asked, max_depth, direct_only, whole_dataset) AS TABLE
WITH found AS MATERIALIZED (
    FROM readers_of_columns(asked, max_depth, direct_only, whole_dataset)
    UNION ALL BY NAME
    FROM readers_of_datasets(asked, max_depth, direct_only)
)
SELECT min(f.depth) AS depth, d.dataset AS source_dataset, bool_or(f.direct) AS direct, bool_and(f.masked) AS masked,
       r.job_name, r.user_name, max(r.last_read) AS last_read,
       list_sort(list_distinct(flatten(list(f.columns)))) AS columns,
       list_sort(list_distinct(flatten(list(f.transformations)))) AS transformations
FROM found f
JOIN trace_datasets d USING (dataset_number)
JOIN reader_runs r USING (lineage_fingerprint)
GROUP BY d.dataset, r.job_name, r.user_name;

CREATE OR REPLACE MACRO upstream(asked, max_depth := 1000, direct_only := false) AS TABLE
SELECT r.depth, {hop_columns of l}, l.job_name, r.masked
FROM reach_up(asked, max_depth, direct_only) r
JOIN column_lineage l ON l.rowid = r.edge
UNION ALL BY NAME
FROM dataset_trace(asked, max_depth, direct_only, true)
ORDER BY ALL;

CREATE OR REPLACE MACRO downstream(asked, max_depth := 1000, direct_only := false) AS TABLE
WITH edges AS MATERIALIZED (
    SELECT edge, min(depth) + 1 AS depth, bool_and(is_masked(target_states)) AS masked
    FROM reach_down(asked, direct_only, false)
    WHERE edge IS NOT NULL AND depth < max_depth
    GROUP BY edge
)
SELECT r.depth, {hop_columns of l}, l.job_name, r.masked, CAST(NULL AS VARCHAR) AS user_name,
       CAST(NULL AS TIMESTAMP) AS last_read, CAST(NULL AS VARCHAR[]) AS columns
FROM edges r
JOIN column_lineage l ON l.rowid = r.edge
UNION ALL BY NAME
FROM dataset_trace(asked, max_depth, direct_only, false)
UNION ALL BY NAME
SELECT depth, source_dataset, CASE WHEN direct THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency, job_name, masked,
       user_name, last_read, columns
FROM consumers_of(asked, max_depth, direct_only, false)
ORDER BY ALL;

CREATE OR REPLACE MACRO impact(asked, max_depth := 1000) AS TABLE
WITH edges AS MATERIALIZED (
    SELECT edge, min(depth) + 1 AS depth, any_value(target_states) AS states
    FROM reach_down(asked, false, true)
    WHERE edge IS NOT NULL AND depth < max_depth
    GROUP BY edge
),
columns AS (
    SELECT l.target_dataset AS dataset, l.target_column AS column_name, min(r.depth) AS depth,
           CASE WHEN bool_or(list_min(r.states) < 2) THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency,
           list_sort(list_distinct(list(l.transformation))) AS transformations,
           list_sort(list_distinct(list(l.job_name))) AS jobs, bool_and(is_masked(r.states)) AS masked
    FROM edges r
    JOIN column_lineage l ON l.rowid = r.edge
    GROUP BY l.target_dataset, l.target_column
),
others AS (
    SELECT t.target_dataset AS dataset, CAST(NULL AS VARCHAR) AS column_name, min(t.depth) AS depth,
           'INDIRECT' AS dependency, CAST([] AS VARCHAR[]) AS transformations,
           list_sort(list_distinct(list(t.job_name))) AS jobs
    FROM dataset_trace(asked, max_depth, false, false) t
    WHERE t.target_dataset NOT IN (SELECT dataset FROM columns)
    GROUP BY t.target_dataset
),
consumers AS (
    SELECT depth, CASE WHEN direct THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency, transformations, [job_name] AS jobs,
           masked, source_dataset AS reads, columns, user_name, last_read
    FROM consumers_of(asked, max_depth, false, true)
)
SELECT dataset, column_name AS "column", depth, dependency, transformations, jobs, masked,
       CASE WHEN last_read IS NOT NULL THEN 'consumer' WHEN column_name IS NULL THEN 'dataset' ELSE 'column' END AS kind,
       column_name, reads, columns, user_name, last_read
FROM (FROM columns UNION ALL BY NAME FROM others UNION ALL BY NAME FROM consumers)
ORDER BY depth, kind = 'consumer', dataset, column_name NULLS FIRST, reads, jobs, user_name;

COMMENT ON MACRO TABLE upstream IS
    'The edges on all paths to a dataset or a column, the nearest first; depth is the number of hops, masked whether every path from the source column masks.';
COMMENT ON MACRO TABLE downstream IS
    'The edges on all paths from a dataset or a column, the nearest first; depth is the number of hops, masked whether every path to the target column masks. A row without a target is a consumer: a job that reads and writes nothing, with its user, its last read, and the columns.';
COMMENT ON MACRO TABLE impact IS
    'The datasets and columns that a change of a dataset or a column affects, and the consumers that read them: the distance, by value (DIRECT) or by influence only, the kinds of the last edges, the jobs, whether every path masks.';
