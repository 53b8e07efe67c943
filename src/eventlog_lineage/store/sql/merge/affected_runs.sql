-- The applications of the affected days, with their day; also those of which only statements or gaps are known.
-- reads: affected_days applications executions log_gaps
-- makes: affected_runs

CREATE OR REPLACE TEMP TABLE affected_runs AS
SELECT k.app_id, k.attempt_id, CAST(a.started_at AS DATE) AS started_on
FROM (
    SELECT app_id, attempt_id FROM applications
    UNION
    SELECT app_id, attempt_id FROM executions
    UNION
    SELECT app_id, attempt_id FROM log_gaps
) k
LEFT JOIN applications a USING (app_id, attempt_id)
WHERE EXISTS (FROM affected_days d WHERE d.started_on IS NOT DISTINCT FROM CAST(a.started_at AS DATE));
