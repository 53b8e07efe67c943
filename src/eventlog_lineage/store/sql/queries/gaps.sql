-- The gaps by reason, each with its first example.
SELECT reason, gaps, statements, nullif(example.operator, '') AS for_example, example.detail, example.hint
FROM (
    SELECT reason, count(*) AS gaps, count(DISTINCT concat_ws('/', app_id, attempt_id, execution_id)) AS statements,
           first({'operator': operator, 'detail': detail, 'hint': hint}
                 ORDER BY operator = '', operator, detail, hint) AS example
    FROM gaps
    GROUP BY reason
)
ORDER BY gaps DESC, reason
