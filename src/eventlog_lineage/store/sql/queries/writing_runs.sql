-- The last runs that wrote datasets, the newest first, at most $most of each job and dataset: with user, application, log and
-- the snapshot that was made.
WITH writes AS (
    SELECT lineage_fingerprint, dataset, max(mode) AS mode
    FROM named_io
    WHERE direction = 'write' AND dataset IN (SELECT unnest($datasets))
    GROUP BY ALL
),
ranked AS (
    SELECT w.dataset, w.mode, e.*,
           row_number() OVER (
               PARTITION BY w.dataset, e.job_name ORDER BY e.started_at DESC NULLS LAST, e.app_id DESC, e.execution_id DESC
           ) AS place,
           count(*) OVER (PARTITION BY w.dataset, e.job_name) AS runs
    FROM executions e JOIN writes w USING (lineage_fingerprint)
    WHERE e.execution_id = e.root_execution_id AND ($until IS NULL OR e.started_at <= CAST($until AS TIMESTAMP))
)
SELECT r.dataset, r.mode, r.job_name, r.runs, r.started_at, r.status, r.error,
       coalesce(r.user_name, a.user_name) AS user_name, a.app_name, a.code_version, r.rows_written, i.snapshot_id,
       coalesce(r.sql_text, r.description) AS statement, r.app_id, r.attempt_id, r.execution_id, a.log_path
FROM ranked r
LEFT JOIN applications a USING (app_id, attempt_id)
LEFT JOIN (SELECT app_id, attempt_id, execution_id, dataset, snapshot_id FROM dataset_io WHERE direction = 'write') i
  ON i.app_id = r.app_id AND i.attempt_id = r.attempt_id AND i.execution_id = r.execution_id AND i.dataset = r.dataset
WHERE r.place <= $most
ORDER BY r.started_at DESC NULLS LAST, r.dataset, r.job_name
