-- Gaps by the dataset that their statement writes; those of a query or a whole log have none.
WITH targets AS (
    SELECT DISTINCT app_id, attempt_id, execution_id, dataset FROM dataset_io WHERE direction = 'write'
)
SELECT d.node AS dataset, e.job_name AS job, g.reason, g.operator, g.detail, g.hint, count(*) AS "count"
FROM gaps g
LEFT JOIN executions e USING (app_id, attempt_id, execution_id)
LEFT JOIN targets t
  ON t.app_id = g.app_id AND t.attempt_id = g.attempt_id
 AND t.execution_id = coalesce(e.root_execution_id, g.execution_id)
LEFT JOIN report_datasets d ON d.dataset = t.dataset
GROUP BY ALL
ORDER BY d.node NULLS LAST, "count" DESC, g.reason, g.detail, e.job_name
LIMIT 20000
