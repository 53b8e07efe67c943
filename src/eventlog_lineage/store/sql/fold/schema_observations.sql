-- Select observations without those that repeat others, of the datasets that changed runs show. Selected once more, with
-- new ones that are later than all, they are the same: all observations are read for the rebuilt datasets alone; {runs}
-- and {executions} are all, if there are such.
-- reads: lineage_schemas named_schemas changed_observations rebuilt_datasets schema_observations selected_observations
-- makes: past_observations known_observations observations change_points interval_observations interval_columns
-- makes: conflicting_intervals reselected_observations
-- changes: rebuilt_datasets

-- without: stored
CREATE OR REPLACE TEMP TABLE known_observations AS SELECT * EXCLUDE (is_new) FROM changed_observations;

-- with: stored
-- Observations of runs whose rows were dropped.
CREATE OR REPLACE TEMP TABLE past_observations AS
WITH kept AS (
    SELECT s.dataset, s.content, s.is_repeatable, s.is_complete, s.lineage_id, s."position", o.job_name, o.seen_at,
           o.app_id, o.attempt_id, o.execution_id, o.description
    FROM schema_observations o
    JOIN named_schemas s ON s.lineage_id = o.lineage_id AND s."position" = o."position"
    SEMI JOIN rebuilt_datasets r ON r.dataset = s.dataset
),
stored AS (SELECT app_id, attempt_id, execution_id FROM {executions} SEMI JOIN kept USING (app_id, attempt_id, execution_id))
FROM kept ANTI JOIN stored USING (app_id, attempt_id, execution_id);

-- with: stored
CREATE OR REPLACE TEMP TABLE known_observations AS
WITH rebuilt_schemas AS (SELECT s.* FROM named_schemas s SEMI JOIN rebuilt_datasets USING (dataset))
SELECT s.dataset, s.content, s.is_repeatable, s.is_complete, s.lineage_id, s."position",
       coalesce(r.job_name, '') AS job_name,
       CASE WHEN s.is_read THEN r.first_seen ELSE coalesce(r.ended_at, r.first_seen) END AS seen_at,
       r.app_id, r.attempt_id, r.execution_id,
       CASE WHEN s.is_hashed THEN substr(r.description, 1, 2000) ELSE '' END AS description
FROM {runs} r
JOIN rebuilt_schemas s USING (lineage_id)
WHERE r.succeeded AND r.first_seen IS NOT NULL
UNION ALL
FROM past_observations
UNION ALL
SELECT * EXCLUDE (is_new) FROM changed_observations WHERE dataset NOT IN (FROM rebuilt_datasets)
UNION ALL
SELECT dataset, content, is_repeatable, is_complete, lineage_id, "position", job_name, seen_at, app_id, attempt_id,
       execution_id, description
FROM selected_observations
WHERE dataset IN (SELECT dataset FROM changed_observations) AND dataset NOT IN (FROM rebuilt_datasets);

-- A table that is created without columns after it was created, and neither dropped nor renamed since, stays as it is.
-- Only definitions of datasets with such statements are looked at in order.
CREATE OR REPLACE TEMP TABLE observations AS
WITH creations AS (SELECT DISTINCT content FROM named_schemas WHERE is_creation),
     created AS (SELECT DISTINCT dataset FROM known_observations SEMI JOIN creations USING (content))
SELECT k.* FROM known_observations k WHERE k.is_repeatable OR k.dataset NOT IN (FROM created)
UNION ALL
SELECT k.*
FROM known_observations k SEMI JOIN created d ON d.dataset = k.dataset LEFT JOIN creations c ON c.content = k.content
WHERE k.is_repeatable IS DISTINCT FROM true
QUALIFY c.content IS NULL OR coalesce(lag(c.content IS NULL) OVER (
    PARTITION BY k.dataset, k.is_repeatable
    ORDER BY k.seen_at, k.app_id, k.attempt_id, k.execution_id, c.content NULLS LAST, k.lineage_id, k."position"
), true);

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
CREATE OR REPLACE TEMP TABLE reselected_observations AS
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
SELECT * EXCLUDE (interval_start)
FROM (
    SELECT *, false AS is_conflicting FROM stable
    UNION ALL
    SELECT *, true FROM conflicting
    UNION ALL
    SELECT *, false FROM interval_observations WHERE NOT is_repeatable
);

-- An observation that was left out as a repetition can count in an interval that is conflicting now.
INSERT INTO rebuilt_datasets
SELECT DISTINCT n.dataset
FROM reselected_observations n
JOIN selected_observations o
  ON o.dataset = n.dataset AND o.app_id = n.app_id AND o.attempt_id = n.attempt_id AND o.execution_id = n.execution_id
 AND o.lineage_id = n.lineage_id AND o."position" = n."position"
WHERE n.is_conflicting AND NOT o.is_conflicting AND n.dataset NOT IN (FROM rebuilt_datasets);
