-- The last night: the day before the last event of any harvested log. Later times are unknown, whenever the harvest ran.
WITH seen AS (
    SELECT greatest(max(started_at), max(ended_at)) AS seen_at FROM executions
    UNION ALL
    SELECT greatest(max(started_at), max(ended_at)) FROM applications
),
night AS (SELECT max(seen_at) AS until, max(seen_at) - INTERVAL 1 DAY AS since FROM seen),
run AS (
    SELECT e.* FROM executions e CROSS JOIN night n
    WHERE e.execution_id = e.root_execution_id AND e.started_at > n.since
)
SELECT epoch_ms(n.until) AS until, epoch_ms(n.since) AS since,
       (SELECT epoch_ms(min(started_at)) FROM executions) AS first_run,
       (SELECT epoch_ms(max(finished_at)) FROM harvests) AS harvested,
       (SELECT count(DISTINCT (app_id, attempt_id)) FROM run) AS applications,
       (SELECT count(*) FROM run) AS statements,
       (SELECT count(*) FROM run WHERE status = 'failed') AS failed,
       (SELECT count(DISTINCT job_name) FROM run) AS jobs,
       (SELECT count(*) FROM gaps g
        JOIN applications a ON a.app_id = g.app_id AND a.attempt_id = g.attempt_id WHERE a.started_at > n.since) AS gaps
FROM night n
