-- What belongs to single runs, except the applications and executions themselves, which `_Merge` merges.
-- reads: staged_keys staged_executions staged_io_metrics staged_run_snapshots staged_batch_sources staged_gaps
-- reads: dropped_applications open_io_metrics open_run_snapshots open_log_gaps
-- makes: merged_io_metrics
-- changes: open_io_metrics open_run_snapshots open_batch_sources open_log_gaps

-- Metrics only grow while a log grows. All metrics of an application that is read again are merged: few applications are
-- compared, not many metrics by five columns.
CREATE OR REPLACE TEMP TABLE merged_io_metrics AS
WITH staged AS (SELECT m.* FROM staged_io_metrics m ANTI JOIN dropped_applications d USING (app_id, attempt_id)),
     stored AS (SELECT m.* FROM open_io_metrics m SEMI JOIN staged_keys k USING (app_id, attempt_id))
SELECT app_id, attempt_id, execution_id, dataset, direction,
       max("rows") AS "rows", max("bytes") AS "bytes", max(files) AS files
FROM (FROM staged UNION ALL FROM stored)
GROUP BY app_id, attempt_id, execution_id, dataset, direction;

DELETE FROM open_io_metrics USING staged_keys k
WHERE open_io_metrics.app_id = k.app_id AND open_io_metrics.attempt_id = k.attempt_id;
INSERT INTO open_io_metrics BY NAME SELECT * FROM merged_io_metrics;

-- Snapshots and micro-batches are resolved from a whole log: a later event can complete an earlier one.
DELETE FROM open_run_snapshots
USING (
    SELECT DISTINCT app_id, attempt_id, execution_id
    FROM staged_executions SEMI JOIN open_run_snapshots USING (app_id, attempt_id, execution_id)
) s
WHERE open_run_snapshots.app_id = s.app_id AND open_run_snapshots.attempt_id = s.attempt_id
  AND open_run_snapshots.execution_id = s.execution_id;

INSERT INTO open_run_snapshots BY NAME
SELECT s.* FROM staged_run_snapshots s ANTI JOIN dropped_applications d USING (app_id, attempt_id)
QUALIFY row_number() OVER (
    PARTITION BY app_id, attempt_id, execution_id, dataset, direction ORDER BY snapshot_confidence, snapshot_id
) = 1;

DELETE FROM open_batch_sources
USING (SELECT DISTINCT app_id, attempt_id, stream_run_id, stream_batch_id FROM staged_batch_sources) s
WHERE open_batch_sources.app_id = s.app_id AND open_batch_sources.attempt_id = s.attempt_id
  AND open_batch_sources.stream_run_id = s.stream_run_id AND open_batch_sources.stream_batch_id = s.stream_batch_id;
INSERT INTO open_batch_sources BY NAME
SELECT s.* FROM staged_batch_sources s ANTI JOIN dropped_applications d USING (app_id, attempt_id)
QUALIFY row_number() OVER (
    PARTITION BY app_id, attempt_id, stream_run_id, stream_batch_id, source_number ORDER BY end_offset DESC NULLS LAST
) = 1;

-- A log that was read again has all gaps of the log as a whole.
DELETE FROM open_log_gaps USING staged_keys k
WHERE open_log_gaps.app_id = k.app_id AND open_log_gaps.attempt_id = k.attempt_id AND open_log_gaps.execution_id IS NULL;

INSERT INTO open_log_gaps BY NAME
SELECT s.* FROM staged_gaps s ANTI JOIN dropped_applications d USING (app_id, attempt_id)
EXCEPT
SELECT * FROM open_log_gaps;
