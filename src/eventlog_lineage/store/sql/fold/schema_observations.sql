-- What all succeeded statements show of schemas, without observations that repeat others. A write or a definition holds
-- from its end on, a read from its start.
-- reads: lineage_schemas dataset_names statement_runs executions schema_observations schema_digests
-- makes: named_schemas observations change_points interval_observations interval_columns conflicting_intervals
-- makes: selected_observations new_digests stale_schemas
-- changes: schema_digests

CREATE OR REPLACE TEMP TABLE named_schemas AS
SELECT s.lineage_id, s."position", coalesce(n.dataset, s.dataset) AS dataset,
       s.evidence IN ('read', 'relation') AS is_read,
       s.extent = 'all' AS is_complete, s.extent = 'codes' AS is_hashed,
       (s.extent IN ('all', 'some') AND s.evidence NOT IN ('drop', 'rename', 'alter'))
         OR list_contains(s.words, 'if not exists') AS is_repeatable,
       md5(concat_ws('|', s.evidence, s.extent, CAST(s.columns AS VARCHAR), s.ordered, CAST(s.words AS VARCHAR))) AS content
FROM lineage_schemas s LEFT JOIN dataset_names n ON n."name" = s.dataset;

CREATE OR REPLACE TEMP TABLE observations AS
SELECT s.dataset, s.content, s.is_repeatable, s.is_complete, s.lineage_id, s."position",
       coalesce(r.job_name, '') AS job_name,
       CASE WHEN s.is_read THEN r.first_seen ELSE coalesce(r.ended_at, r.first_seen) END AS seen_at,
       r.app_id, r.attempt_id, r.execution_id,
       CASE WHEN s.is_hashed THEN substr(r.description, 1, 2000) ELSE '' END AS description
FROM statement_runs r
JOIN named_schemas s USING (lineage_id)
WHERE r.succeeded AND r.first_seen IS NOT NULL
UNION ALL
SELECT s.dataset, s.content, s.is_repeatable, s.is_complete, s.lineage_id, s."position", o.job_name, o.seen_at,
       o.app_id, o.attempt_id, o.execution_id, o.description
FROM schema_observations o
JOIN named_schemas s ON s.lineage_id = o.lineage_id AND s."position" = o."position"
ANTI JOIN executions e
  ON e.app_id = o.app_id AND e.attempt_id = o.attempt_id AND e.execution_id = o.execution_id;

-- Where a schema may change: at definitions, and at complete lists that differ from the ones before them.
CREATE OR REPLACE TEMP TABLE change_points AS
SELECT DISTINCT dataset, seen_at FROM observations WHERE NOT is_repeatable
UNION
SELECT dataset, seen_at
FROM (
    SELECT dataset, seen_at, content,
           lag(content) OVER (PARTITION BY dataset ORDER BY seen_at, app_id, attempt_id, execution_id) AS before
    FROM observations WHERE is_complete AND is_repeatable
)
WHERE before IS DISTINCT FROM content;

-- An interval lasts from one change point to the next.
CREATE OR REPLACE TEMP TABLE interval_observations AS
SELECT o.*, c.seen_at AS interval_start
FROM observations o ASOF LEFT JOIN change_points c ON c.dataset = o.dataset AND o.seen_at >= c.seen_at;

CREATE OR REPLACE TEMP TABLE interval_columns AS
WITH listed AS (
    SELECT DISTINCT o.dataset, o.interval_start, o.is_complete, o.lineage_id, o."position"
    FROM interval_observations o WHERE o.is_repeatable
),
shown_columns AS (
    SELECT l.dataset, l.interval_start, l.is_complete, unnest(s.columns) AS shown
    FROM listed l
    JOIN lineage_schemas s ON s.lineage_id = l.lineage_id AND s."position" = l."position"
)
SELECT dataset, interval_start, lower(shown."name") AS column_name, bool_or(is_complete) AS in_complete_list,
       count(DISTINCT nullif(shown.data_type, '')) AS types
FROM shown_columns
GROUP BY ALL;

-- Two statements disagree on a type, or one shows columns that a complete list does not have.
CREATE OR REPLACE TEMP TABLE conflicting_intervals AS
SELECT dataset, interval_start
FROM interval_columns
GROUP BY ALL
HAVING max(types) > 1 OR (bool_or(in_complete_list) AND NOT bool_and(in_complete_list));

-- Of a stable interval the first of equal observations of each job; of a conflicting one each that differs from the one
-- before it; all definitions.
CREATE OR REPLACE TEMP TABLE selected_observations AS
WITH stable AS (
    SELECT o.*
    FROM interval_observations o
    ANTI JOIN conflicting_intervals c
      ON c.dataset = o.dataset AND c.interval_start IS NOT DISTINCT FROM o.interval_start
    WHERE o.is_repeatable
    QUALIFY row_number() OVER (
        PARTITION BY o.dataset, o.interval_start, o.content, o.job_name
        ORDER BY o.seen_at, o.app_id, o.attempt_id, o.execution_id, o.lineage_id, o."position"
    ) = 1
),
conflicting AS (
    SELECT o.* FROM interval_observations o
    SEMI JOIN conflicting_intervals c
      ON c.dataset = o.dataset AND c.interval_start IS NOT DISTINCT FROM o.interval_start
    WHERE o.is_repeatable
    QUALIFY lag(concat_ws('|', o.content, o.job_name)) OVER (
        PARTITION BY o.dataset, o.interval_start
        ORDER BY o.seen_at, o.app_id, o.attempt_id, o.execution_id, o.lineage_id, o."position"
    ) IS DISTINCT FROM concat_ws('|', o.content, o.job_name)
)
SELECT dataset, content, lineage_id, "position", job_name, seen_at, app_id, attempt_id, execution_id, description
FROM (FROM stable UNION ALL FROM conflicting UNION ALL (FROM interval_observations WHERE NOT is_repeatable));

CREATE OR REPLACE TEMP TABLE new_digests AS
SELECT dataset,
       md5(string_agg(
           concat_ws('|', content, job_name, seen_at, app_id, attempt_id, execution_id), ','
           ORDER BY seen_at, app_id, attempt_id, execution_id, content
       )) AS digest
FROM selected_observations
GROUP BY dataset;

CREATE OR REPLACE TEMP TABLE stale_schemas AS
SELECT DISTINCT dataset
FROM ((FROM new_digests EXCEPT FROM schema_digests) UNION ALL (FROM schema_digests EXCEPT FROM new_digests));

DELETE FROM schema_digests;
INSERT INTO schema_digests BY NAME SELECT * FROM new_digests ORDER BY dataset;
