-- Applications that started before {keep_from}. One without a start is as old as the harvest that read its log last.
-- reads: applications staged_keys harvested_logs harvests
-- makes: expired_applications

CREATE OR REPLACE TEMP TABLE expired_applications AS
WITH log_harvests AS (
    SELECT l.app_id, l.attempt_id, max(h.started_at) AS harvested_at
    FROM harvested_logs l JOIN harvests h USING (harvest_id)
    GROUP BY ALL
)
SELECT app_id, attempt_id, CAST(a.started_at AS DATE) AS started_on
FROM applications a LEFT JOIN log_harvests h USING (app_id, attempt_id)
WHERE a.started_at < {keep_from}
   OR (a.started_at IS NULL AND coalesce(h.harvested_at, (SELECT min(started_at) FROM harvests)) < {keep_from}
       AND (app_id, attempt_id) NOT IN (SELECT (app_id, attempt_id) FROM staged_keys));
