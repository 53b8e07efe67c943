-- Snapshots from the tables' own metadata (`harvest --table-metadata`).
-- reads: staged_table_commits dataset_names named_io executions run_snapshots
-- makes: named_commits candidate_commits matched_commits reads_without_snapshot preceding_commits
-- changes: run_snapshots affected_applications

CREATE OR REPLACE TEMP TABLE named_commits AS
SELECT DISTINCT coalesce(n.dataset, c.location) AS dataset, c.snapshot_id, c.committed_at, nullif(c.app_id, '') AS app_id,
       nullif(c.stream_query_id, '') AS stream_query_id, c.stream_batch_id
FROM staged_table_commits c LEFT JOIN dataset_names n ON n."name" = c.location;

-- A micro-batch has the ids of its stream in the commit; another statement matches by application and time, where one
-- statement alone can have made the commit.
CREATE OR REPLACE TEMP TABLE candidate_commits AS
SELECT e.app_id, e.attempt_id, e.execution_id, c.dataset, c.snapshot_id
FROM named_commits c
JOIN named_io i ON i.dataset = c.dataset AND i.direction = 'write'
JOIN executions e ON e.lineage_fingerprint = i.lineage_fingerprint AND e.status = 'succeeded'
WHERE CASE WHEN c.stream_query_id IS NOT NULL AND c.stream_batch_id IS NOT NULL
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

-- Reads whose snapshot is in no log: the newest commit before the statement began, unless another one came while it
-- ran. Inferred: a statement may have asked for an older snapshot, which not all formats print.
CREATE OR REPLACE TEMP TABLE reads_without_snapshot AS
SELECT e.app_id, e.attempt_id, e.execution_id, e.started_at, e.ended_at, i.dataset
FROM named_io i JOIN executions e ON e.lineage_fingerprint = i.lineage_fingerprint AND e.status = 'succeeded'
WHERE i.direction = 'read' AND i.dataset IN (SELECT dataset FROM named_commits) AND e.ended_at IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM run_snapshots s
    WHERE s.app_id = e.app_id AND s.attempt_id = e.attempt_id AND s.execution_id = e.execution_id
      AND s.direction = 'read'
      AND coalesce((SELECT n.dataset FROM dataset_names n WHERE n."name" = s.dataset), s.dataset) = i.dataset);

CREATE OR REPLACE TEMP TABLE preceding_commits AS
WITH commits AS (SELECT DISTINCT dataset, snapshot_id, committed_at FROM named_commits),
disturbed AS (
  SELECT r.app_id, r.attempt_id, r.execution_id, r.dataset
  FROM reads_without_snapshot r
  ASOF JOIN commits c ON r.dataset = c.dataset AND r.started_at <= c.committed_at
  LEFT JOIN matched_commits o ON o.app_id = r.app_id AND o.attempt_id = r.attempt_id
    AND o.execution_id = r.execution_id AND o.dataset = r.dataset AND o.snapshot_id = c.snapshot_id
  WHERE c.committed_at <= r.ended_at AND o.snapshot_id IS NULL)
SELECT r.app_id, r.attempt_id, r.execution_id, r.dataset, c.snapshot_id
FROM reads_without_snapshot r
ASOF JOIN commits c ON r.dataset = c.dataset AND r.started_at > c.committed_at
WHERE NOT EXISTS (
  SELECT 1 FROM disturbed d
  WHERE d.app_id = r.app_id AND d.attempt_id = r.attempt_id AND d.execution_id = r.execution_id AND d.dataset = r.dataset);

INSERT INTO run_snapshots BY NAME
SELECT app_id, attempt_id, execution_id, dataset, 'read' AS direction, snapshot_id, 'inferred' AS snapshot_confidence
FROM preceding_commits;

INSERT INTO affected_applications
SELECT app_id, attempt_id FROM matched_commits UNION SELECT app_id, attempt_id FROM preceding_commits;
