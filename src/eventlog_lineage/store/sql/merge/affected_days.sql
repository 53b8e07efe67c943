-- The days whose partitions are written again; NULL for applications whose start is not known. All of them if {all_days}:
-- where the version before has its runs in another form.
-- reads: affected_applications days_before changed_days open_applications
-- makes: affected_days

CREATE OR REPLACE TEMP TABLE affected_days AS
SELECT CAST(a.started_at AS DATE) AS started_on
FROM affected_applications d LEFT JOIN open_applications a USING (app_id, attempt_id)
UNION
FROM days_before
UNION
FROM changed_days
UNION
SELECT CAST(started_at AS DATE) FROM open_applications WHERE {all_days}
UNION
SELECT NULL WHERE {all_days};
