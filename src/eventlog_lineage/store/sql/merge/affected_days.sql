-- The days whose partitions are written again; NULL for applications whose start is not known.
-- reads: affected_applications renamed_jobs days_before dropped_days open_applications
-- makes: affected_days

CREATE OR REPLACE TEMP TABLE affected_days AS
SELECT CAST(a.started_at AS DATE) AS started_on
FROM (FROM affected_applications UNION FROM renamed_jobs) d LEFT JOIN open_applications a USING (app_id, attempt_id)
UNION
FROM days_before
UNION
FROM dropped_days;
