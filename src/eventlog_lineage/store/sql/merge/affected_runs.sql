-- The applications of the affected days, with their day; also those of which only statements or gaps are known.
-- reads: affected_days open_applications open_executions open_log_gaps open_io_metrics open_batch_sources
-- makes: affected_runs

CREATE OR REPLACE TEMP TABLE affected_runs AS
SELECT k.app_id, k.attempt_id, CAST(a.started_at AS DATE) AS started_on
FROM (
    SELECT app_id, attempt_id FROM open_applications
    UNION
    SELECT app_id, attempt_id FROM open_executions
    UNION
    SELECT app_id, attempt_id FROM open_log_gaps
    UNION
    SELECT app_id, attempt_id FROM open_io_metrics
    UNION
    SELECT app_id, attempt_id FROM open_batch_sources
) k
LEFT JOIN open_applications a USING (app_id, attempt_id)
WHERE EXISTS (FROM affected_days d WHERE d.started_on IS NOT DISTINCT FROM CAST(a.started_at AS DATE));
