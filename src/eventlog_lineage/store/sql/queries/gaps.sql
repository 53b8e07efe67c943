-- The gaps by reason, each with its first example.
SELECT reason, count(*) AS gaps, count(DISTINCT concat_ws('/', app_id, attempt_id, execution_id)) AS statements,
       any_value(operator ORDER BY operator, detail) FILTER (operator <> '') AS for_example,
       any_value(detail ORDER BY operator, detail) AS detail,
       any_value(hint ORDER BY operator, detail) AS hint
FROM gaps
GROUP BY reason
ORDER BY gaps DESC, reason
