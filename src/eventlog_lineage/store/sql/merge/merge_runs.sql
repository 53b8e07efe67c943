-- What follows the applications and executions themselves (upsert.py merges those).

-- Metrics only grow while a log grows.
CREATE OR REPLACE TEMP TABLE merged_io_metrics AS
WITH handed AS (SELECT h.* FROM handed_io_metrics h ANTI JOIN dropped_applications d USING (app_id, attempt_id)),
     stored AS (
        SELECT s.* FROM io_metrics s
        SEMI JOIN handed h USING (app_id, attempt_id, execution_id, dataset, direction)
     )
SELECT app_id, attempt_id, execution_id, dataset, direction,
       max("rows") AS "rows", max("bytes") AS "bytes", max(files) AS files
FROM (FROM handed UNION ALL FROM stored)
GROUP BY app_id, attempt_id, execution_id, dataset, direction;

DELETE FROM io_metrics USING merged_io_metrics m
WHERE io_metrics.app_id = m.app_id AND io_metrics.attempt_id = m.attempt_id
  AND io_metrics.execution_id = m.execution_id
  AND io_metrics.dataset = m.dataset AND io_metrics.direction = m.direction;
INSERT INTO io_metrics BY NAME SELECT * FROM merged_io_metrics;

-- Snapshots and micro-batches are told of a whole log at once: what follows can say more of what was before.
DELETE FROM run_snapshots USING (SELECT DISTINCT app_id, attempt_id, execution_id FROM handed_executions) h
WHERE run_snapshots.app_id = h.app_id AND run_snapshots.attempt_id = h.attempt_id
  AND run_snapshots.execution_id = h.execution_id;
INSERT INTO run_snapshots BY NAME
SELECT h.* FROM handed_run_snapshots h ANTI JOIN dropped_applications d USING (app_id, attempt_id)
QUALIFY row_number() OVER (
    PARTITION BY app_id, attempt_id, execution_id, dataset, direction ORDER BY snapshot_confidence, snapshot_id
) = 1;

DELETE FROM batch_sources
USING (SELECT DISTINCT app_id, attempt_id, stream_run_id, stream_batch_id FROM handed_batch_sources) h
WHERE batch_sources.app_id = h.app_id AND batch_sources.attempt_id = h.attempt_id
  AND batch_sources.stream_run_id = h.stream_run_id AND batch_sources.stream_batch_id = h.stream_batch_id;
INSERT INTO batch_sources BY NAME
SELECT h.* FROM handed_batch_sources h ANTI JOIN dropped_applications d USING (app_id, attempt_id)
QUALIFY row_number() OVER (
    PARTITION BY app_id, attempt_id, stream_run_id, stream_batch_id, source_number ORDER BY end_offset DESC NULLS LAST
) = 1;

-- A log that was read again says all that is wrong with it as a whole.
DELETE FROM log_gaps USING handed_keys k
WHERE log_gaps.app_id = k.app_id AND log_gaps.attempt_id = k.attempt_id AND log_gaps.execution_id IS NULL;
INSERT INTO log_gaps BY NAME
SELECT h.* FROM handed_gaps h ANTI JOIN dropped_applications d USING (app_id, attempt_id)
EXCEPT
SELECT * FROM log_gaps;

-- Lineages that came to be known, or known otherwise, later than the executions that have them.
CREATE OR REPLACE TEMP TABLE relinked AS
SELECT DISTINCT e.app_id, e.attempt_id, e.lineage_id, n.lineage_fingerprint
FROM executions e JOIN new_lineages n USING (lineage_id)
WHERE e.lineage_fingerprint IS DISTINCT FROM n.lineage_fingerprint;

UPDATE executions SET lineage_fingerprint = n.lineage_fingerprint
FROM new_lineages n
WHERE executions.lineage_id = n.lineage_id
  AND executions.lineage_fingerprint IS DISTINCT FROM n.lineage_fingerprint;
