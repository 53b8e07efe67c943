-- What files declare: of a dataset or a column by its node, of a job by its name.
SELECT CASE WHEN e.column_name IS NULL THEN d.node ELSE c.node END AS number, e.job_name, e.owner, e.contact,
       e.description, e.type, e.url, e.due_seconds
FROM declarations e
LEFT JOIN report_datasets d USING (dataset)
LEFT JOIN report_columns c ON c.dataset = e.dataset AND c.key = lower(e.column_name)
WHERE number IS NOT NULL OR e.job_name IS NOT NULL
ORDER BY number NULLS LAST, e.job_name
