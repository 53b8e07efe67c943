-- The snapshots that statements read, as the tables' metadata shows them.
-- reads: preceding_commits
-- changes: open_run_snapshots affected_applications

INSERT INTO open_run_snapshots BY NAME
SELECT app_id, attempt_id, execution_id, dataset, 'read' AS direction, snapshot_id, 'inferred' AS snapshot_confidence
FROM preceding_commits;

INSERT INTO affected_applications SELECT app_id, attempt_id FROM preceding_commits;
