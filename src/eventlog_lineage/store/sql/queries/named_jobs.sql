-- The jobs that a name ($asked) fits best.
WITH named AS (SELECT DISTINCT job_name FROM executions WHERE job_name IS NOT NULL),
ranked AS (
    SELECT job_name, CASE WHEN job_name = $asked THEN 0 WHEN lower(job_name) = lower($asked) THEN 1
                          WHEN ends_with(lower(job_name), ': ' || lower($asked)) THEN 2
                          WHEN contains(lower(job_name), lower($asked)) THEN 3 END AS rank
    FROM named
)
SELECT job_name FROM ranked WHERE rank IS NOT NULL QUALIFY rank = min(rank) OVER () ORDER BY job_name
