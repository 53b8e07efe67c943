-- Paimon's lineage tables (its proposal PIP-5): which jobs read and write a table, and which snapshots of it; here of all
-- catalogs. A barrier joins a job's reads and writes: a micro-batch, else a statement's run.

CREATE OR REPLACE VIEW source_job_lineage AS
SELECT l.job_name, n.catalog_name, n.schema_name AS database_name, coalesce(n.table_name, l.source_dataset) AS table_name,
       l.job_name AS job, n.schema_name AS database,
       l.source_dataset AS dataset, min(l.first_seen) AS create_time
FROM table_lineage l LEFT JOIN unity_names n ON n.dataset = l.source_dataset
GROUP BY ALL;

CREATE OR REPLACE VIEW sink_job_lineage AS
SELECT l.job_name, n.catalog_name, n.schema_name AS database_name, coalesce(n.table_name, l.target_dataset) AS table_name,
       l.job_name AS job, n.schema_name AS database,
       l.target_dataset AS dataset, min(l.first_seen) AS create_time
FROM table_lineage l LEFT JOIN unity_names n ON n.dataset = l.target_dataset
GROUP BY ALL;

CREATE OR REPLACE VIEW snapshot_lineage AS
SELECT e.job_name,
       CASE WHEN e.stream_query_id IS NOT NULL THEN concat_ws('/', e.stream_query_id, e.stream_batch_id)
            ELSE concat_ws('/', e.app_id, nullif(e.attempt_id, ''), e.execution_id) END AS barrier_id,
       n.catalog_name, n.schema_name AS database_name, coalesce(n.table_name, i.dataset) AS table_name,
       i.snapshot_id, i.snapshot_confidence, i.direction, i.dataset, e.app_id, e.attempt_id, e.execution_id,
       e.started_at AS create_time
FROM dataset_io i
JOIN executions e USING (app_id, attempt_id, execution_id)
LEFT JOIN unity_names n ON n.dataset = i.dataset
WHERE i.snapshot_id IS NOT NULL AND e.status = 'succeeded';

CREATE OR REPLACE VIEW source_snapshot_lineage AS
SELECT s.job_name, s.barrier_id, s.catalog_name, s.database_name, s.table_name, unnest(string_split(s.snapshot_id, ','))
       AS snapshot_id, s.job_name AS job, s.database_name AS database,
       s.snapshot_confidence, s.dataset, s.app_id, s.attempt_id, s.execution_id, s.create_time
FROM snapshot_lineage s
WHERE s.direction = 'read';

CREATE OR REPLACE VIEW sink_snapshot_lineage AS
SELECT s.job_name, s.barrier_id, s.catalog_name, s.database_name, s.table_name, s.snapshot_id,
       s.job_name AS job, s.database_name AS database,
       s.snapshot_confidence, s.dataset, s.app_id, s.attempt_id, s.execution_id, s.create_time
FROM snapshot_lineage s
WHERE s.direction = 'write';

COMMENT ON VIEW source_job_lineage IS 'One row is a job that reads a table, with Paimon''s names.';
COMMENT ON VIEW sink_job_lineage IS 'One row is a job that writes a table, with Paimon''s names.';
COMMENT ON VIEW source_snapshot_lineage IS
    'One row is a snapshot that a micro-batch or a statement''s run (barrier_id) read, with Paimon''s names.';
COMMENT ON VIEW sink_snapshot_lineage IS
    'One row is a snapshot that a micro-batch or a statement''s run (barrier_id) made, with Paimon''s names.';
