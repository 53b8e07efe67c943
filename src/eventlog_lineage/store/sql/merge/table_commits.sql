-- Snapshots from the tables' own metadata (`harvest --table-metadata`).
-- reads: staged_table_commits dataset_names named_io dataset_io executions run_snapshots applications
-- makes: named_commits candidate_commits matched_commits reads_without_snapshot preceding_commits
-- changes: run_snapshots log_gaps affected_applications

CREATE OR REPLACE TEMP TABLE named_commits AS
SELECT DISTINCT coalesce(n.dataset, c.location) AS dataset, c.snapshot_id, c.committed_at, nullif(c.app_id, '') AS app_id,
       nullif(c.stream_query_id, '') AS stream_query_id, c.stream_batch_id,
       coalesce(c.is_commit, true) AS is_commit, coalesce(c.is_current, true) AS is_current, c.files, c."bytes"
FROM staged_table_commits c LEFT JOIN dataset_names n ON n."name" = c.location;

-- A micro-batch has the ids of its stream in the commit; another statement matches by application and time, where one
-- statement alone can have made the commit.
CREATE OR REPLACE TEMP TABLE candidate_commits AS
SELECT e.app_id, e.attempt_id, e.execution_id, c.dataset, c.snapshot_id
FROM named_commits c
JOIN named_io i ON i.dataset = c.dataset AND i.direction = 'write'
JOIN executions e ON e.lineage_fingerprint = i.lineage_fingerprint AND e.status = 'succeeded'
WHERE c.is_commit
  AND CASE WHEN c.stream_query_id IS NOT NULL AND c.stream_batch_id IS NOT NULL
           THEN e.stream_query_id = c.stream_query_id AND e.stream_batch_id = c.stream_batch_id
           ELSE coalesce(c.app_id, e.app_id) = e.app_id AND c.committed_at BETWEEN e.started_at AND e.ended_at END;

CREATE OR REPLACE TEMP TABLE matched_commits AS
SELECT app_id, attempt_id, execution_id, dataset, snapshot_id
FROM candidate_commits
QUALIFY count(*) OVER (PARTITION BY app_id, attempt_id, execution_id, dataset) = 1
    AND count(*) OVER (PARTITION BY dataset, snapshot_id) = 1;

DELETE FROM run_snapshots USING matched_commits c
WHERE run_snapshots.app_id = c.app_id AND run_snapshots.attempt_id = c.attempt_id
  AND run_snapshots.execution_id = c.execution_id AND run_snapshots.direction = 'write'
  AND coalesce((SELECT n.dataset FROM dataset_names n WHERE n."name" = run_snapshots.dataset), run_snapshots.dataset)
      = c.dataset;
INSERT INTO run_snapshots BY NAME
SELECT app_id, attempt_id, execution_id, dataset, 'write' AS direction, snapshot_id, 'exact' AS snapshot_confidence
FROM matched_commits;

-- Reads whose snapshot is in no log: what was current when the statement began, unless it changed while it ran, and
-- unless what the scan read may as well be an older snapshot, which these formats do not print: all files of the
-- current one were read, or no other snapshot from before has as many files and bytes.
CREATE OR REPLACE TEMP TABLE reads_without_snapshot AS
SELECT e.app_id, e.attempt_id, e.execution_id, e.started_at, e.ended_at, i.dataset, i."bytes", i.files
FROM dataset_io i JOIN executions e USING (app_id, attempt_id, execution_id)
WHERE i.direction = 'read' AND i.snapshot_id IS NULL AND e.status = 'succeeded' AND e.ended_at IS NOT NULL
  AND i.dataset IN (SELECT dataset FROM named_commits);

CREATE OR REPLACE TEMP TABLE preceding_commits AS
WITH snapshots AS (
  SELECT dataset, snapshot_id, min(committed_at) AS made_at, max(files) AS files, max("bytes") AS "bytes"
  FROM named_commits WHERE is_commit GROUP BY ALL),
current AS (SELECT DISTINCT dataset, snapshot_id, committed_at FROM named_commits WHERE is_current),
disturbed AS (
  SELECT r.app_id, r.attempt_id, r.execution_id, r.dataset
  FROM reads_without_snapshot r
  ASOF JOIN current c ON r.dataset = c.dataset AND r.started_at <= c.committed_at
  LEFT JOIN matched_commits o ON o.app_id = r.app_id AND o.attempt_id = r.attempt_id
    AND o.execution_id = r.execution_id AND o.dataset = r.dataset AND o.snapshot_id = c.snapshot_id
  WHERE c.committed_at <= r.ended_at AND o.snapshot_id IS NULL),
possible AS (
  SELECT r.app_id, r.attempt_id, r.execution_id, r.dataset, c.snapshot_id AS current_id,
         bool_or(s.snapshot_id = c.snapshot_id) AS is_possible, count(*) AS snapshots,
         bool_or(s.snapshot_id = c.snapshot_id AND s.files = r.files AND s."bytes" = r."bytes") AS is_whole
  FROM reads_without_snapshot r
  ASOF JOIN current c ON r.dataset = c.dataset AND r.started_at > c.committed_at
  JOIN snapshots s ON s.dataset = r.dataset AND s.made_at < r.started_at
    AND coalesce(r.files <= s.files, true) AND coalesce(r."bytes" <= s."bytes", true)
  GROUP BY ALL)
SELECT p.app_id, p.attempt_id, p.execution_id, p.dataset, p.current_id AS snapshot_id
FROM possible p
WHERE (coalesce(p.is_whole, false) OR (p.is_possible AND p.snapshots = 1)) AND NOT EXISTS (
  SELECT 1 FROM disturbed d
  WHERE d.app_id = p.app_id AND d.attempt_id = p.attempt_id AND d.execution_id = p.execution_id AND d.dataset = p.dataset);

INSERT INTO run_snapshots BY NAME
SELECT app_id, attempt_id, execution_id, dataset, 'read' AS direction, snapshot_id, 'inferred' AS snapshot_confidence
FROM preceding_commits;

-- Commits of an application of the store that no statement of its log shows: procedures whose plan is only their result.
DELETE FROM log_gaps WHERE reason = 'unknown_target' AND operator = 'table metadata';
INSERT INTO log_gaps BY NAME
SELECT a.app_id, a.attempt_id, NULL AS execution_id, 'unknown_target' AS reason, 'table metadata' AS operator,
       'no statement of the log writes ' || c.dataset || ' at ' || strftime(c.committed_at, '%Y-%m-%d %H:%M:%S')
           || ', when it got snapshot ' || c.snapshot_id AS detail,
       'a procedure (CALL) may have made it: its plan in the log is only its result' AS hint
FROM (SELECT DISTINCT dataset, snapshot_id, committed_at, app_id FROM named_commits) c
JOIN applications a ON coalesce(c.app_id, a.app_id) = a.app_id AND c.committed_at BETWEEN a.started_at AND a.ended_at
WHERE NOT EXISTS (
  SELECT 1 FROM named_io i
  JOIN executions e ON e.lineage_fingerprint = i.lineage_fingerprint
  WHERE i.dataset = c.dataset AND i.direction = 'write' AND e.app_id = a.app_id AND e.attempt_id = a.attempt_id
    AND c.committed_at BETWEEN e.started_at AND coalesce(e.ended_at, a.ended_at));

INSERT INTO affected_applications
SELECT app_id, attempt_id FROM matched_commits UNION SELECT app_id, attempt_id FROM preceding_commits;
