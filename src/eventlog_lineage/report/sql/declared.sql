-- What files declare: of a dataset or a column by its node, of a job by its name.
WITH placed AS (
    SELECT CASE WHEN e.column_name IS NULL THEN d.node ELSE c.node END AS node, e.*
    FROM declarations e
    LEFT JOIN report_datasets d USING (dataset)
    LEFT JOIN report_columns c ON c.dataset = e.dataset AND c.key = lower(e.column_name)
)
SELECT node, job_name AS job, owner, contact, description, type, url, due_seconds AS due
FROM placed
WHERE node IS NOT NULL OR job_name IS NOT NULL
ORDER BY node NULLS LAST, job_name
