-- A dataset ($dataset) and everything that it is made of, the nearest first: the last write that succeeded, the last one
-- that failed after it, when the next one was due by the declared or the usual interval, and what waits. The present is
-- the last event of any harvested log: of the time since then nothing is known. A job that did not run can be missing
-- because a statement before it in its application failed: one of the jobs that ran before it in the application of its
-- last good run.
WITH RECURSIVE up(dataset, depth) AS (
    SELECT CAST($dataset AS VARCHAR), 0
    UNION
    SELECT l.source_dataset, u.depth + 1
    FROM up u JOIN table_lineage l ON l.target_dataset = u.dataset AND l.is_current AND l.source_dataset <> u.dataset
    WHERE u.depth < 50
),
chain AS (SELECT dataset, min(depth) AS depth FROM up GROUP BY dataset),
newest AS (SELECT greatest(max(started_at), max(ended_at)) AS at FROM executions),
writes AS (
    SELECT i.dataset, e.job_name, e.status, e.error, e.started_at, e.app_id, e.attempt_id, e.execution_id,
           coalesce(e.user_name, a.user_name) AS user_name
    FROM chain c
    JOIN dataset_io i USING (dataset)
    JOIN executions e USING (app_id, attempt_id, execution_id)
    LEFT JOIN applications a USING (app_id, attempt_id)
    WHERE i.direction = 'write' AND i.mode NOT IN ('maintenance', 'alter') AND e.execution_id = e.root_execution_id
      AND e.started_at IS NOT NULL
),
good AS (
    SELECT dataset, app_id, attempt_id, max(started_at) AS written_at, arg_max(job_name, started_at) AS job_name
    FROM writes WHERE status = 'succeeded' GROUP BY ALL
),
spaced AS (
    SELECT *, epoch(written_at - lag(written_at) OVER (PARTITION BY dataset ORDER BY written_at)) AS gap FROM good
),
declared AS (SELECT dataset, min(due_seconds) AS due FROM declarations WHERE kind = 'dataset' GROUP BY dataset),
rhythm AS (
    SELECT s.dataset, max(written_at) AS last_good_run, arg_max(job_name, written_at) AS job_name,
           arg_max(app_id, written_at) AS app_id, arg_max(attempt_id, written_at) AS attempt_id,
           coalesce(any_value(d.due), CASE WHEN count(gap) >= 2 THEN 1.05 * median(gap) END) AS longest_gap,
           coalesce(any_value(d.due), CASE WHEN count(gap) >= 2 THEN median(gap) END) AS usual_gap
    FROM spaced s LEFT JOIN declared d USING (dataset) GROUP BY s.dataset
),
failed AS (
    SELECT w.dataset, max(w.started_at) AS failed_at, arg_max(w.job_name, w.started_at) AS job_name,
           arg_max(w.error, w.started_at) AS error, arg_max(w.app_id, w.started_at) AS app_id,
           arg_max(w.execution_id, w.started_at) AS execution_id, arg_max(w.user_name, w.started_at) AS user_name
    FROM writes w LEFT JOIN rhythm r USING (dataset)
    WHERE w.status = 'failed' AND (r.last_good_run IS NULL OR w.started_at > r.last_good_run)
    GROUP BY w.dataset
),
states AS (
    SELECT c.dataset, c.depth, coalesce(f.job_name, r.job_name) AS job_name, r.last_good_run, r.usual_gap,
           r.last_good_run + to_seconds(r.usual_gap) AS due_at, n.at AS newest_run, f.failed_at, f.error, f.app_id,
           f.execution_id, f.user_name,
           CASE WHEN f.dataset IS NOT NULL THEN 'failed'
                WHEN r.dataset IS NULL THEN 'source'
                WHEN r.usual_gap IS NULL THEN 'unknown'
                WHEN epoch(n.at - r.last_good_run) > r.longest_gap THEN 'missing'
                ELSE 'on time' END AS state
    FROM chain c LEFT JOIN rhythm r USING (dataset) LEFT JOIN failed f USING (dataset), newest n
),
earlier AS (
    SELECT s.dataset, max(f.started_at) AS earlier_failed_at, arg_max(f.job_name, f.started_at) AS earlier_job,
           arg_max(f.error, f.started_at) AS earlier_error
    FROM states s
    JOIN rhythm r USING (dataset)
    JOIN executions b ON b.app_id = r.app_id AND b.attempt_id = r.attempt_id AND b.started_at < r.last_good_run
    JOIN executions f
      ON f.job_name = b.job_name AND f.status = 'failed' AND f.execution_id = f.root_execution_id
     AND f.started_at > r.last_good_run
    WHERE s.state = 'missing'
    GROUP BY s.dataset
),
readers AS (
    SELECT i.dataset, list_sort(list(DISTINCT e.job_name)) AS jobs
    FROM dataset_io i JOIN executions e USING (app_id, attempt_id, execution_id)
    WHERE i.direction = 'read' AND i.dataset IN (SELECT dataset FROM chain)
    GROUP BY i.dataset
),
down(root, dataset) AS (
    SELECT dataset, dataset FROM states WHERE state IN ('failed', 'missing')
    UNION
    SELECT d.root, l.target_dataset
    FROM down d JOIN table_lineage l ON l.source_dataset = d.dataset AND l.is_current
),
waiting AS (
    SELECT root AS dataset, list_sort(list(dataset) FILTER (dataset <> root)) AS waiting FROM down GROUP BY root
)
SELECT s.state, s.dataset, s.depth, s.job_name, s.error, s.failed_at, s.last_good_run, s.due_at, s.newest_run, s.user_name,
       coalesce(w.waiting, []) AS waiting, coalesce(list_filter(r.jobs, lambda job: job <> s.job_name), []) AS waiting_jobs,
       s.app_id, s.execution_id, e.earlier_job, e.earlier_failed_at, e.earlier_error
FROM states s
LEFT JOIN waiting w USING (dataset) LEFT JOIN readers r USING (dataset) LEFT JOIN earlier e USING (dataset)
ORDER BY s.depth, s.dataset
