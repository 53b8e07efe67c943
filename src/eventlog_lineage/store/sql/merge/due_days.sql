-- The days whose partitions are written anew; NULL for applications whose start is not known.
CREATE OR REPLACE TEMP TABLE due_days AS
SELECT CAST(a.started_at AS DATE) AS started_on
FROM (FROM due_applications UNION FROM renamed_jobs) d LEFT JOIN applications a USING (app_id, attempt_id)
UNION
FROM days_before
UNION
FROM dropped_days;
