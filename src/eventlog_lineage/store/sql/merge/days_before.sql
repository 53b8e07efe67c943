-- The days that the rows handed over had in the last version: a start that comes to be known moves an application.
CREATE OR REPLACE TEMP TABLE handed_keys AS
SELECT app_id, attempt_id FROM handed_applications
UNION
SELECT app_id, attempt_id FROM handed_executions
UNION
SELECT app_id, attempt_id FROM handed_io_metrics
UNION
SELECT app_id, attempt_id FROM handed_gaps;

CREATE OR REPLACE TEMP TABLE days_before AS
SELECT DISTINCT CAST(a.started_at AS DATE) AS started_on
FROM handed_keys LEFT JOIN applications a USING (app_id, attempt_id);

CREATE OR REPLACE TEMP TABLE dropped_days (started_on DATE);
