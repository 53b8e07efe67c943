-- The applications and statements of this harvest.
-- reads: staged_applications staged_executions staged_io_metrics staged_gaps applications
-- makes: staged_keys staged_runs days_before changed_days reported_again

-- Applications that OpenLineage events report and of which there is a log, which has all of them. Ids of applications are
-- not unique: both must have begun within the same hour.
CREATE OR REPLACE TEMP TABLE reported_again AS
WITH known AS (
    SELECT app_id, attempt_id, started_at, app_name, origin FROM staged_applications
    UNION ALL
    SELECT app_id, attempt_id, started_at, app_name, origin FROM applications
)
SELECT DISTINCT r.app_id, r.attempt_id, r.started_at, r.app_name
FROM known r JOIN known l ON r.app_id = l.app_id || '@openlineage'
WHERE r.origin = 'openlineage' AND l.origin IS DISTINCT FROM 'openlineage'
  AND coalesce(abs(epoch(r.started_at - l.started_at)) < 3600, true);

CREATE OR REPLACE TEMP TABLE staged_keys AS
SELECT app_id, attempt_id FROM staged_applications
UNION
SELECT app_id, attempt_id FROM reported_again
UNION
SELECT app_id, attempt_id FROM staged_executions
UNION
SELECT app_id, attempt_id FROM staged_io_metrics
UNION
SELECT app_id, attempt_id FROM staged_gaps;

-- When each lineage began last. An execution without a start of its own has that of its application.
CREATE OR REPLACE TEMP TABLE staged_runs AS
SELECT e.lineage_id, max(coalesce(e.started_at, a.started_at)) AS started_at
FROM staged_executions e LEFT JOIN staged_applications a USING (app_id, attempt_id)
ANTI JOIN reported_again USING (app_id, attempt_id)
GROUP BY e.lineage_id;

-- The days that these applications have in the last version: an application moves to another day when its start
-- becomes known. Only in a store with applications without a start ({has_undated}) may an unknown one be such.
CREATE OR REPLACE TEMP TABLE days_before AS
SELECT DISTINCT CAST(a.started_at AS DATE) AS started_on
FROM staged_keys LEFT JOIN applications a USING (app_id, attempt_id)
WHERE {has_undated} OR a.app_id IS NOT NULL;

-- Days with rows that are gone, of another time or of another name, in addition to those of affected applications.
CREATE OR REPLACE TEMP TABLE changed_days (started_on DATE);
