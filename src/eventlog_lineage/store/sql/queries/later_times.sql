-- How many times of each application are later than ?, and the last of them.
WITH times AS (
    SELECT app_id, attempt_id, started_at AS time FROM ({applications})
    UNION ALL SELECT app_id, attempt_id, ended_at FROM ({applications})
    UNION ALL SELECT app_id, attempt_id, started_at FROM ({executions})
    UNION ALL SELECT app_id, attempt_id, ended_at FROM ({executions})
)
SELECT coalesce(any_value(i.app_id), regexp_replace(t.app_id, '{suffix}', '')), t.attempt_id, count(*), max(t.time)
FROM times t LEFT JOIN application_ids i ON i.staged_id = t.app_id AND i.attempt_id = t.attempt_id
WHERE t.time > ?
GROUP BY t.app_id, t.attempt_id
ORDER BY ALL
