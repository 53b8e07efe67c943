-- Datasets by the time since their last write, in units of the usual time between two writes, or of the declared one.
-- An application that writes a dataset several times counts as one write. The age is that at the last event of any
-- harvested log: a harvest that finds no new logs makes nothing late.
WITH writes AS (
    SELECT i.dataset, max(e.started_at) AS written_at, any_value(e.job_name ORDER BY e.started_at DESC) AS job_name
    FROM dataset_io i
    JOIN executions e USING (app_id, attempt_id, execution_id)
    WHERE i.direction = 'write' AND i.mode <> 'maintenance' AND e.status = 'succeeded' AND e.started_at IS NOT NULL
    GROUP BY i.dataset, e.app_id, e.attempt_id
),
spaced AS (
    SELECT *, epoch(written_at - lag(written_at) OVER (PARTITION BY dataset ORDER BY written_at)) AS gap
    FROM writes
),
declared AS (SELECT dataset, min(due_seconds) AS due FROM declarations WHERE kind = 'dataset' GROUP BY dataset),
rhythm AS (
    SELECT s.dataset, count(*) AS writes, coalesce(any_value(d.due), median(gap)) AS usual_gap,
           max(written_at) AS last_write, any_value(job_name ORDER BY written_at DESC) AS job_name
    FROM spaced s LEFT JOIN declared d USING (dataset)
    GROUP BY s.dataset
    HAVING any_value(d.due) > 0 OR (count(gap) >= 2 AND median(gap) > 0)
),
last_event AS (
    SELECT max(greatest(started_at, ended_at)) AS moment
    FROM (SELECT started_at, ended_at FROM executions UNION ALL SELECT started_at, ended_at FROM applications)
)
SELECT r.dataset, r.last_write, round(r.usual_gap, 0) AS usual_gap_seconds,
       round(greatest(epoch(l.moment - r.last_write), 0), 0) AS age_seconds,
       round(greatest(epoch(l.moment - r.last_write), 0) / r.usual_gap * 10) / 10 AS times_usual,
       r.writes, r.job_name, s."system"
FROM rhythm r CROSS JOIN last_event l LEFT JOIN datasets s ON s.dataset = r.dataset
ORDER BY times_usual DESC, r.dataset
