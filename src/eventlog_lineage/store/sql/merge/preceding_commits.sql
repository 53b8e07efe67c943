-- Reads without a snapshot in the log, and the snapshots that they must have read.
-- reads: named_commits matched_commits dataset_io executions
-- makes: reads_without_snapshot preceding_commits

-- Reads whose snapshot is in no log: what was current when the statement began, unless it changed while it ran, and
-- unless what the scan read may as well be an older snapshot, which these formats do not print: all files of the
-- current one were read, or no other snapshot from before has as many files and bytes.
CREATE OR REPLACE TEMP TABLE reads_without_snapshot AS
SELECT e.app_id, e.attempt_id, e.execution_id, e.started_at, e.ended_at, i.dataset, i."bytes", i.files
FROM dataset_io i JOIN executions e USING (app_id, attempt_id, execution_id)
WHERE i.direction = 'read' AND i.snapshot_id IS NULL AND e.status = 'succeeded' AND e.ended_at IS NOT NULL
  AND i.dataset IN (SELECT dataset FROM named_commits);

-- The commits next to a read come from one order of both: a join ASOF made DuckDB 1.5 crash.
CREATE OR REPLACE TEMP TABLE preceding_commits AS
WITH snapshots AS (
  SELECT dataset, snapshot_id, min(committed_at) AS made_at, max(files) AS files, max("bytes") AS "bytes"
  FROM named_commits WHERE is_commit GROUP BY ALL),
in_order AS (
  SELECT app_id, attempt_id, execution_id, dataset, ended_at, "bytes", files, started_at AS happened_at,
         false AS is_commit, NULL AS snapshot_id, NULL AS committed_at
  FROM reads_without_snapshot WHERE started_at IS NOT NULL
  UNION ALL BY NAME
  SELECT DISTINCT dataset, committed_at AS happened_at, true AS is_commit, snapshot_id, committed_at
  FROM named_commits WHERE is_current AND committed_at IS NOT NULL),
next_to_commits AS (
  SELECT app_id, attempt_id, execution_id, dataset, happened_at AS started_at, ended_at, "bytes", files,
         last_value(snapshot_id IGNORE NULLS) OVER before AS current_id,
         first_value(snapshot_id IGNORE NULLS) OVER after AS next_id,
         first_value(committed_at IGNORE NULLS) OVER after AS next_at
  FROM in_order
  WINDOW before AS (PARTITION BY dataset ORDER BY happened_at, is_commit, snapshot_id ROWS UNBOUNDED PRECEDING),
         after AS (PARTITION BY dataset ORDER BY happened_at, is_commit, snapshot_id
                   ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
  QUALIFY NOT is_commit),
disturbed AS (
  SELECT r.app_id, r.attempt_id, r.execution_id, r.dataset
  FROM next_to_commits r
  LEFT JOIN matched_commits o ON o.app_id = r.app_id AND o.attempt_id = r.attempt_id
    AND o.execution_id = r.execution_id AND o.dataset = r.dataset AND o.snapshot_id = r.next_id
  WHERE r.next_at <= r.ended_at AND o.snapshot_id IS NULL),
possible AS (
  SELECT r.app_id, r.attempt_id, r.execution_id, r.dataset, r.current_id,
         bool_or(s.snapshot_id = r.current_id) AS is_possible, count(*) AS snapshots,
         bool_or(s.snapshot_id = r.current_id AND s.files = r.files AND s."bytes" = r."bytes") AS is_whole
  FROM next_to_commits r
  JOIN snapshots s ON s.dataset = r.dataset AND s.made_at < r.started_at
    AND coalesce(r.files <= s.files, true) AND coalesce(r."bytes" <= s."bytes", true)
  WHERE r.current_id IS NOT NULL
  GROUP BY ALL)
SELECT p.app_id, p.attempt_id, p.execution_id, p.dataset, p.current_id AS snapshot_id
FROM possible p
WHERE (coalesce(p.is_whole, false) OR (p.is_possible AND p.snapshots = 1)) AND NOT EXISTS (
  SELECT 1 FROM disturbed d
  WHERE d.app_id = p.app_id AND d.attempt_id = p.attempt_id AND d.execution_id = p.execution_id AND d.dataset = p.dataset);
