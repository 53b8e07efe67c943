-- Writes whose snapshot the tables themselves tell (`harvest --table-metadata`): a stream's batch by its ids, another
-- statement by its application and its time, where one commit has one statement that can have made it.
CREATE OR REPLACE TEMP TABLE told_commits AS
SELECT DISTINCT coalesce(n.dataset, c.location) AS dataset, c.snapshot_id, c.committed_at, nullif(c.app_id, '') AS app_id,
       nullif(c.stream_query_id, '') AS stream_query_id, c.stream_batch_id
FROM handed_table_commits c LEFT JOIN dataset_names n ON n."name" = c.location;

CREATE OR REPLACE TEMP TABLE possible_commits AS
SELECT e.app_id, e.attempt_id, e.execution_id, c.dataset, c.snapshot_id
FROM told_commits c
JOIN named_io i ON i.dataset = c.dataset AND i.direction = 'write'
JOIN executions e ON e.lineage_fingerprint = i.lineage_fingerprint AND e.status = 'succeeded'
WHERE CASE WHEN c.stream_query_id IS NOT NULL AND c.stream_batch_id IS NOT NULL
           THEN e.stream_query_id = c.stream_query_id AND e.stream_batch_id = c.stream_batch_id
           ELSE coalesce(c.app_id, e.app_id) = e.app_id AND c.committed_at BETWEEN e.started_at AND e.ended_at END;

CREATE OR REPLACE TEMP TABLE certain_commits AS
SELECT app_id, attempt_id, execution_id, dataset, snapshot_id
FROM possible_commits
QUALIFY count(*) OVER (PARTITION BY app_id, attempt_id, execution_id, dataset) = 1
    AND count(*) OVER (PARTITION BY dataset, snapshot_id) = 1;

DELETE FROM run_snapshots USING certain_commits c
WHERE run_snapshots.app_id = c.app_id AND run_snapshots.attempt_id = c.attempt_id
  AND run_snapshots.execution_id = c.execution_id AND run_snapshots.direction = 'write'
  AND coalesce((SELECT n.dataset FROM dataset_names n WHERE n."name" = run_snapshots.dataset), run_snapshots.dataset)
      = c.dataset;
INSERT INTO run_snapshots BY NAME
SELECT app_id, attempt_id, execution_id, dataset, 'write' AS direction, snapshot_id, 'exact' AS snapshot_confidence
FROM certain_commits;

INSERT INTO due_applications SELECT DISTINCT app_id, attempt_id FROM certain_commits;
