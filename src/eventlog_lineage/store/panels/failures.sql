-- Jobs whose last write of a dataset failed, with the jobs that read the dataset and all datasets downstream of it.
WITH RECURSIVE writes AS (
    SELECT i.dataset, e.job_name, e.started_at, e.status, e.error,
           max(e.started_at) FILTER (e.status = 'succeeded') OVER job AS last_succeeded,
           count(*) FILTER (e.status = 'failed') OVER job AS failures,
           row_number() OVER (
               PARTITION BY e.job_name, i.dataset
               ORDER BY e.started_at DESC NULLS LAST, e.app_id DESC, e.attempt_id DESC, e.execution_id DESC
           ) AS newest
    FROM executions e
    JOIN dataset_io i USING (app_id, attempt_id, execution_id)
    WHERE e.execution_id = e.root_execution_id AND i.direction = 'write'
    WINDOW job AS (PARTITION BY e.job_name, i.dataset)
),
failed AS (FROM writes WHERE newest = 1 AND status = 'failed'),
readers AS (
    SELECT DISTINCT i.dataset, e.job_name
    FROM dataset_io i JOIN executions e USING (app_id, attempt_id, execution_id)
    WHERE i.direction = 'read'
),
downstream_of(root, dataset) AS (
    SELECT dataset, dataset FROM failed
    UNION
    SELECT d.root, t.target_dataset
    FROM downstream_of d JOIN table_lineage t ON t.source_dataset = d.dataset AND t.is_current
)
SELECT f.started_at AS failed_at, f.job_name, f.dataset, f.error, f.failures, f.last_succeeded,
       (SELECT count(*) FROM readers r WHERE r.dataset = f.dataset AND r.job_name <> f.job_name) AS waiting_jobs,
       (SELECT list(r.job_name ORDER BY r.job_name) FROM readers r
        WHERE r.dataset = f.dataset AND r.job_name <> f.job_name) AS readers,
       (SELECT count(*) FROM downstream_of d WHERE d.root = f.dataset AND d.dataset <> f.dataset) AS waiting_datasets,
       s."system"
FROM failed f LEFT JOIN datasets s ON s.dataset = f.dataset
ORDER BY failed_at DESC NULLS LAST, f.job_name, f.dataset
