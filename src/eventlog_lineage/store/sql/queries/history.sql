-- A dataset's versions and changes, the oldest first, under its former names as well.
WITH RECURSIVE names(dataset) AS (
    SELECT CAST(? AS VARCHAR)
    UNION
    SELECT c.old_value FROM names n JOIN schema_changes c ON c.dataset = n.dataset AND c.change = 'table_renamed'
),
versions AS (
    SELECT valid_from AS changed_at, 'version' AS kind, dataset, version, 'version ' || version AS change,
           CAST(NULL AS VARCHAR) AS column_name, CAST(NULL AS VARCHAR) AS old_value,
           string_agg(concat_ws(' ', column_name, nullif(data_type, '')), ', ' ORDER BY ordinal)
               FILTER (NOT contains(column_name, '.')) AS new_value,
           string_agg(DISTINCT evidence, ', ' ORDER BY evidence) AS evidence, CAST(NULL AS VARCHAR) AS confidence,
           CAST(NULL AS VARCHAR) AS job_name, CAST(NULL AS VARCHAR) AS user_name, CAST(NULL AS VARCHAR) AS app_name, CAST(NULL AS VARCHAR) AS code_version,
           CAST(NULL AS VARCHAR) AS app_id,
           CAST(NULL AS VARCHAR) AS attempt_id, CAST(NULL AS BIGINT) AS execution_id
    FROM schema_versions JOIN names USING (dataset)
    GROUP BY dataset, version, valid_from
),
changes AS (
    SELECT changed_at, kind, dataset, version, change, column_name, old_value,
           coalesce(e.user_name, a.user_name) AS user_name, a.app_name, a.code_version,
           CASE kind WHEN 'schema' THEN concat_ws(' ', new_value, '(' || nature || ')') ELSE new_value END AS new_value,
           CASE kind WHEN 'schema' THEN concat_ws(': ', evidence, nullif(detail, '')) ELSE evidence END AS evidence,
           confidence, c.job_name, app_id, attempt_id, execution_id
    FROM dataset_changes c
    LEFT JOIN applications a USING (app_id, attempt_id)
    LEFT JOIN executions e USING (app_id, attempt_id, execution_id)
    WHERE dataset IN (FROM names) OR (change = 'table_renamed' AND old_value IN (FROM names))
)
SELECT * REPLACE (nullif(new_value, '') AS new_value)
FROM (FROM versions UNION ALL BY NAME FROM changes)
ORDER BY changed_at, dataset, version NULLS LAST, CASE kind WHEN 'schema' THEN 1 WHEN 'version' THEN 2 ELSE 3 END,
         change, column_name
