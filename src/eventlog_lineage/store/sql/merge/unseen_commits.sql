-- Commits of an application of the store that no statement of its log shows: procedures whose plan is only their result.
-- Their gaps: the new ones (is_new), and those of earlier harvests. A procedure with a name has committed before its
-- statement begins (Spark 4 runs it in the analyzer): it made what comes before it and after the write before.
-- reads: named_commits applications named_io executions log_gaps
-- makes: commit_gaps unseen_commits

CREATE OR REPLACE TEMP TABLE commit_gaps AS
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
    AND c.committed_at BETWEEN e.started_at AND coalesce(e.ended_at, a.ended_at))
  AND coalesce((
    SELECT arg_min(i.mode, e.started_at) FROM named_io i
    JOIN executions e ON e.lineage_fingerprint = i.lineage_fingerprint
    WHERE i.dataset = c.dataset AND i.direction = 'write' AND e.app_id = a.app_id AND e.attempt_id = a.attempt_id
      AND e.started_at >= c.committed_at) <> 'maintenance', true);

CREATE OR REPLACE TEMP TABLE unseen_commits AS
WITH stored AS (FROM log_gaps WHERE reason = 'unknown_target' AND operator = 'table metadata')
SELECT *, true AS is_new FROM (FROM commit_gaps EXCEPT FROM stored)
UNION ALL
SELECT *, false FROM (FROM stored EXCEPT FROM commit_gaps);
