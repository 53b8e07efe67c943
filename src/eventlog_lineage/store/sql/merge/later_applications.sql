-- Applications with times later than {latest} that an earlier release stored as they were in a log.
-- reads: applications executions
-- makes: later_applications

CREATE OR REPLACE TEMP TABLE later_applications AS
SELECT app_id, attempt_id, CAST(started_at AS DATE) AS started_on FROM applications
WHERE started_at > {latest} OR ended_at > {latest}
UNION
SELECT app_id, attempt_id, CAST(a.started_at AS DATE)
FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
WHERE e.started_at > {latest} OR e.ended_at > {latest};
