-- The gaps of commits that no statement shows.
-- reads: unseen_commits
-- changes: open_log_gaps affected_applications

DELETE FROM open_log_gaps USING unseen_commits u
WHERE NOT u.is_new AND open_log_gaps.app_id = u.app_id AND open_log_gaps.attempt_id = u.attempt_id
  AND open_log_gaps.execution_id IS NULL AND open_log_gaps.reason = u.reason AND open_log_gaps.operator = u.operator
  AND open_log_gaps.detail = u.detail;
INSERT INTO open_log_gaps BY NAME SELECT * EXCLUDE (is_new) FROM unseen_commits WHERE is_new;

INSERT INTO affected_applications SELECT app_id, attempt_id FROM unseen_commits;
