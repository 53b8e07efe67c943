-- What runs cost: executor time, bytes shuffled and spilled, by job, dataset and column. Failed runs cost as well. Only the
-- runs that the store still has count (`--keep`). Where no log of a job has task metrics, its costs are NULL.

CREATE OR REPLACE VIEW job_costs AS
SELECT e.job_name, count(*) AS runs, count(*) FILTER (e.status = 'failed') AS failed_runs,
       TRY_CAST(sum(e.executor_run_ms) AS BIGINT) AS executor_run_ms, CAST(sum(e.executor_cpu_ms) AS BIGINT) AS executor_cpu_ms,
       TRY_CAST(sum(e.executor_run_ms) FILTER (e.status = 'failed') AS BIGINT) AS failed_run_ms,
       TRY_CAST(sum(e.input_bytes) AS BIGINT) AS input_bytes,
       TRY_CAST(sum(e.shuffle_read_bytes) AS BIGINT) AS shuffle_read_bytes,
       TRY_CAST(sum(e.shuffle_write_bytes) AS BIGINT) AS shuffle_write_bytes,
       TRY_CAST(sum(e.memory_spilled_bytes) AS BIGINT) AS memory_spilled_bytes,
       TRY_CAST(sum(e.disk_spilled_bytes) AS BIGINT) AS disk_spilled_bytes,
       any_value(e.scheduler_task ORDER BY e.started_at DESC) AS scheduler_task,
       min(e.started_at) AS first_run, max(e.started_at) AS last_run
FROM executions e
WHERE e.execution_id = e.root_execution_id AND e.job_name IS NOT NULL
GROUP BY e.job_name;

-- The last read of each dataset, and of each of its columns by lower-case name, by statements that do not write it.
CREATE OR REPLACE VIEW other_reads AS
WITH spans AS (
    SELECT lineage_fingerprint, max(last_seen) AS last_at
    FROM statement_runs
    WHERE status <> 'failed'
    GROUP BY lineage_fingerprint
)
SELECT r.dataset, r.columns, s.last_at
FROM named_io r JOIN spans s USING (lineage_fingerprint)
WHERE r.direction = 'read'
  AND NOT EXISTS (
      FROM named_io w
      WHERE w.lineage_fingerprint = r.lineage_fingerprint AND w.direction = 'write' AND w.dataset = r.dataset
  );

-- A statement that writes several datasets costs each an equal share.
CREATE OR REPLACE VIEW dataset_costs AS
WITH targets AS (
    SELECT lineage_fingerprint, dataset, count(*) OVER (PARTITION BY lineage_fingerprint) AS shares
    FROM named_io
    WHERE direction = 'write'
),
spent AS (
    SELECT t.dataset, count(*) AS runs, count(DISTINCT e.job_name) AS jobs,
           TRY_CAST(sum(e.executor_run_ms / t.shares) AS BIGINT) AS executor_run_ms,
           TRY_CAST(sum(e.executor_cpu_ms / t.shares) AS BIGINT) AS executor_cpu_ms,
           TRY_CAST(sum(e.input_bytes / t.shares) AS BIGINT) AS input_bytes,
           TRY_CAST(sum(e.shuffle_read_bytes / t.shares) AS BIGINT) AS shuffle_read_bytes,
           TRY_CAST(sum(e.shuffle_write_bytes / t.shares) AS BIGINT) AS shuffle_write_bytes,
           TRY_CAST(sum(e.memory_spilled_bytes / t.shares) AS BIGINT) AS memory_spilled_bytes,
           TRY_CAST(sum(e.disk_spilled_bytes / t.shares) AS BIGINT) AS disk_spilled_bytes,
           max(e.started_at) AS last_written
    FROM executions e JOIN targets t USING (lineage_fingerprint)
    WHERE e.execution_id = e.root_execution_id
    GROUP BY t.dataset
),
read AS (SELECT dataset, max(last_at) AS last_read FROM other_reads GROUP BY dataset)
SELECT s.*, r.last_read FROM spent s LEFT JOIN read r USING (dataset);

-- Logs do not split a statement's cost by column: each column of a dataset has an equal share of its cost.
CREATE OR REPLACE VIEW column_costs AS
WITH listed AS (
    SELECT v.dataset, v.column_name, v.ordinal, count(*) OVER (PARTITION BY v.dataset) AS shares
    FROM schema_versions v
    WHERE v.valid_to IS NULL
      AND NOT EXISTS (
          FROM schema_versions f
          WHERE f.dataset = v.dataset AND f.valid_to IS NULL AND starts_with(f.column_name, v.column_name || '.')
      )
),
read AS (
    SELECT dataset, column_name, max(last_at) AS last_read
    FROM (SELECT dataset, lower(unnest(columns)) AS column_name, last_at FROM other_reads)
    GROUP BY dataset, column_name
)
SELECT l.dataset, l.column_name, any_value(l.ordinal) AS ordinal,
       TRY_CAST(any_value(c.executor_run_ms / l.shares) AS BIGINT) AS executor_run_ms,
       TRY_CAST(any_value(c.executor_cpu_ms / l.shares) AS BIGINT) AS executor_cpu_ms,
       any_value(c.last_written) AS last_written, max(r.last_read) AS last_read
FROM listed l
JOIN dataset_costs c USING (dataset)
LEFT JOIN read r
  ON r.dataset = l.dataset
 AND (r.column_name = lower(l.column_name) OR starts_with(lower(l.column_name), r.column_name || '.'))
GROUP BY l.dataset, l.column_name;

-- What is written and never read: datasets, and columns of datasets that are read.
CREATE OR REPLACE VIEW unread_costs AS
WITH dropped AS (
    SELECT dataset FROM schema_changes
    WHERE change IN ('table_dropped', 'table_created')
    GROUP BY dataset
    HAVING last(change ORDER BY changed_at) = 'table_dropped'
),
kept AS (
    SELECT c.* FROM dataset_costs c JOIN datasets d USING (dataset)
    WHERE d.kind NOT IN ('view', 'temp_view') AND c.dataset NOT IN (FROM dropped)
      AND c.dataset NOT IN (SELECT old_value FROM schema_changes WHERE change = 'table_renamed')
)
SELECT 'dataset' AS kind, dataset, CAST(NULL AS VARCHAR) AS column_name, executor_run_ms, executor_cpu_ms, last_written
FROM kept
WHERE last_read IS NULL
UNION ALL BY NAME
SELECT 'column' AS kind, c.dataset, c.column_name, c.executor_run_ms, c.executor_cpu_ms, c.last_written
FROM column_costs c JOIN kept k USING (dataset)
WHERE k.last_read IS NOT NULL AND c.last_read IS NULL;

COMMENT ON VIEW job_costs IS
    'One row is a job: executor time in milliseconds, CPU time, bytes read, shuffled and spilled of all its runs, failed ones included.';
COMMENT ON VIEW dataset_costs IS
    'One row is a dataset that statements write, with what they cost, and its last read by others. Several targets of a statement share its cost equally.';
COMMENT ON VIEW column_costs IS
    'One row is a current column: an equal share of the cost of its dataset, and its last read by statements that do not write the dataset.';
COMMENT ON VIEW unread_costs IS
    'One row is a dataset that is written and never read, or such a column of a dataset that is read, and what writing it costs.';
