-- The runs to export, each with its target and the number by which they are read.
CREATE OR REPLACE TEMP TABLE export_runs AS
WITH writes AS (
    SELECT lineage_fingerprint, dataset AS target, mode,
           count(*) OVER (PARTITION BY lineage_fingerprint) AS targets
    FROM named_io JOIN datasets USING (dataset)
    WHERE direction = 'write' AND kind <> 'temp_view'  -- a session's own: no other system knows it
),
stored AS (
    SELECT e.app_id, e.attempt_id, e.execution_id, e.job_name, coalesce(e.sql_text, '') AS sql_text, e.status, e.error,
           coalesce(e.started_at, a.started_at) AS started_at, e.ended_at, e.stream_query_id IS NOT NULL AS streams,
           e.lineage_fingerprint, a.app_name, coalesce(e.user_name, a.user_name) AS user_name, a.spark_version,
           a.started_at AS app_started_at,
           a.ended_at AS app_ended_at, coalesce(a.complete, false) AS app_complete, coalesce(a.agents, '') AS agents
    FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
    WHERE e.execution_id = e.root_execution_id AND e.lineage_fingerprint IS NOT NULL
),
dropped AS (  -- runs whose rows `--keep` dropped; what is kept of them is the first of a row of equal ones
    SELECT p.app_id, p.attempt_id, p.execution_id, p.job_name, '' AS sql_text,
           CASE WHEN p.succeeded THEN 'succeeded' ELSE 'failed' END AS status, NULL AS error,
           p.first_seen AS started_at, p.ended_at, false AS streams, p.lineage_fingerprint,
           NULL AS app_name, NULL AS user_name, p.spark_version, NULL AS app_started_at,
           NULL AS app_ended_at, true AS app_complete, '' AS agents
    FROM past_runs p ANTI JOIN stored s USING (app_id, attempt_id, execution_id)
),
renames AS (  -- a renamed table is the statement's target by its old name
    SELECT app_id, attempt_id, execution_id, old_value, any_value(new_value) AS new_value
    FROM schema_changes WHERE change = 'table_renamed'
    GROUP BY ALL
),
chosen AS (
    SELECT r.*, coalesce(n.new_value, w.target) AS target, w.mode, w.targets > 1 AS has_more_targets,
           CASE WHEN n.new_value IS NOT NULL THEN w.target END AS renamed_from
    FROM (FROM stored UNION ALL BY NAME FROM dropped) r
    JOIN writes w USING (lineage_fingerprint)
    LEFT JOIN renames n
      ON n.app_id = r.app_id AND n.attempt_id = r.attempt_id AND n.execution_id = r.execution_id
     AND n.old_value = w.target
    WHERE r.started_at IS NOT NULL AND {condition}
    {qualification}
)
SELECT row_number() OVER (
           ORDER BY coalesce(app_started_at, started_at), app_id, attempt_id, started_at, execution_id, target
       ) AS number, *
FROM chosen c
-- a table that is dropped and made again is there: a consumer that reads both events in any order must show it
WHERE c.mode <> 'drop' OR NOT EXISTS (
    FROM chosen l
    WHERE l.target = c.target AND l.mode <> 'drop' AND l.status = 'succeeded' AND l.started_at >= c.started_at
)
