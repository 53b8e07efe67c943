-- Select observations without those that repeat others, of the datasets that changed runs show. Selected once more, with
-- new ones that are later than all, they are the same: all observations are read for the rebuilt datasets alone; {runs}
-- and {executions} are all, if there are such.
-- reads: lineage_schemas named_schemas changed_observations rebuilt_datasets schema_observations selected_observations
-- makes: past_observations known_observations observations observed_columns observed_lists exceeding_lists
-- makes: varied_datasets list_points observed_types retyped_columns retyped_points change_points
-- makes: interval_observations interval_columns conflicting_intervals reselected_observations
-- changes: rebuilt_datasets

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

-- The columns that each content lists. Lists with the same number have the same names, in the same order if that is the
-- table's order.
CREATE OR REPLACE TEMP TABLE observed_columns AS
WITH contents AS (
    SELECT DISTINCT ON (content) content, is_complete, lineage_id, "position" FROM observations WHERE is_repeatable
),
listed AS (
    SELECT c.content, c.is_complete, s.ordered, s.columns, [lower(shown."name") FOR shown IN s.columns] AS names
    FROM contents c JOIN lineage_schemas s ON s.lineage_id = c.lineage_id AND s."position" = c."position"
)
SELECT content, is_complete, columns, names, hash(CASE WHEN ordered THEN names ELSE list_sort(names) END) AS list_number
FROM listed;

-- The lists of each dataset.
CREATE OR REPLACE TEMP TABLE observed_lists AS
SELECT DISTINCT o.dataset, o.content, c.is_complete, c.list_number
FROM observations o JOIN observed_columns c ON c.content = o.content
WHERE o.is_repeatable;

-- Lists with a name that a complete list of the dataset does not have.
CREATE OR REPLACE TEMP TABLE exceeding_lists AS
WITH lists AS (SELECT DISTINCT ON (list_number) list_number, names FROM observed_columns),
     pairs AS (
         SELECT DISTINCT o.dataset, o.list_number, c.list_number AS complete_number
         FROM observed_lists o JOIN observed_lists c ON c.dataset = o.dataset
         WHERE c.is_complete AND NOT o.is_complete AND c.list_number <> o.list_number
     )
SELECT p.dataset, p.list_number, p.complete_number
FROM pairs p
JOIN lists l ON l.list_number = p.list_number
JOIN lists c ON c.list_number = p.complete_number
WHERE NOT list_has_all(c.names, l.names);

-- Datasets whose lists of columns disagree. Those of the others need not be looked at in order.
CREATE OR REPLACE TEMP TABLE varied_datasets AS
SELECT dataset FROM observed_lists WHERE is_complete GROUP BY dataset HAVING count(DISTINCT list_number) > 1
UNION
SELECT dataset FROM exceeding_lists;

-- A schema may change at complete lists with other names than the ones before them, at lists with a name that the last
-- complete one does not have, and at the next complete list after these.
CREATE OR REPLACE TEMP TABLE list_points AS
WITH shown AS (
    SELECT o.dataset, o.seen_at, o.app_id, o.attempt_id, o.execution_id, o.lineage_id, o."position",
           c.is_complete, c.list_number,
           last_value(CASE WHEN c.is_complete THEN c.list_number END IGNORE NULLS) OVER (
               PARTITION BY o.dataset
               ORDER BY o.seen_at, o.app_id, o.attempt_id, o.execution_id, o.lineage_id, o."position"
               ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
           ) AS complete_before
    FROM observations o
    JOIN observed_columns c ON c.content = o.content
    SEMI JOIN varied_datasets v ON v.dataset = o.dataset
    WHERE o.is_repeatable
),
marked AS (
    SELECT s.*, e.list_number IS NOT NULL AS exceeds
    FROM shown s
    LEFT JOIN exceeding_lists e
      ON NOT s.is_complete
     AND e.dataset = s.dataset AND e.list_number = s.list_number AND e.complete_number = s.complete_before
),
in_order AS (
    SELECT dataset, seen_at, is_complete, list_number, complete_before, exceeds,
           last_value(CASE WHEN is_complete OR exceeds THEN exceeds END IGNORE NULLS) OVER (
               PARTITION BY dataset
               ORDER BY seen_at, app_id, attempt_id, execution_id, lineage_id, "position"
               ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
           ) AS exceeded_before
    FROM marked
)
SELECT dataset, seen_at
FROM in_order
WHERE exceeds OR (is_complete AND (exceeded_before OR complete_before IS DISTINCT FROM list_number));

-- Their types as far as they can be compared. A read shows the fields of a struct that it needs.
CREATE OR REPLACE TEMP TABLE observed_types AS
SELECT content, is_complete, lower(shown."name") AS column_name,
       CASE WHEN is_complete OR NOT contains(shown.data_type, 'struct<') THEN nullif(shown.data_type, '') END AS data_type
FROM (SELECT content, is_complete, unnest(columns) AS shown FROM observed_columns);

-- Columns that a dataset's lists show with several types.
CREATE OR REPLACE TEMP TABLE retyped_columns AS
SELECT o.dataset, o.content, t.column_name, t.data_type
FROM observed_lists o JOIN observed_types t ON t.content = o.content
WHERE t.data_type IS NOT NULL
QUALIFY min(t.data_type) OVER (PARTITION BY o.dataset, t.column_name)
     <> max(t.data_type) OVER (PARTITION BY o.dataset, t.column_name);

-- A schema may change where a list has another type than the one before.
CREATE OR REPLACE TEMP TABLE retyped_points AS
WITH in_order AS (
    SELECT o.dataset, o.seen_at, r.data_type,
           lag(r.data_type) OVER (
               PARTITION BY o.dataset, r.column_name
               ORDER BY o.seen_at, o.app_id, o.attempt_id, o.execution_id, o.lineage_id, o."position"
           ) AS type_before
    FROM observations o JOIN retyped_columns r ON r.dataset = o.dataset AND r.content = o.content
    WHERE o.is_repeatable
)
SELECT dataset, seen_at FROM in_order WHERE type_before <> data_type;

-- Where else a schema may change: at definitions, and at the first complete list. Who shows the names, and with what
-- else, does not matter: most tables are written and read in turn.
CREATE OR REPLACE TEMP TABLE change_points AS
SELECT dataset, seen_at FROM observations WHERE NOT is_repeatable
UNION
SELECT dataset, min(seen_at) FROM observations
WHERE is_complete AND is_repeatable AND dataset NOT IN (FROM varied_datasets)
GROUP BY dataset
UNION
FROM list_points
UNION
FROM retyped_points;

-- An interval lasts from one change point to the next. Most observations are in the last one.
CREATE OR REPLACE TEMP TABLE interval_observations AS
WITH last_points AS (SELECT dataset, max(seen_at) AS seen_at FROM change_points GROUP BY dataset),
     earlier AS (
         SELECT o.* FROM observations o LEFT JOIN last_points l ON l.dataset = o.dataset
         WHERE l.seen_at IS NULL OR o.seen_at < l.seen_at
     )
SELECT o.*, l.seen_at AS interval_start
FROM observations o JOIN last_points l ON l.dataset = o.dataset AND o.seen_at >= l.seen_at
UNION ALL
SELECT * EXCLUDE (point, is_point), CASE WHEN seen_at IS NOT NULL THEN max(point) OVER (
    PARTITION BY dataset ORDER BY seen_at RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
) END AS interval_start
FROM (
    SELECT *, CAST(NULL AS TIMESTAMP) AS point, false AS is_point FROM earlier
    UNION ALL BY NAME
    SELECT dataset, seen_at, seen_at AS point, true AS is_point FROM change_points SEMI JOIN earlier USING (dataset)
)
QUALIFY NOT is_point;

CREATE OR REPLACE TEMP TABLE interval_columns AS
SELECT o.dataset, o.interval_start, t.column_name, bool_or(t.is_complete) AS in_complete_list,
       count(DISTINCT t.data_type) AS types
FROM (SELECT DISTINCT dataset, interval_start, content FROM interval_observations WHERE is_repeatable) o
JOIN observed_types t ON t.content = o.content
GROUP BY ALL;

-- Two statements disagree on a type, or one shows columns that a complete list does not have.
CREATE OR REPLACE TEMP TABLE conflicting_intervals AS
SELECT dataset, interval_start
FROM interval_columns
GROUP BY ALL
HAVING max(types) > 1 OR (bool_or(in_complete_list) AND NOT bool_and(in_complete_list));

-- Of a stable interval the first and the last of equal observations of each job: the last overwrite is the one that a
-- later change of a type is ascribed to. Of a conflicting one each that differs from the one before it; all definitions.
CREATE OR REPLACE TEMP TABLE reselected_observations AS
WITH stable AS (
    SELECT o.*, row_number() OVER equal_ones > 1 AS is_repeated
    FROM interval_observations o
    ANTI JOIN conflicting_intervals c
      ON c.dataset = o.dataset AND c.interval_start IS NOT DISTINCT FROM o.interval_start
    WHERE o.is_repeatable
    WINDOW equal_ones AS (
        PARTITION BY o.dataset, o.interval_start, o.content, o.job_name
        ORDER BY o.seen_at, o.app_id, o.attempt_id, o.execution_id, o.lineage_id, o."position"
    )
    QUALIFY row_number() OVER equal_ones = 1 OR lead(true) OVER equal_ones IS NULL
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
SELECT *, false AS is_conflicting FROM stable
UNION ALL
SELECT *, false, true FROM conflicting
UNION ALL
SELECT *, false, false FROM interval_observations WHERE NOT is_repeatable;

-- An observation that was left out as a repetition can count in an interval that is conflicting now.
INSERT INTO rebuilt_datasets
SELECT DISTINCT n.dataset
FROM reselected_observations n
JOIN selected_observations o
  ON o.dataset = n.dataset AND o.app_id = n.app_id AND o.attempt_id = n.attempt_id AND o.execution_id = n.execution_id
 AND o.lineage_id = n.lineage_id AND o."position" = n."position"
WHERE n.is_conflicting AND NOT o.is_conflicting AND n.dataset NOT IN (FROM rebuilt_datasets);
