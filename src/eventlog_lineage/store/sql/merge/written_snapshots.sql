-- The snapshots that statements made.
-- reads: matched_commits dataset_names open_run_snapshots
-- changes: open_run_snapshots affected_applications

DELETE FROM open_run_snapshots USING matched_commits c
WHERE open_run_snapshots.app_id = c.app_id AND open_run_snapshots.attempt_id = c.attempt_id
  AND open_run_snapshots.execution_id = c.execution_id AND open_run_snapshots.direction = 'write'
  AND coalesce((SELECT n.dataset FROM dataset_names n WHERE n."name" = open_run_snapshots.dataset), open_run_snapshots.dataset)
      = c.dataset;
INSERT INTO open_run_snapshots BY NAME
SELECT app_id, attempt_id, execution_id, dataset, 'write' AS direction, snapshot_id, 'exact' AS snapshot_confidence
FROM matched_commits;

INSERT INTO affected_applications SELECT app_id, attempt_id FROM matched_commits;
