-- What all succeeded statements of all nights show of schemas, thinned out: what repeats itself tells nothing new.
-- Writes and definitions hold from their end on, reads from their start.

CREATE OR REPLACE TEMP TABLE known_signs AS
SELECT s.lineage_id, s."position", coalesce(n.dataset, s.dataset) AS dataset,
       s.evidence IN ('read', 'relation') AS is_read,
       s.extent = 'all' AS whole, s.extent = 'codes' AS in_codes,
       (s.extent IN ('all', 'some') AND s.evidence NOT IN ('drop', 'rename', 'alter'))
         OR list_contains(s.words, 'if not exists') AS lasting,
       md5(concat_ws('|', s.evidence, s.extent, CAST(s.columns AS VARCHAR), s.ordered, CAST(s.words AS VARCHAR))) AS content
FROM lineage_schemas s LEFT JOIN dataset_names n ON n."name" = s.dataset;

CREATE OR REPLACE TEMP TABLE sightings AS
SELECT k.dataset, k.content, k.lasting, k.whole, k.lineage_id, k."position", coalesce(e.job_name, '') AS job_name,
       CASE WHEN k.is_read THEN coalesce(e.started_at, a.started_at)
            ELSE coalesce(e.ended_at, e.started_at, a.started_at) END AS seen_at,
       e.app_id, e.attempt_id, e.execution_id,
       CASE WHEN k.in_codes THEN substr(e.description, 1, 2000) ELSE '' END AS description
FROM executions e
JOIN known_signs k USING (lineage_id)
LEFT JOIN applications a USING (app_id, attempt_id)
WHERE e.status = 'succeeded' AND e.execution_id = e.root_execution_id
  AND coalesce(e.started_at, a.started_at) IS NOT NULL
UNION ALL
SELECT k.dataset, k.content, k.lasting, k.whole, k.lineage_id, k."position", o.job_name, o.seen_at,
       o.app_id, o.attempt_id, o.execution_id, o.description
FROM schema_observations o
JOIN known_signs k ON k.lineage_id = o.lineage_id AND k."position" = o."position"
ANTI JOIN executions e
  ON e.app_id = o.app_id AND e.attempt_id = o.attempt_id AND e.execution_id = o.execution_id;

-- Where something else may begin: definitions, and whole lists that differ from the ones before them.
CREATE OR REPLACE TEMP TABLE turns AS
SELECT DISTINCT dataset, seen_at FROM sightings WHERE NOT lasting
UNION
SELECT dataset, seen_at
FROM (
    SELECT dataset, seen_at, content,
           lag(content) OVER (PARTITION BY dataset ORDER BY seen_at, app_id, attempt_id, execution_id) AS before
    FROM sightings WHERE whole AND lasting
)
WHERE before IS DISTINCT FROM content;

CREATE OR REPLACE TEMP TABLE placed AS
SELECT s.*, t.seen_at AS turn
FROM sightings s ASOF LEFT JOIN turns t ON t.dataset = s.dataset AND s.seen_at >= t.seen_at;

-- Stretches in which two statements disagree on a type, or one sees columns that a whole list does not have.
CREATE OR REPLACE TEMP TABLE stretch_columns AS
WITH listed AS (
    SELECT DISTINCT p.dataset, p.turn, p.whole, p.lineage_id, p."position" FROM placed p WHERE p.lasting
),
columns AS (
    SELECT l.dataset, l.turn, l.whole, unnest(s.columns) AS shown
    FROM listed l
    JOIN lineage_schemas s ON s.lineage_id = l.lineage_id AND s."position" = l."position"
)
SELECT dataset, turn, lower(shown."name") AS column_name, bool_or(whole) AS in_whole,
       count(DISTINCT nullif(shown.data_type, '')) AS types
FROM columns
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE uneasy AS
SELECT dataset, turn
FROM stretch_columns
GROUP BY ALL
HAVING max(types) > 1 OR (bool_or(in_whole) AND NOT bool_and(in_whole));

CREATE OR REPLACE TEMP TABLE telling AS
WITH calm AS (
    SELECT p.*
    FROM placed p
    ANTI JOIN uneasy u ON u.dataset = p.dataset AND u.turn IS NOT DISTINCT FROM p.turn
    WHERE p.lasting
    QUALIFY row_number() OVER (
        PARTITION BY p.dataset, p.turn, p.content, p.job_name
        ORDER BY p.seen_at, p.app_id, p.attempt_id, p.execution_id, p.lineage_id, p."position"
    ) = 1
),
lively AS (
    SELECT p.* FROM placed p
    SEMI JOIN uneasy u ON u.dataset = p.dataset AND u.turn IS NOT DISTINCT FROM p.turn
    WHERE p.lasting
    QUALIFY lag(concat_ws('|', p.content, p.job_name)) OVER (
        PARTITION BY p.dataset, p.turn
        ORDER BY p.seen_at, p.app_id, p.attempt_id, p.execution_id, p.lineage_id, p."position"
    ) IS DISTINCT FROM concat_ws('|', p.content, p.job_name)
)
SELECT dataset, content, lineage_id, "position", job_name, seen_at, app_id, attempt_id, execution_id, description
FROM (FROM calm UNION ALL FROM lively UNION ALL (FROM placed WHERE NOT lasting));

CREATE OR REPLACE TEMP TABLE new_digests AS
SELECT dataset,
       md5(string_agg(
           concat_ws('|', content, job_name, seen_at, app_id, attempt_id, execution_id), ','
           ORDER BY seen_at, app_id, attempt_id, execution_id, content
       )) AS digest
FROM telling
GROUP BY dataset;

CREATE OR REPLACE TEMP TABLE stale_schemas AS
SELECT DISTINCT dataset
FROM ((FROM new_digests EXCEPT FROM schema_digests) UNION ALL (FROM schema_digests EXCEPT FROM new_digests));

DELETE FROM schema_digests;
INSERT INTO schema_digests BY NAME SELECT * FROM new_digests ORDER BY dataset;
