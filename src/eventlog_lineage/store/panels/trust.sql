-- How far the store can be relied on: how sure the edges are, what could not be resolved, which logs were read, how old it is.
SELECT 'edges' AS topic, confidence AS item, count(*) AS "count", CAST(NULL AS VARCHAR) AS detail,
       CAST(NULL AS VARCHAR) AS hint, CAST(NULL AS TIMESTAMP) AS seen_at
FROM column_lineage
WHERE is_current
GROUP BY ALL
UNION ALL BY NAME
SELECT 'gaps' AS topic, reason AS item, count(*) AS "count", any_value(detail ORDER BY operator, detail) AS detail,
       any_value(hint ORDER BY operator, detail) AS hint
FROM gaps
GROUP BY ALL
UNION ALL BY NAME
SELECT 'logs' AS topic, state AS item, count(*) AS "count", any_value(error ORDER BY log_path) AS detail,
       max(modified_at) AS seen_at
FROM harvested_logs
GROUP BY ALL
UNION ALL BY NAME
SELECT 'harvests' AS topic, 'harvests' AS item, count(*) AS "count",
       arg_max(version, finished_at) AS detail, max(finished_at) AS seen_at
FROM harvests
ORDER BY topic, "count" DESC, item
