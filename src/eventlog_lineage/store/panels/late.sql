-- Datasets by the time since their last write, in units of the usual time between two writes.
-- An application that writes a dataset several times counts as one write. The age is that at the last harvest: nothing is
-- known of the time since.
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
rhythm AS (
    SELECT dataset, count(*) AS writes, median(gap) AS usual_gap, max(written_at) AS last_write,
           any_value(job_name ORDER BY written_at DESC) AS job_name
    FROM spaced
    GROUP BY dataset
    HAVING count(gap) >= 2 AND median(gap) > 0
),
harvested AS (SELECT max(finished_at) AS at FROM harvests)
SELECT r.dataset, r.last_write, round(r.usual_gap, 0) AS usual_gap_seconds,
       round(greatest(epoch(h.at - r.last_write), 0), 0) AS age_seconds,
       round(greatest(epoch(h.at - r.last_write), 0) / r.usual_gap * 10) / 10 AS times_usual,
       r.writes, r.job_name
FROM rhythm r CROSS JOIN harvested h
ORDER BY times_usual DESC, r.dataset
