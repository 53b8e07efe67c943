-- The jobs with their runs and targets; named is the table with the job of each statement.
SELECT n.job_name, count(*) AS runs, count(DISTINCT e.app_id) AS applications,
       min(e.started_at) AS first_run, max(e.started_at) AS last_run,
       round(sum(e.executor_run_ms) / 100.0) / 10 AS executor_seconds,
       round(sum(e.executor_cpu_ms) / 100.0) / 10 AS cpu_seconds,
       list_sort(list_distinct(list(l.target_dataset) FILTER (l.target_dataset IS NOT NULL))) AS targets,
       any_value(a.app_name ORDER BY e.started_at DESC, a.app_name) AS application,
       any_value(e.description ORDER BY e.started_at DESC, e.description) AS description,
       any_value(concat_ws(' ', e.scheduler, e.scheduler_task) ORDER BY e.started_at DESC)
           FILTER (e.scheduler IS NOT NULL) AS scheduler
FROM {named} n
JOIN executions e USING (app_id, attempt_id, execution_id)
LEFT JOIN applications a USING (app_id, attempt_id)
LEFT JOIN lineages l ON l.lineage_id = e.lineage_id
WHERE n.job_name IS NOT NULL AND e.execution_id = e.root_execution_id
GROUP BY n.job_name
ORDER BY n.job_name
