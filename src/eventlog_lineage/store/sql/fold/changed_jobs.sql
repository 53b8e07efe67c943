-- The jobs with changed runs. One whose new runs are later than all that is stored of it continues its last series; of any
-- other one the series are made from all its runs.
-- reads: changed_runs run_series
-- makes: changed_jobs
-- changes: run_series

CREATE OR REPLACE TEMP TABLE changed_jobs AS
WITH stored AS (
    SELECT job_name, succeeded, max(last_seen) AS last_seen, sum(run_count) AS run_count FROM run_series GROUP BY ALL
)
SELECT c.job_name, c.succeeded,
       NOT bool_and(c.is_new AND c.first_seen IS NOT NULL) OR coalesce(min(c.first_seen) <= max(s.last_seen), false)
           AS is_rebuilt,
       coalesce(any_value(s.run_count), 0) AS stored_runs
FROM changed_runs c LEFT JOIN stored s USING (job_name, succeeded)
GROUP BY ALL;

DELETE FROM run_series USING changed_jobs c
WHERE c.is_rebuilt AND run_series.job_name = c.job_name AND run_series.succeeded = c.succeeded;
