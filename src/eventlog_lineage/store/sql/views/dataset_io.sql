-- What statements read and write: the datasets of their lineages, with what their executions moved. Nearly every statement
-- writes one dataset: all that its executions wrote went there, whatever the metrics call it. Of a multi-insert it is unknown.
WITH moved AS (
    SELECT m.app_id, m.attempt_id, e.root_execution_id AS execution_id, m.direction,
           CASE WHEN m.direction = 'write' THEN '' ELSE coalesce(n.dataset, m.dataset) END AS dataset,
           CAST(sum(m."rows") AS BIGINT) AS "rows", CAST(sum(m."bytes") AS BIGINT) AS "bytes",
           CAST(sum(m.files) AS BIGINT) AS files
    FROM io_metrics m
    JOIN executions e USING (app_id, attempt_id, execution_id)
    LEFT JOIN dataset_names n ON n."name" = m.dataset
    GROUP BY ALL
),
one_target AS (
    SELECT lineage_fingerprint FROM named_io WHERE direction = 'write' GROUP BY lineage_fingerprint HAVING count(*) = 1
),
snapshots AS (
    SELECT s.app_id, s.attempt_id, s.execution_id, s.direction, coalesce(n.dataset, s.dataset) AS dataset,
           arg_min(s.snapshot_id, s.snapshot_confidence) AS snapshot_id,
           min(s.snapshot_confidence) AS snapshot_confidence  -- exact before inferred
    FROM run_snapshots s
    LEFT JOIN dataset_names n ON n."name" = s.dataset
    GROUP BY ALL
)
SELECT e.app_id, e.attempt_id, e.execution_id, i.dataset, i.direction, i.mode, i.columns,
       m."rows", m."bytes", m.files, s.snapshot_id, s.snapshot_confidence
FROM executions e
JOIN named_io i USING (lineage_fingerprint)
LEFT JOIN one_target t USING (lineage_fingerprint)
LEFT JOIN moved m
  ON m.app_id = e.app_id AND m.attempt_id = e.attempt_id AND m.execution_id = e.execution_id
 AND m.direction = i.direction AND m.dataset = CASE WHEN i.direction = 'write' THEN '' ELSE i.dataset END
 AND (i.direction = 'read' OR t.lineage_fingerprint IS NOT NULL)
LEFT JOIN snapshots s
  ON s.app_id = e.app_id AND s.attempt_id = e.attempt_id AND s.execution_id = e.execution_id
 AND s.direction = i.direction AND s.dataset = i.dataset
