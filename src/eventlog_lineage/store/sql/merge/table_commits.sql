-- Snapshots from the tables' own metadata (`harvest --table-metadata`), and the statements that made them.
-- reads: staged_table_commits dataset_names named_io executions
-- makes: named_commits candidate_commits matched_commits

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
