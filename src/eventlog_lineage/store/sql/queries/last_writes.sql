-- The last good write of each dataset, the time from there to the last event of any harvested log, and its system.
WITH last_event AS (
    SELECT max(greatest(started_at, ended_at)) AS moment
    FROM (SELECT started_at, ended_at FROM executions UNION ALL SELECT started_at, ended_at FROM applications)
)
SELECT i.dataset, max(e.started_at) AS last_write,
       round(greatest(epoch(any_value(l.moment) - max(e.started_at)), 0), 0) AS age_seconds,
       count(DISTINCT (e.app_id, e.attempt_id)) AS writes, any_value(e.job_name ORDER BY e.started_at DESC) AS job_name,
       any_value(s."system") AS "system"
FROM dataset_io i
JOIN executions e USING (app_id, attempt_id, execution_id)
LEFT JOIN datasets s ON s.dataset = i.dataset
CROSS JOIN last_event l
WHERE i.direction = 'write' AND i.mode <> 'maintenance' AND e.status = 'succeeded' AND e.started_at IS NOT NULL
GROUP BY i.dataset
ORDER BY i.dataset
