-- What there is: jobs, their runs, tables, columns. Relations by the names that people try first.

CREATE OR REPLACE VIEW runs AS
WITH moved AS (
    SELECT lineage_fingerprint,
           list_sort(list(dataset) FILTER (direction = 'write')) AS targets,
           list_sort(list(dataset) FILTER (direction = 'read' AND mode <> 'view')) AS sources
    FROM named_io
    GROUP BY lineage_fingerprint
)
SELECT e.job_name, e.started_at, e.ended_at, e.duration_ms, e.status, e.error,
       coalesce(e.user_name, a.user_name) AS user_name, a.app_name, e.description,
       e.sql_text, e.scheduler, e.scheduler_task, m.targets, m.sources, e.rows_written, e.bytes_written, e.files_written,
       e.executor_run_ms, e.executor_cpu_ms, e.input_bytes, e.shuffle_read_bytes, e.shuffle_write_bytes,
       e.memory_spilled_bytes, e.disk_spilled_bytes, a.platform, a.engine, a.spark_version, e.app_id, e.attempt_id,
       e.execution_id
FROM executions e
LEFT JOIN applications a USING (app_id, attempt_id)
LEFT JOIN moved m USING (lineage_fingerprint)
WHERE e.execution_id = e.root_execution_id;

CREATE OR REPLACE VIEW jobs AS
WITH placed AS (
    SELECT *, row_number() OVER (
               PARTITION BY job_name ORDER BY started_at DESC NULLS LAST, app_id DESC, execution_id DESC
           ) AS place
    FROM runs
    WHERE job_name IS NOT NULL
)
SELECT job_name, count(*) AS runs, count(*) FILTER (status = 'failed') AS failed_runs, min(started_at) AS first_run,
       max(started_at) AS last_run, max(started_at) FILTER (status = 'succeeded') AS last_success,
       arg_min(status, place) AS last_status, arg_min(user_name, place) AS last_user,
       arg_min(app_name, place) AS last_app_name,
       round(median(duration_ms / 1000.0) FILTER (status = 'succeeded') * 10) / 10 AS median_seconds,
       round(sum(executor_run_ms) / 100.0) / 10 AS executor_seconds,
       list_sort(list_distinct(flatten(list(targets) FILTER (targets IS NOT NULL)))) AS targets,
       list_sort(list_distinct(flatten(list(sources) FILTER (sources IS NOT NULL)))) AS sources
FROM placed
GROUP BY job_name;

-- When each dataset was last written and read, and by how many jobs; a run that failed does not count.
CREATE OR REPLACE VIEW dataset_uses AS
WITH spans AS (
    SELECT lineage_fingerprint, max(last_seen) AS last_at, list(DISTINCT job_name) AS jobs
    FROM statement_runs
    WHERE status <> 'failed'
    GROUP BY lineage_fingerprint
)
SELECT i.dataset, max(s.last_at) FILTER (i.direction = 'write') AS last_written,
       max(s.last_at) FILTER (i.direction = 'read') AS last_read,
       len(list_distinct(flatten(list(s.jobs) FILTER (i.direction = 'write')))) AS writers,
       len(list_distinct(flatten(list(s.jobs) FILTER (i.direction = 'read')))) AS readers
FROM named_io i JOIN spans s USING (lineage_fingerprint)
GROUP BY i.dataset;

-- The columns of each dataset today: those of its schema, or, where no statement shows one, those that edges name.
CREATE OR REPLACE VIEW dataset_columns AS
WITH listed AS (
    SELECT dataset, column_name, ordinal, data_type FROM schema_versions WHERE valid_to IS NULL
)
SELECT dataset, column_name, ordinal, data_type FROM listed
UNION ALL BY NAME
SELECT t.dataset, c.column_name
FROM trace_columns c JOIN trace_datasets t USING (dataset_number)
WHERE t.dataset NOT IN (SELECT dataset FROM listed);

CREATE OR REPLACE VIEW tables AS
WITH counted AS (
    SELECT dataset, count(*) FILTER (NOT contains(column_name, '.')) AS column_count FROM dataset_columns GROUP BY dataset
)
SELECT d.dataset, n.catalog_name, n.schema_name, n.table_name, d.kind, d.format, d.location,
       coalesce(c.column_count, 0) AS column_count, u.last_written, u.last_read, coalesce(u.writers, 0) AS writers,
       coalesce(u.readers, 0) AS readers, d.first_seen, d.last_seen
FROM datasets d
JOIN unity_names n USING (dataset)
LEFT JOIN counted c USING (dataset)
LEFT JOIN dataset_uses u USING (dataset)
WHERE d.kind IN ('table', 'view');

CREATE OR REPLACE VIEW columns AS
WITH written AS (
    SELECT target_dataset AS dataset, lower(target_column) AS key, min(target_ordinal) AS ordinal,
           list_sort(list_distinct(list(source_dataset || '.' || source_column) FILTER (source_column IS NOT NULL)))
               AS sources,
           list_sort(list_distinct(list(transformation) FILTER (transformation IS NOT NULL))) AS transformations,
           list_sort(list_distinct(list(expression) FILTER (expression <> ''))) AS expressions,
           list_sort(list_distinct(list(job_name))) AS jobs, max(last_seen) AS last_written
    FROM column_lineage
    WHERE target_column IS NOT NULL AND is_current
    GROUP BY ALL
)
SELECT c.dataset, n.catalog_name, n.schema_name, n.table_name, c.column_name, coalesce(c.ordinal, w.ordinal) AS ordinal,
       c.data_type, w.sources, w.transformations, w.expressions, w.jobs, w.last_written
FROM dataset_columns c
LEFT JOIN unity_names n USING (dataset)
LEFT JOIN written w ON w.dataset = c.dataset AND w.key = lower(c.column_name);

COMMENT ON VIEW runs IS 'One row is a run of a statement: its job, who ran it, how it ended, what it read and wrote.';
COMMENT ON VIEW jobs IS
    'One row is a job: how often it ran and failed, when last and by whom, the median of its succeeded runs, what it reads and writes.';
COMMENT ON VIEW tables IS
    'One row is a table or a view: its name in parts, its columns, when it was last written and read, and by how many jobs; datasets has paths and topics as well.';
COMMENT ON VIEW columns IS
    'One row is a column of a dataset today: its type, and the sources, expressions and jobs that make its value.';
