SELECT e.job_name, count(*) AS runs, count(*) FILTER (e.status = 'failed') AS failures,
       epoch_ms(max(e.started_at)) AS last_at,
       any_value(e.status ORDER BY e.started_at DESC NULLS LAST, e.app_id, e.execution_id) AS last_status,
       round(median(e.duration_ms) / 10.0) / 100 AS seconds,
       string_agg(DISTINCT coalesce(e.user_name, a.user_name), ', ' ORDER BY coalesce(e.user_name, a.user_name)) AS users
FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
WHERE e.execution_id = e.root_execution_id AND e.job_name IS NOT NULL
GROUP BY e.job_name
ORDER BY e.job_name
