-- Views of the store. First internal ones: lineages with canonical names.

-- The parts of the name of a table or view; NULL for a dataset that has another kind of name.
CREATE OR REPLACE MACRO name_parts(dataset, kind) AS
    CASE WHEN kind IN ('table', 'view', 'temp_view') THEN string_split(dataset, '.') END;
CREATE OR REPLACE MACRO catalog_of(parts) AS CASE WHEN len(parts) > 2 THEN parts[1] END;
CREATE OR REPLACE MACRO schema_of(parts) AS
    CASE WHEN len(parts) > 2 THEN array_to_string(parts[2:len(parts) - 1], '.') WHEN len(parts) = 2 THEN parts[1] END;
CREATE OR REPLACE MACRO table_of(parts) AS parts[len(parts)];

-- The system that a dataset is in: `postgres`, `mongodb`, `s3`, the scheme of its name; of a table its format.
CREATE OR REPLACE MACRO system_of(dataset, kind, format) AS
    CASE WHEN kind IN ('table', 'view', 'temp_view') OR (format NOT IN ('', 'jdbc') AND NOT contains(dataset, ':/'))
         THEN format
         ELSE coalesce(nullif(regexp_extract(dataset, '^([a-z][a-z0-9+.-]*):', 1), ''), format) END;

CREATE OR REPLACE VIEW named_edges AS
SELECT e.* REPLACE (
           coalesce(s.dataset, e.source_dataset) AS source_dataset, coalesce(t.dataset, e.target_dataset) AS target_dataset
       )
FROM lineage_edges e
LEFT JOIN dataset_names s ON s."name" = e.source_dataset
LEFT JOIN dataset_names t ON t."name" = e.target_dataset;

-- Whether a definition is of a table of the session catalog alone: DROP TABLE, TRUNCATE TABLE and RENAME keep a table
-- that is in another system and has two names (3.5 to 4.3, V1 tables USING jdbc).
CREATE OR REPLACE MACRO is_of_catalog(name, is_definition) AS
    is_definition AND coalesce(NOT contains(name, '/'), false);

CREATE OR REPLACE VIEW named_io AS
SELECT i.lineage_fingerprint, coalesce(n.dataset, i.dataset) AS dataset, i.direction,
       max(i.mode) AS mode,
       CASE WHEN count(*) = 1 THEN any_value(i.columns)
            ELSE list_sort(list_distinct(flatten(list(i.columns)))) END AS columns
FROM lineage_io i LEFT JOIN dataset_names n ON n."name" = i.dataset
WHERE NOT is_of_catalog(n."name", i.mode IN ('alter', 'drop', 'truncate'))
GROUP BY i.lineage_fingerprint, coalesce(n.dataset, i.dataset), i.direction;

CREATE OR REPLACE VIEW named_joins AS
WITH named AS (
    SELECT j.lineage_fingerprint, coalesce(l.dataset, j.left_dataset) AS left_dataset, j.left_column,
           coalesce(r.dataset, j.right_dataset) AS right_dataset, j.right_column, j."operator", j.expression
    FROM lineage_joins j
    LEFT JOIN dataset_names l ON l."name" = j.left_dataset
    LEFT JOIN dataset_names r ON r."name" = j.right_dataset
)
SELECT DISTINCT * FROM named WHERE (left_dataset, left_column) <= (right_dataset, right_column)
UNION
SELECT lineage_fingerprint, right_dataset, right_column, left_dataset, left_column,
       CASE "operator" WHEN '<' THEN '>' WHEN '<=' THEN '>=' WHEN '>' THEN '<' WHEN '>=' THEN '<=' ELSE "operator" END,
       expression
FROM named WHERE (left_dataset, left_column) > (right_dataset, right_column);

-- Dropped columns and tables, with the time. A table that the same application created is an intermediate result: its
-- edges stay current.
CREATE OR REPLACE VIEW removals AS
SELECT dataset, lower(column_name) AS column_name, changed_at AS removed_at
FROM schema_changes d
WHERE change = 'column_dropped'
   OR change = 'table_dropped' AND NOT EXISTS (
       FROM schema_changes m
       WHERE m.change = 'table_created' AND m.dataset = d.dataset AND m.changed_at <= d.changed_at
         AND m.app_id = d.app_id AND m.attempt_id IS NOT DISTINCT FROM d.attempt_id
   );

CREATE OR REPLACE VIEW execution_column_lineage AS
SELECT e.app_id, e.attempt_id, e.execution_id, e.job_name, e.started_at, e.status, {edge_columns of l}
FROM executions e JOIN named_edges l USING (lineage_fingerprint);

CREATE OR REPLACE VIEW column_lineage_spread AS
WITH columns AS (
    SELECT DISTINCT job_name, target_dataset, target_column, target_ordinal, is_current
    FROM column_lineage
    WHERE target_column IS NOT NULL
)
SELECT *, false AS spread FROM column_lineage WHERE target_column IS NOT NULL
UNION ALL BY NAME
SELECT w.* REPLACE (c.target_column AS target_column, c.target_ordinal AS target_ordinal), true AS spread
FROM column_lineage w
JOIN columns c
  ON c.job_name = w.job_name AND c.target_dataset = w.target_dataset AND c.is_current = w.is_current
WHERE w.target_column IS NULL;

-- Datasets split into names as Unity Catalog has them.
CREATE OR REPLACE VIEW unity_names AS
WITH named AS (SELECT *, name_parts(dataset, kind) AS parts FROM datasets)
SELECT dataset,
       CASE WHEN parts IS NOT NULL THEN dataset END AS full_name,
       catalog_of(parts) AS catalog_name, schema_of(parts) AS schema_name, table_of(parts) AS table_name,
       nullif(location, '') AS path,
       CASE kind WHEN 'table' THEN 'TABLE' WHEN 'view' THEN 'VIEW' WHEN 'path' THEN 'PATH' ELSE upper(kind) END AS type
FROM named;

-- The columns of flink-sql-lineage's results (catalog, database, table, column, transform), then ours. A column that is
-- passed on unchanged has no transform there.
CREATE OR REPLACE VIEW field_lineage AS
WITH rows AS (
    SELECT job_name, source_dataset, source_column, target_dataset, target_column, expression,
           bool_and(transformation = 'IDENTITY') AS is_copy,
           any_value(transformation ORDER BY dependency, transformation) AS transformation
    FROM column_lineage
    WHERE is_current AND source_column IS NOT NULL AND target_column IS NOT NULL
    GROUP BY ALL
)
SELECT s.catalog_name AS source_catalog, s.schema_name AS source_database,
       r.source_dataset AS source_table, r.source_column,
       t.catalog_name AS target_catalog, t.schema_name AS target_database,
       r.target_dataset AS target_table, r.target_column,
       CASE WHEN NOT r.is_copy THEN r.expression END AS transform,
       r.transformation, r.job_name
FROM rows r
LEFT JOIN unity_names s ON s.dataset = r.source_dataset
LEFT JOIN unity_names t ON t.dataset = r.target_dataset;

-- One row is a statement. An event's id is a UUID there; here it follows from the statement's key.
CREATE OR REPLACE VIEW unity_runs AS
WITH keyed AS (
    SELECT *, concat_ws('/', app_id, nullif(attempt_id, '')) AS run_id,
           concat_ws('/', app_id, nullif(attempt_id, ''), execution_id) AS statement_id
    FROM executions
)
SELECT e.app_id, e.attempt_id, e.execution_id, e.lineage_fingerprint,
       CAST(NULL AS VARCHAR) AS account_id, CAST(NULL AS VARCHAR) AS metastore_id,
       CAST(NULL AS VARCHAR) AS workspace_id,
       'JOB' AS entity_type, e.job_name AS entity_id, e.run_id AS entity_run_id,
       a.user_name AS created_by, e.started_at AS event_time, CAST(e.started_at AS DATE) AS event_date,
       CAST(CAST(md5(e.statement_id) AS UUID) AS VARCHAR) AS event_id, e.statement_id,
       {'job_info': {'job_id': e.job_name, 'job_run_id': e.run_id},
        'dlt_pipeline_info': CAST(NULL AS STRUCT(dlt_pipeline_id VARCHAR, dlt_update_id VARCHAR)),
        'notebook_id': CAST(NULL AS VARCHAR), 'dashboard_id': CAST(NULL AS VARCHAR),
        'legacy_dashboard_id': CAST(NULL AS VARCHAR), 'sql_query_id': CAST(NULL AS VARCHAR),
        'genie_space_id': CAST(NULL AS VARCHAR), 'alert_id': CAST(NULL AS VARCHAR)} AS entity_metadata
FROM keyed e LEFT JOIN applications a USING (app_id, attempt_id)
WHERE e.lineage_fingerprint IS NOT NULL AND e.status = 'succeeded';

-- Views and everything that they are made of, through views of views.
CREATE OR REPLACE VIEW unity_view_sources AS
WITH RECURSIVE definitions AS (
    SELECT l.target_dataset AS view_dataset, l.source_dataset
    FROM table_lineage l JOIN datasets d ON d.dataset = l.target_dataset
    WHERE d.kind = 'view'
),
reached AS (
    FROM definitions
    UNION
    SELECT r.view_dataset, d.source_dataset
    FROM reached r JOIN definitions d ON d.view_dataset = r.source_dataset
)
FROM reached;

-- What each lineage reads, and whether its statements name it. A dataset that a view of the statement is made of is
-- reached through the view. Where the store has no definition of a view that is read, that is not known: NULL.
CREATE OR REPLACE VIEW unity_reads AS
WITH reads AS (
    SELECT i.lineage_fingerprint, i.dataset, i.mode, d.kind = 'view' AS is_view
    FROM named_io i LEFT JOIN datasets d USING (dataset)
    WHERE i.direction = 'read' AND (i.mode <> 'view' OR d.kind = 'view')
),
through AS (
    SELECT v.lineage_fingerprint, s.source_dataset AS dataset
    FROM reads v JOIN unity_view_sources s ON s.view_dataset = v.dataset
    WHERE v.mode = 'view'
    GROUP BY ALL
),
undefined AS (
    SELECT DISTINCT lineage_fingerprint FROM reads
    WHERE mode = 'view' AND dataset NOT IN (SELECT view_dataset FROM unity_view_sources)
)
SELECT r.lineage_fingerprint, r.dataset,
       CASE WHEN t.dataset IS NOT NULL THEN false
            WHEN u.lineage_fingerprint IS NOT NULL AND r.mode <> 'view' THEN NULL
            ELSE true END AS direct_access
FROM reads r
LEFT JOIN through t USING (lineage_fingerprint, dataset)
LEFT JOIN undefined u USING (lineage_fingerprint);

CREATE OR REPLACE VIEW system_access_table_lineage AS
WITH writes AS (FROM named_io WHERE direction = 'write'),
     pairs AS (
        SELECT lineage_fingerprint, r.dataset AS source_dataset, w.dataset AS target_dataset, w.mode,
               CASE WHEN r.dataset IS NULL THEN true ELSE r.direct_access END AS direct_access
        FROM unity_reads r FULL JOIN writes w USING (lineage_fingerprint)
     )
SELECT u.account_id, u.metastore_id, u.workspace_id, u.entity_type, u.entity_id, u.entity_run_id,
       s.full_name AS source_table_full_name, s.catalog_name AS source_table_catalog,
       s.schema_name AS source_table_schema, s.table_name AS source_table_name,
       s.path AS source_path, s.type AS source_type,
       t.full_name AS target_table_full_name, t.catalog_name AS target_table_catalog,
       t.schema_name AS target_table_schema, t.table_name AS target_table_name,
       t.path AS target_path, t.type AS target_type,
       u.created_by, u.event_time, u.event_date,
       CAST(CAST(md5(concat_ws(chr(31), u.statement_id, coalesce(p.source_dataset, ''),
                               coalesce(p.target_dataset, ''))) AS UUID) AS VARCHAR) AS record_id,
       u.event_id, u.statement_id, u.entity_metadata, p.direct_access, p.mode
FROM unity_runs u
JOIN pairs p USING (lineage_fingerprint)
LEFT JOIN unity_names s ON s.dataset = p.source_dataset
LEFT JOIN unity_names t ON t.dataset = p.target_dataset;

CREATE OR REPLACE VIEW system_access_column_lineage AS
SELECT u.account_id, u.metastore_id, u.workspace_id, u.entity_type, u.entity_id, u.entity_run_id,
       s.full_name AS source_table_full_name, s.catalog_name AS source_table_catalog,
       s.schema_name AS source_table_schema, s.table_name AS source_table_name,
       s.path AS source_path, s.type AS source_type, l.source_column AS source_column_name,
       t.full_name AS target_table_full_name, t.catalog_name AS target_table_catalog,
       t.schema_name AS target_table_schema, t.table_name AS target_table_name,
       t.path AS target_path, t.type AS target_type, l.target_column AS target_column_name,
       u.created_by, u.event_time, u.event_date,
       CAST(CAST(md5(concat_ws(chr(31), u.statement_id, l."position")) AS UUID) AS VARCHAR) AS record_id,
       u.event_id, u.statement_id, u.entity_metadata, CASE WHEN r.dataset IS NULL THEN true ELSE r.direct_access END AS direct_access,
       l.dependency AS transformation_type, l.transformation AS transformation_subtype, l.expression
FROM unity_runs u
JOIN named_edges l USING (lineage_fingerprint)
LEFT JOIN unity_reads r ON r.lineage_fingerprint = l.lineage_fingerprint AND r.dataset = l.source_dataset
LEFT JOIN unity_names s ON s.dataset = l.source_dataset
LEFT JOIN unity_names t ON t.dataset = l.target_dataset
WHERE l.source_column IS NOT NULL AND l.target_column IS NOT NULL;

COMMENT ON VIEW execution_column_lineage IS
    'One row is an edge of one statement, failed statements included; a query without a write has no target dataset.';
COMMENT ON VIEW column_lineage_spread IS
    'column_lineage, where an influence on a whole target is a row for each of its columns (spread).';
COMMENT ON VIEW field_lineage IS 'One row is a current edge from column to column, with the columns of flink-sql-lineage''s results.';
COMMENT ON VIEW system_access_table_lineage IS
    'One row is a succeeded statement''s read and write, with the columns of Unity Catalog''s system.access.table_lineage.';
COMMENT ON VIEW system_access_column_lineage IS
    'One row is a succeeded statement''s edge from column to column, with the columns of Unity Catalog''s system.access.column_lineage.';
