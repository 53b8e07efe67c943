-- Traces: the edges on all paths to or from a name, through all hops, as table macros.
--
-- A path has a state of two bits: 2 once a step of it is an influence (INDIRECT), 1 once a step masks. A column is masked
-- if every path that brings a value masks (state 1 and no state 0); where no path brings a value, if every influence goes
-- through a mask (state 3 and no state 2). All paths count for that, however few hops are asked for. States are followed
-- only where an edge masks: most of the work is finding the edges, and without a mask nothing is masked. The edges found
-- are looked up as the items of a list: DuckDB 2.0.1 takes them for more than all edges, which it would hold in memory.

-- Whether the paths to a column mask, by their states: bit 1 << state is set for each.
CREATE OR REPLACE MACRO is_masked(states) AS
    CASE WHEN states & 1 <> 0 THEN false WHEN states & 2 <> 0 THEN true ELSE states & 4 = 0 END;

CREATE OR REPLACE MACRO upstream(asked, max_depth := 1000, direct_only := false) AS TABLE
WITH RECURSIVE named AS MATERIALIZED (FROM find_name(asked)),
start AS MATERIALIZED (SELECT dataset_number, node FROM named WHERE node IS NOT NULL),
masks AS MATERIALIZED (SELECT rowid AS edge FROM column_lineage WHERE masking AND is_current),
horizon AS MATERIALIZED (SELECT CASE WHEN EXISTS (FROM masks) THEN 1000000 ELSE max_depth END AS hops),
near(dataset_number, depth, step) AS (
    SELECT DISTINCT dataset_number, 0, 0 FROM named
    UNION ALL
    SELECT dataset_number, min(depth), step + 1
    FROM (
        SELECT dataset_number, depth, step FROM near
        UNION ALL
        SELECT p.source_number, n.depth + 1, n.step
        FROM near n JOIN trace_pairs p ON p.target_number = n.dataset_number
        WHERE n.depth = n.step AND n.depth < (SELECT hops FROM horizon) AND (p.direct OR NOT direct_only)
    )
    GROUP BY dataset_number, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
edges AS MATERIALIZED (
    SELECT source_node, target_node, edge, way, direct FROM trace_edges
    WHERE way < 2 AND (direct OR NOT direct_only)
      AND target_node // 16777216 IN (SELECT dataset_number FROM near WHERE EXISTS (FROM start))
),
local AS MATERIALIZED (
    SELECT source_node, target_node, edge, direct FROM edges
    UNION ALL
    SELECT e.source_node, s.node, e.edge, e.direct
    FROM edges e JOIN start s ON s.node = -e.target_node
    WHERE e.way = 0
    UNION ALL
    -- all columns of a dataset come from what each of them comes from
    SELECT e.source_node, w.node, e.edge, e.direct
    FROM edges e
    JOIN (SELECT DISTINCT source_node AS node FROM edges WHERE source_node < 0) w
      ON w.node = e.target_node % 16777216 - e.target_node
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
nodes AS (SELECT node, min(depth) AS depth FROM reached GROUP BY node),
found AS (
    SELECT e.edge, e.source_node, min(n.depth) + 1 AS depth
    FROM nodes n JOIN local e ON e.target_node = n.node
    WHERE n.depth < max_depth
    GROUP BY e.edge, e.source_node
),
local_masks AS MATERIALIZED (SELECT DISTINCT e.edge FROM local e SEMI JOIN masks m ON m.edge = e.edge),
steps AS MATERIALIZED (
    SELECT e.source_node, e.target_node,
           CASE WHEN e.direct THEN 0 ELSE 2 END + CASE WHEN m.edge IS NULL THEN 0 ELSE 1 END AS state
    FROM local e LEFT JOIN local_masks m ON m.edge = e.edge
    WHERE EXISTS (FROM local_masks)
),
states(node, state) AS (
    SELECT unnest([node, dataset_number * 16777216]), 0 FROM start
    UNION
    SELECT unnest([e.source_node, e.source_node - e.source_node % 16777216]), s.state | e.state
    FROM states s JOIN steps e ON e.target_node = s.node
),
masked AS (SELECT node FROM states GROUP BY node HAVING is_masked(bit_or(1 << state))),
near_datasets AS (
    SELECT dataset_number, min(depth) AS depth FROM near
    WHERE depth < max_depth AND EXISTS (FROM named WHERE node IS NULL)
    GROUP BY dataset_number
)
SELECT f.depth, {hop_columns of l}, l.job_name, f.source_node IN (FROM masked) AS masked
FROM (SELECT unnest(list(found)) AS f FROM found) JOIN column_lineage l ON l.rowid = f.edge
UNION ALL BY NAME
SELECT n.depth + 1 AS depth, s.dataset AS source_dataset, t.dataset AS target_dataset,
       CASE WHEN p.direct THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency, l.job_name
FROM near_datasets n
JOIN trace_pairs p ON p.target_number = n.dataset_number AND (p.direct OR NOT direct_only)
JOIN trace_datasets s ON s.dataset_number = p.source_number
JOIN trace_datasets t ON t.dataset_number = p.target_number
LEFT JOIN table_lineage l ON l.source_dataset = s.dataset AND l.target_dataset = t.dataset AND l.is_current
ORDER BY ALL;

-- What depends on a name. The edges on the paths from a column, with the number of hops, whether all paths to their target
-- mask, and whether one of them brings values (direct); the steps between datasets, where a dataset is asked for; the
-- consumers: jobs that read and write nothing (last_read). `whole_dataset` starts at all columns of a dataset.
-- A dataset as a whole is column 0 of it.
CREATE OR REPLACE MACRO reach_down(asked, max_depth, direct_only, whole_dataset) AS TABLE
WITH RECURSIVE named AS MATERIALIZED (FROM find_name(asked)),
start AS MATERIALIZED (
    SELECT f.dataset_number, coalesce(f.node, c.node) AS node
    FROM named f
    LEFT JOIN trace_columns c ON f.node IS NULL AND whole_dataset AND c.dataset_number = f.dataset_number
    WHERE coalesce(f.node, c.node) IS NOT NULL
),
masks AS MATERIALIZED (SELECT rowid AS edge FROM column_lineage WHERE masking AND is_current),
readers AS MATERIALIZED (FROM reader_columns),
-- paths of values decide what is DIRECT: of columns in `impact`, of readers
wanted AS MATERIALIZED (
    SELECT EXISTS (FROM masks) AS masking, whole_dataset OR EXISTS (FROM readers) AS "values"
),
near(dataset_number, depth, step) AS (
    SELECT DISTINCT dataset_number, 0, 0 FROM named
    UNION ALL
    SELECT dataset_number, min(depth), step + 1
    FROM (
        SELECT dataset_number, depth, step FROM near
        UNION ALL
        SELECT p.target_number, n.depth + 1, n.step
        FROM near n JOIN trace_pairs p ON p.source_number = n.dataset_number
        WHERE n.depth = n.step AND (n.depth < max_depth OR (SELECT masking OR "values" FROM wanted))
          AND (p.direct OR NOT direct_only)
    )
    GROUP BY dataset_number, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
edges AS MATERIALIZED (
    SELECT source_node, target_node, edge, way, direct FROM trace_edges
    WHERE way <> 1 AND (direct OR NOT direct_only)
      AND abs(source_node) // 16777216 IN (SELECT dataset_number FROM near WHERE EXISTS (FROM start))
),
local AS MATERIALIZED (
    SELECT source_node, target_node, edge, direct FROM edges
    UNION ALL
    SELECT s.node, e.target_node, e.edge, e.direct FROM edges e JOIN start s ON s.node = -e.source_node WHERE e.way = 0
    UNION ALL
    -- an influence on a whole dataset is one on each of its columns
    SELECT abs(source_node) - abs(source_node) % 16777216, target_node, edge, direct FROM edges
    UNION ALL
    SELECT c.node, e.target_node, e.edge, e.direct
    FROM edges e JOIN trace_columns c ON c.dataset_number = -e.source_node // 16777216
    WHERE e.source_node < 0
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
nodes AS MATERIALIZED (SELECT node, min(depth) AS depth FROM reached WHERE depth < max_depth GROUP BY node),
local_masks AS MATERIALIZED (SELECT DISTINCT e.edge FROM local e SEMI JOIN masks m ON m.edge = e.edge),
steps AS MATERIALIZED (
    SELECT e.source_node, e.target_node,
           CASE WHEN e.direct THEN 0 ELSE 2 END + CASE WHEN m.edge IS NULL THEN 0 ELSE 1 END AS state
    FROM local e LEFT JOIN local_masks m ON m.edge = e.edge
    WHERE EXISTS (FROM local_masks) OR e.direct AND (SELECT "values" FROM wanted)
),
-- without masks only the paths of values are followed: a column without a state is reached by influences alone
walked(node, state) AS (
    SELECT node, 0 FROM start
    UNION
    SELECT e.target_node, w.state | e.state FROM walked w JOIN steps e ON e.source_node = w.node
),
states AS MATERIALIZED (SELECT node, bit_or(1 << state) AS states FROM walked GROUP BY node),
near_datasets AS MATERIALIZED (
    SELECT dataset_number, min(depth) AS depth FROM near
    WHERE depth < max_depth AND EXISTS (FROM named WHERE node IS NULL)
    GROUP BY dataset_number
),
found AS (
    SELECT e.edge, e.target_node, min(n.depth) + 1 AS depth
    FROM nodes n JOIN local e ON e.source_node = n.node
    GROUP BY e.edge, e.target_node
),
uses AS (
    SELECT *, CASE WHEN direct THEN 0 ELSE 2 END + CASE WHEN masking THEN 1 ELSE 0 END AS state,
           unnest([node, dataset_number * 16777216]) AS reached
    FROM readers
    WHERE direct OR NOT direct_only
),
reads AS (
    SELECT u.lineage_fingerprint, u.dataset_number, u.column_name, u.transformation, n.depth,
           coalesce(w.state, 2) | u.state AS state, coalesce(w.state, 2) | u.state < 2 AS direct
    FROM uses u
    JOIN nodes n ON abs(n.node) = u.reached
    LEFT JOIN walked w ON w.node = n.node
    UNION ALL BY NAME
    SELECT r.lineage_fingerprint, r.dataset_number, r.column_name, r.transformation, d.depth, r.direct
    FROM readers r JOIN near_datasets d USING (dataset_number)
),
readings AS (
    SELECT lineage_fingerprint, dataset_number, min(depth) + 1 AS depth, bool_or(direct) AS direct,
           is_masked(bit_or(1 << state)) AS masked,
           list_sort(list_distinct(list(column_name) FILTER (column_name IS NOT NULL))) AS columns,
           list_sort(list_distinct(list(transformation) FILTER (transformation IS NOT NULL))) AS transformations
    FROM reads
    GROUP BY lineage_fingerprint, dataset_number, state IS NULL
    HAVING bool_or(direct OR NOT direct_only)
)
SELECT f.depth, {hop_columns of l}, l.job_name,
       f.target_node IN (SELECT node FROM states WHERE is_masked(states)) AS masked,
       f.target_node IN (SELECT node FROM states WHERE states & 3 <> 0) AS direct,
       CAST(NULL AS VARCHAR) AS user_name, CAST(NULL AS TIMESTAMP) AS last_read, CAST(NULL AS VARCHAR[]) AS columns
FROM (SELECT unnest(list(found)) AS f FROM found) JOIN column_lineage l ON l.rowid = f.edge
UNION ALL BY NAME
SELECT n.depth + 1 AS depth, s.dataset AS source_dataset, t.dataset AS target_dataset,
       CASE WHEN p.direct THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency, l.job_name
FROM near_datasets n
JOIN trace_pairs p ON p.source_number = n.dataset_number AND (p.direct OR NOT direct_only)
JOIN trace_datasets s ON s.dataset_number = p.source_number
JOIN trace_datasets t ON t.dataset_number = p.target_number
LEFT JOIN table_lineage l ON l.source_dataset = s.dataset AND l.target_dataset = t.dataset AND l.is_current
UNION ALL BY NAME
SELECT min(r.depth) AS depth, bool_or(r.direct) AS direct, bool_and(r.masked) AS masked,
       d.dataset AS source_dataset, q.job_name, q.user_name, max(q.last_read) AS last_read,
       list_sort(list_distinct(flatten(list(r.columns)))) AS columns,
       list_sort(list_distinct(flatten(list(r.transformations)))) AS transformations
FROM readings r
JOIN trace_datasets d USING (dataset_number)
JOIN reader_runs q USING (lineage_fingerprint)
GROUP BY d.dataset, q.job_name, q.user_name;

CREATE OR REPLACE MACRO downstream(asked, max_depth := 1000, direct_only := false) AS TABLE
SELECT * EXCLUDE (direct, transformations)
       REPLACE (coalesce(dependency, CASE WHEN direct THEN 'DIRECT' ELSE 'INDIRECT' END) AS dependency)
FROM reach_down(asked, max_depth, direct_only, false)
ORDER BY depth, {hop_columns}, job_name, user_name;

CREATE OR REPLACE MACRO impact(asked, max_depth := 1000) AS TABLE
WITH found AS MATERIALIZED (FROM reach_down(asked, max_depth, false, true)),
columns AS (
    SELECT target_dataset AS dataset, target_column AS column_name, min(depth) AS depth,
           CASE WHEN bool_or(direct) THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency,
           list_sort(list_distinct(list(transformation))) AS transformations,
           list_sort(list_distinct(list(job_name))) AS jobs, bool_and(masked) AS masked
    FROM found
    WHERE source_column IS NOT NULL OR target_column IS NOT NULL
    GROUP BY target_dataset, target_column
),
others AS (
    SELECT target_dataset AS dataset, CAST(NULL AS VARCHAR) AS column_name, min(depth) AS depth,
           'INDIRECT' AS dependency, CAST([] AS VARCHAR[]) AS transformations,
           list_sort(list_distinct(list(job_name))) AS jobs
    FROM found
    WHERE source_column IS NULL AND target_column IS NULL AND target_dataset NOT IN (SELECT dataset FROM columns)
    GROUP BY target_dataset
),
consumers AS (
    SELECT depth, CASE WHEN direct THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency, transformations, [job_name] AS jobs,
           masked, source_dataset AS reads, columns, user_name, last_read
    FROM found
    WHERE last_read IS NOT NULL
)
SELECT dataset, column_name, depth, dependency, transformations, jobs, masked,
       CASE WHEN last_read IS NOT NULL THEN 'consumer' WHEN column_name IS NULL THEN 'dataset' ELSE 'column' END AS kind,
       reads, columns, user_name, last_read
FROM (FROM columns UNION ALL BY NAME FROM others UNION ALL BY NAME FROM consumers)
ORDER BY depth, kind = 'consumer', dataset, column_name NULLS FIRST, reads, jobs, user_name;

COMMENT ON MACRO TABLE upstream IS
    'The edges on all paths to a dataset or a column, the nearest first; depth is the number of hops, masked whether every path from the source column masks.';
COMMENT ON MACRO TABLE downstream IS
    'The edges on all paths from a dataset or a column, the nearest first; depth is the number of hops, masked whether every path to the target column masks. A row without a target is a consumer: a job that reads and writes nothing, with its user, its last read, and the columns.';
COMMENT ON MACRO TABLE impact IS
    'The datasets and columns that a change of a dataset or a column affects, and the consumers that read them: the distance, by value (DIRECT) or by influence only, the kinds of the last edges, the jobs, whether every path masks.';
