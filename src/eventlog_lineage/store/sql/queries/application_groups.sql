-- The applications whose ids are not theirs alone, or whose start or name differs from what is stored.
WITH staged AS (
    SELECT app_id AS own_id, regexp_replace(app_id, '{suffix}', '') AS app_id, attempt_id, started_at,
           coalesce(app_name, '') AS app_name, coalesce(log_path, '') AS log_path
    FROM ({staged})
),
named AS MATERIALIZED (
    SELECT app_id AS own_id, attempt_id, started_at, coalesce(app_name, '') AS app_name,
           coalesce(log_path, '') AS log_path
    FROM applications
    WHERE app_id IN (SELECT app_id FROM staged)
       OR (app_id[-9] = '~' AND app_id[:-10] IN (SELECT app_id FROM staged))
    UNION ALL
    SELECT app_id, attempt_id, started_at, coalesce(app_name, ''), '' FROM dropped_applications
),
stored AS (
    SELECT own_id AS app_id, * FROM named
    UNION ALL
    SELECT own_id[:-10] AS app_id, * FROM named WHERE regexp_matches(own_id, '~[0-9a-f]{8,8}$')
),
several AS (
    SELECT app_id, attempt_id FROM staged GROUP BY ALL HAVING count(DISTINCT own_id) > 1
    UNION
    SELECT s.app_id, s.attempt_id FROM staged s JOIN stored t USING (app_id, attempt_id)
    WHERE t.own_id <> s.app_id OR t.started_at IS DISTINCT FROM s.started_at OR t.app_name <> s.app_name
)
SELECT app_id, attempt_id, is_staged, own_id, started_at, app_name, log_path
FROM (SELECT true AS is_staged, * FROM staged UNION ALL BY NAME SELECT false AS is_staged, * FROM stored)
SEMI JOIN several USING (app_id, attempt_id)
ORDER BY app_id, attempt_id, is_staged, started_at NULLS LAST, len(own_id), own_id, app_name, log_path
