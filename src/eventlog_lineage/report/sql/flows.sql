-- Bytes that statements read from one dataset to write another, over all runs in the store.
WITH reads AS (SELECT app_id, attempt_id, execution_id, dataset, bytes FROM dataset_io WHERE direction = 'read' AND bytes > 0),
writes AS (SELECT DISTINCT app_id, attempt_id, execution_id, dataset FROM dataset_io WHERE direction = 'write')
SELECT s.node AS source, t.node AS target, CAST(least(sum(r.bytes), 9e15) AS BIGINT) AS bytes
FROM reads r
JOIN writes w USING (app_id, attempt_id, execution_id)
JOIN report_datasets s ON s.dataset = r.dataset
JOIN report_datasets t ON t.dataset = w.dataset
WHERE s.node <> t.node
GROUP BY ALL
ORDER BY source, target
