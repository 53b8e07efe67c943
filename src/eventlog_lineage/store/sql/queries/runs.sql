-- Runs of statements, the newest first: of those that write a dataset, of one job, or of all; failed ones only if asked for.
WITH targets AS (
    SELECT lineage_fingerprint, list_sort(list(dataset)) AS targets
    FROM named_io
    WHERE direction = 'write'
    GROUP BY lineage_fingerprint
),
sources AS (
    SELECT lineage_fingerprint, list_sort(list(dataset)) AS reads
    FROM named_io
    WHERE direction = 'read' AND mode <> 'view'
    GROUP BY lineage_fingerprint
)
SELECT e.started_at, e.status, e.job_name, a.user_name, round(e.duration_ms / 100.0) / 10 AS seconds,
       round(e.executor_run_ms / 100.0) / 10 AS executor_seconds, round(e.executor_cpu_ms / 100.0) / 10 AS cpu_seconds,
       e.input_bytes, e.shuffle_read_bytes + e.shuffle_write_bytes AS shuffle_bytes,
       e.disk_spilled_bytes AS spilled_bytes, e.rows_written AS "rows", e.bytes_written AS "bytes", t.targets, s.reads, e.error, e.description, a.app_name,
       nullif(concat_ws(' ', e.scheduler, e.scheduler_task, e.scheduler_run), '') AS scheduler, e.sql_text, e.error AS stack_trace,
       e.app_id, e.attempt_id, e.execution_id
FROM executions e
LEFT JOIN applications a USING (app_id, attempt_id)
LEFT JOIN targets t USING (lineage_fingerprint)
LEFT JOIN sources s USING (lineage_fingerprint)
WHERE e.execution_id = e.root_execution_id
  AND ($dataset IS NULL OR list_contains(t.targets, $dataset))
  AND ($job IS NULL OR e.job_name = $job)
  AND (NOT $failed OR e.status = 'failed')
ORDER BY e.started_at DESC, e.app_id, e.execution_id DESC
