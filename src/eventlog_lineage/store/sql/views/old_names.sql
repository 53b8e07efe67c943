-- Views and macros of 0.1.0 that have another name, other columns or no use today. They stay in `main` until 0.3.0.
-- A view looks for names where it is, a macro where its caller does: names of `internal` have their schema here.

CREATE OR REPLACE VIEW main.ended_things AS
SELECT dataset, column_name, removed_at AS ended_at FROM internal.removals;

COMMENT ON VIEW main.ended_things IS 'Deprecated: this is internal.removals since 0.2.0; the old name goes with 0.3.0.';

CREATE OR REPLACE VIEW main.seen_datasets AS
SELECT s.dataset, d.namespace, d."name", s.kind, s."format", s.location
FROM internal.seen_datasets s
LEFT JOIN internal.dataset_names n ON n."name" = s.dataset
LEFT JOIN main.datasets d ON d.dataset = coalesce(n.dataset, s.dataset);

COMMENT ON VIEW main.seen_datasets IS 'Deprecated: this is internal.seen_datasets since 0.2.0; the old name goes with 0.3.0.';

CREATE OR REPLACE MACRO main.find_names(asked) AS TABLE
SELECT dataset, rest, dataset_number, node FROM internal.find_names(asked);

CREATE OR REPLACE MACRO main.find_name(asked) AS TABLE
SELECT dataset_number, node FROM internal.find_name(asked);

CREATE OR REPLACE MACRO main.dataset_trace(asked, max_depth, direct_only, up) AS TABLE
SELECT depth, source_dataset, source_column, target_dataset, target_column, dependency, transformation, masking,
       expression, confidence, job_name
FROM upstream(asked, max_depth := max_depth, direct_only := direct_only)
WHERE up AND transformation IS NULL
UNION ALL
SELECT depth, source_dataset, source_column, target_dataset, target_column, dependency, transformation, masking,
       expression, confidence, job_name
FROM downstream(asked, max_depth := max_depth, direct_only := direct_only)
WHERE NOT up AND transformation IS NULL AND last_read IS NULL;

CREATE OR REPLACE MACRO main.reach_datasets(asked, max_depth, direct_only, up) AS TABLE
SELECT DISTINCT s.dataset_number AS source_number, t.dataset_number AS target_number, d.depth,
       d.dependency = 'DIRECT' AS direct
FROM dataset_trace(asked, max_depth, direct_only, up) d
JOIN internal.trace_datasets s ON s.dataset = d.source_dataset
JOIN internal.trace_datasets t ON t.dataset = d.target_dataset;

-- An edge is a row of column_lineage.
CREATE OR REPLACE MACRO main.reach_up(asked, max_depth, direct_only) AS TABLE
SELECT l.rowid AS edge, min(u.depth) AS depth
FROM upstream(asked, max_depth := max_depth, direct_only := direct_only) u
JOIN column_lineage l
  ON l.job_name = u.job_name AND l.target_dataset = u.target_dataset
 AND l.source_dataset IS NOT DISTINCT FROM u.source_dataset
 AND l.source_column IS NOT DISTINCT FROM u.source_column
 AND l.target_column IS NOT DISTINCT FROM u.target_column
 AND l.dependency = u.dependency AND l.transformation = u.transformation
 AND l.expression IS NOT DISTINCT FROM u.expression
WHERE l.is_current
GROUP BY l.rowid;

CREATE OR REPLACE MACRO main.reach_down(asked, max_depth, direct_only, whole_dataset) AS TABLE
SELECT l.rowid AS edge, min(d.depth) AS depth
FROM internal.reach_down(asked, max_depth, direct_only, whole_dataset) d
JOIN column_lineage l
  ON l.job_name = d.job_name AND l.target_dataset = d.target_dataset
 AND l.source_dataset IS NOT DISTINCT FROM d.source_dataset
 AND l.source_column IS NOT DISTINCT FROM d.source_column
 AND l.target_column IS NOT DISTINCT FROM d.target_column
 AND l.dependency = d.dependency AND l.transformation = d.transformation
 AND l.expression IS NOT DISTINCT FROM d.expression
WHERE l.is_current
GROUP BY l.rowid;

COMMENT ON MACRO TABLE main.find_names IS 'Deprecated: use resolve; this name goes with 0.3.0.';
COMMENT ON MACRO TABLE main.find_name IS 'Deprecated: use resolve; this name goes with 0.3.0.';
COMMENT ON MACRO TABLE main.dataset_trace IS 'Deprecated: use upstream or downstream; this name goes with 0.3.0.';
COMMENT ON MACRO TABLE main.reach_datasets IS 'Deprecated: use upstream or downstream; this name goes with 0.3.0.';
COMMENT ON MACRO TABLE main.reach_up IS 'Deprecated: use upstream; this name goes with 0.3.0.';
COMMENT ON MACRO TABLE main.reach_down IS 'Deprecated: use downstream or impact; this name goes with 0.3.0.';
