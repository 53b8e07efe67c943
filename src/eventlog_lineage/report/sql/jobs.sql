SELECT e.job_name AS name, count(*) AS runs, count(*) FILTER (e.status = 'failed') AS failures,
       epoch_ms(max(e.started_at)) AS "last",
       any_value(e.status ORDER BY e.started_at DESC NULLS LAST, e.app_id, e.execution_id) AS status,
       round(median(e.duration_ms) / 10.0) / 100 AS seconds,
       string_agg(DISTINCT coalesce(e.user_name, a.user_name), ', ' ORDER BY coalesce(e.user_name, a.user_name)) AS users,
       any_value(a.app_name ORDER BY e.started_at DESC NULLS LAST) AS application,
       any_value(nullif(concat_ws('.', e.scheduler, e.scheduler_task), '') ORDER BY e.started_at DESC NULLS LAST) AS task,
       left(any_value(e.description ORDER BY e.started_at DESC NULLS LAST), 400) AS description,
       left(any_value(e.sql_text ORDER BY e.started_at DESC NULLS LAST), 4000) AS sql,
       coalesce(any_value(e.error ORDER BY e.started_at DESC NULLS LAST) FILTER (e.status = 'failed'), '') AS error,
       epoch_ms(max(e.started_at) FILTER (e.status = 'failed')) AS failed_at,
       round(sum(e.executor_run_ms) / 100.0) / 10 AS executor_seconds,
       TRY_CAST(sum(e.input_bytes) AS BIGINT) AS bytes_read, TRY_CAST(sum(e.bytes_written) AS BIGINT) AS bytes_written
FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
WHERE e.execution_id = e.root_execution_id AND e.job_name IS NOT NULL
GROUP BY e.job_name
ORDER BY e.job_name
