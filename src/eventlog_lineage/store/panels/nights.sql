-- Statements by the day on which they started.
SELECT CAST(e.started_at AS DATE) AS "day",
       count(DISTINCT concat_ws('/', e.app_id, e.attempt_id)) AS applications,
       count(*) AS statements,
       count(*) FILTER (e.status = 'succeeded') AS succeeded,
       count(*) FILTER (e.status = 'failed') AS failed,
       count(*) FILTER (e.status NOT IN ('succeeded', 'failed')) AS unfinished,
       round(sum(e.duration_ms) / 100.0) / 10 AS seconds,
       CAST(sum(e.rows_written) AS BIGINT) AS rows_written,
       CAST(sum(e.bytes_written) AS BIGINT) AS bytes_written
FROM executions e
WHERE e.execution_id = e.root_execution_id AND e.started_at IS NOT NULL
GROUP BY ALL
ORDER BY "day" DESC
