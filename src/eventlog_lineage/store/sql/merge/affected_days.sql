-- The days whose partitions are written again; NULL for applications whose start is not known.
-- reads: affected_applications days_before changed_days open_applications
-- makes: affected_days

CREATE OR REPLACE TEMP TABLE affected_days AS
SELECT CAST(a.started_at AS DATE) AS started_on
FROM affected_applications d LEFT JOIN open_applications a USING (app_id, attempt_id)
UNION
FROM days_before
UNION
FROM changed_days;
