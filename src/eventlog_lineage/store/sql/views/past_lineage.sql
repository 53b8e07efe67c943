-- What was current at a time: each job's last succeeded run onto each target before it; with another time, all runs since.
CREATE OR REPLACE MACRO runs_at(at_time, since_time := NULL) AS TABLE
WITH runs AS (
    SELECT job_name, lineage_fingerprint, unnest(list_distinct([first_seen, last_seen])) AS ran_at
    FROM statement_runs
    WHERE succeeded
)
SELECT r.job_name, w.dataset AS target_dataset, r.lineage_fingerprint, max(r.ran_at) AS shown_at
FROM runs r
JOIN named_io w ON w.lineage_fingerprint = r.lineage_fingerprint AND w.direction = 'write'
WHERE r.ran_at <= CAST(at_time AS TIMESTAMP) AND (since_time IS NULL OR r.ran_at >= CAST(since_time AS TIMESTAMP))
GROUP BY r.job_name, w.dataset, r.lineage_fingerprint
QUALIFY since_time IS NOT NULL OR row_number() OVER (
    PARTITION BY r.job_name, w.dataset ORDER BY max(r.ran_at) DESC, r.lineage_fingerprint DESC
) = 1;

-- Whether an edge of a file was valid at a time, or at some time since another one.
CREATE OR REPLACE MACRO is_valid_at(valid_from, valid_to, at_time, since_time) AS
    coalesce(valid_from <= CAST(at_time AS TIMESTAMP), true)
    AND coalesce(valid_to > CAST(coalesce(since_time, at_time) AS TIMESTAMP), true);

CREATE OR REPLACE MACRO lineage_at(at_time, since_time := NULL) AS TABLE
SELECT h.job_name, {edge_columns of l}, h.shown_at
FROM runs_at(at_time, since_time := since_time) h
JOIN named_edges l
  ON l.lineage_fingerprint = h.lineage_fingerprint AND l.target_dataset = h.target_dataset
ANTI JOIN removals m
  ON since_time IS NULL AND m.removed_at > h.shown_at AND m.removed_at <= CAST(at_time AS TIMESTAMP)
 AND (m.dataset = l.target_dataset AND (m.column_name IS NULL OR m.column_name = lower(l.target_column))
      OR m.dataset = l.source_dataset AND m.column_name = lower(l.source_column))
UNION ALL
SELECT l.job_name, {edge_columns of l}, l.first_seen
FROM column_lineage l
WHERE l.origin = 'manual' AND is_valid_at(l.first_seen, l.last_seen, at_time, since_time);

COMMENT ON MACRO TABLE lineage_at IS
    'The edges that were current at a time: those of each job''s last succeeded run onto each target until then, without dropped columns and tables. With since_time, the edges of all succeeded runs between both times.';

-- A name at a time: the dataset with the names that it had before, and the columns that are meant.
CREATE OR REPLACE MACRO names_at(asked) AS TABLE
WITH RECURSIVE found AS MATERIALIZED (
    SELECT d.dataset, lower(c.column_name) AS column_name
    FROM find_name(asked) f
    JOIN trace_datasets d USING (dataset_number)
    LEFT JOIN trace_columns c ON c.node = abs(f.node)
),
datasets_before(dataset) AS (
    SELECT DISTINCT dataset FROM found
    UNION
    SELECT c.old_value
    FROM datasets_before n JOIN schema_changes c ON c.dataset = n.dataset AND c.change = 'table_renamed'
),
columns_before(column_name) AS (
    SELECT DISTINCT column_name FROM found
    UNION
    SELECT lower(c.old_value)
    FROM columns_before n
    JOIN schema_changes c ON lower(c.column_name) = n.column_name AND c.change = 'column_renamed'
    WHERE c.dataset IN (FROM datasets_before)
)
SELECT d.dataset, c.column_name FROM datasets_before d CROSS JOIN columns_before c;

-- The edges on the paths from or to a name at a time. Its states are those of traces.sql. Most edges of a big store are
-- between other datasets than those that paths between datasets reach. DuckDB takes those for more than the edges, which
-- it would hold in memory: as the items of a list they are few.
CREATE OR REPLACE MACRO trace_at(asked, at_time, max_depth, direct_only, up, since_time) AS TABLE
WITH RECURSIVE pairs AS MATERIALIZED (
    SELECT DISTINCT CASE WHEN up THEN target_dataset ELSE source_dataset END AS here,
           CASE WHEN up THEN source_dataset ELSE target_dataset END AS there
    FROM lineage_at(at_time, since_time := since_time)
    WHERE source_dataset IS NOT NULL AND (dependency = 'DIRECT' OR NOT direct_only)
),
near(dataset) AS (
    SELECT dataset FROM names_at(asked)
    UNION
    SELECT p.there FROM near n JOIN pairs p ON p.here = n.dataset
),
edges AS MATERIALIZED (
    SELECT row_number() OVER () AS edge, l.*,
           CASE WHEN dependency = 'DIRECT' THEN 0 ELSE 2 END + CASE WHEN masking THEN 1 ELSE 0 END AS state,
           CASE WHEN up THEN target_dataset ELSE source_dataset END AS here,
           lower(CASE WHEN up THEN target_column ELSE source_column END) AS here_column,
           CASE WHEN up THEN source_dataset ELSE target_dataset END AS there,
           lower(CASE WHEN up THEN source_column ELSE target_column END) AS there_column
    FROM lineage_at(at_time, since_time := since_time) l
    WHERE source_dataset IS NOT NULL AND (dependency = 'DIRECT' OR NOT direct_only)
      AND CASE WHEN up THEN target_dataset ELSE source_dataset END IN (SELECT unnest(list(dataset)) FROM near)
),
reached(dataset, column_name, state, depth, step) AS (
    SELECT dataset, column_name, 0, 0, 0 FROM names_at(asked) WHERE column_name IS NOT NULL
    UNION ALL
    SELECT dataset, column_name, state, min(depth), step + 1
    FROM (
        SELECT dataset, column_name, state, depth, step FROM reached
        UNION ALL
        SELECT DISTINCT e.there, e.there_column, r.state | e.state, r.depth + 1, r.step
        FROM reached r
        JOIN edges e
          ON e.here = r.dataset
         AND (e.here_column = r.column_name OR e.here_column IS NULL OR r.column_name IS NULL
              OR starts_with(e.here_column, r.column_name || '.') OR starts_with(r.column_name, e.here_column || '.'))
        WHERE r.depth = r.step
    )
    GROUP BY dataset, column_name, state, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
nodes AS MATERIALIZED (
    SELECT dataset, column_name, min(depth) AS depth, bit_or(1 << state) AS states
    FROM reached
    GROUP BY dataset, column_name
)
SELECT min(n.depth) + 1 AS depth, {hop_columns of e}, e.job_name, bool_and(is_masked(f.states)) AS masked
FROM edges e
JOIN nodes n
  ON e.here = n.dataset
 AND (e.here_column = n.column_name OR e.here_column IS NULL OR n.column_name IS NULL
      OR starts_with(e.here_column, n.column_name || '.') OR starts_with(n.column_name, e.here_column || '.'))
JOIN nodes f ON f.dataset = e.there AND f.column_name IS NOT DISTINCT FROM e.there_column
WHERE n.depth < max_depth
GROUP BY CASE WHEN since_time IS NULL THEN e.edge END, {hop_columns of e}, e.job_name;

-- The same between datasets.
CREATE OR REPLACE MACRO dataset_trace_at(asked, at_time, max_depth, direct_only, up, since_time) AS TABLE
WITH RECURSIVE direct AS (
    SELECT DISTINCT job_name, source_dataset, target_dataset FROM lineage_at(at_time, since_time := since_time)
    WHERE dependency = 'DIRECT'
),
pairs AS MATERIALIZED (
    SELECT DISTINCT r.job_name, i.dataset AS source_dataset, r.target_dataset, d.job_name IS NOT NULL AS direct,
           CASE WHEN up THEN r.target_dataset ELSE i.dataset END AS here,
           CASE WHEN up THEN i.dataset ELSE r.target_dataset END AS there
    FROM runs_at(at_time, since_time := since_time) r
    JOIN named_io i ON i.lineage_fingerprint = r.lineage_fingerprint AND i.direction = 'read' AND i.mode <> 'view'
    LEFT JOIN direct d
      ON d.job_name = r.job_name AND d.source_dataset = i.dataset AND d.target_dataset = r.target_dataset
    WHERE d.job_name IS NOT NULL OR NOT direct_only
    UNION
    SELECT l.job_name, l.source_dataset, l.target_dataset, d.job_name IS NOT NULL,
           CASE WHEN up THEN l.target_dataset ELSE l.source_dataset END,
           CASE WHEN up THEN l.source_dataset ELSE l.target_dataset END
    FROM table_lineage l LEFT JOIN direct d USING (job_name, source_dataset, target_dataset)
    WHERE l.origin = 'manual' AND is_valid_at(l.first_seen, l.last_seen, at_time, since_time)
      AND (d.job_name IS NOT NULL OR NOT direct_only)
),
near(dataset, depth, step) AS (
    SELECT dataset, 0, 0 FROM names_at(asked) WHERE column_name IS NULL
    UNION ALL
    SELECT dataset, min(depth), step + 1
    FROM (
        SELECT dataset, depth, step FROM near
        UNION ALL
        SELECT p.there, n.depth + 1, n.step
        FROM near n JOIN pairs p ON p.here = n.dataset
        WHERE n.depth = n.step AND n.depth < max_depth
    )
    GROUP BY dataset, step
    QUALIFY max(min(depth)) OVER () = step + 1
),
nodes AS (SELECT dataset, min(depth) AS depth FROM near GROUP BY dataset)
SELECT n.depth + 1 AS depth, p.source_dataset, p.target_dataset,
       CASE WHEN p.direct THEN 'DIRECT' ELSE 'INDIRECT' END AS dependency, p.job_name
FROM nodes n JOIN pairs p ON p.here = n.dataset
WHERE n.depth < max_depth;

CREATE OR REPLACE MACRO upstream_at(asked, at_time, max_depth := 1000, direct_only := false, since_time := NULL) AS TABLE
FROM trace_at(asked, at_time, max_depth, direct_only, true, since_time)
UNION ALL BY NAME
FROM dataset_trace_at(asked, at_time, max_depth, direct_only, true, since_time)
ORDER BY ALL;

CREATE OR REPLACE MACRO downstream_at(asked, at_time, max_depth := 1000, direct_only := false, since_time := NULL) AS TABLE
FROM trace_at(asked, at_time, max_depth, direct_only, false, since_time)
UNION ALL BY NAME
FROM dataset_trace_at(asked, at_time, max_depth, direct_only, false, since_time)
ORDER BY ALL;

COMMENT ON MACRO TABLE upstream_at IS
    'upstream as of a time, through all hops: the edges that were current then; with since_time, the edges of all runs between both times.';
COMMENT ON MACRO TABLE downstream_at IS
    'downstream as of a time, through all hops: the edges that were current then, or of all runs since since_time; without consumers.';
