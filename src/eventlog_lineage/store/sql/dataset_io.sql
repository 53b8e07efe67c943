-- What statements read and write: the datasets of their lineages, with what their executions moved. A statement writes
-- one dataset: all that its executions wrote went there, whatever the metrics call it.
WITH moved AS (
    SELECT m.app_id, m.attempt_id, e.root_execution_id AS execution_id, m.direction,
           CASE WHEN m.direction = 'write' THEN '' ELSE coalesce(n.dataset, m.dataset) END AS dataset,
           CAST(sum(m."rows") AS BIGINT) AS "rows", CAST(sum(m."bytes") AS BIGINT) AS "bytes",
           CAST(sum(m.files) AS BIGINT) AS files
    FROM io_metrics m
    JOIN executions e USING (app_id, attempt_id, execution_id)
    LEFT JOIN dataset_names n ON n."name" = m.dataset
    GROUP BY ALL
)
SELECT e.app_id, e.attempt_id, e.execution_id, i.dataset, i.direction, i.mode, i.columns,
       m."rows", m."bytes", m.files, i.snapshot_id, i.snapshot_confidence
FROM executions e
JOIN named_io i USING (lineage_fingerprint)
LEFT JOIN moved m
  ON m.app_id = e.app_id AND m.attempt_id = e.attempt_id AND m.execution_id = e.execution_id
 AND m.direction = i.direction AND m.dataset = CASE WHEN i.direction = 'write' THEN '' ELSE i.dataset END
