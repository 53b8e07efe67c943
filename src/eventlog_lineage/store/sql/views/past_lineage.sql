-- The edges that were current at a time: those of each job's last succeeded run onto each target before it.
CREATE OR REPLACE MACRO lineage_at(at_time) AS TABLE
WITH runs AS (
    SELECT job_name, lineage_fingerprint, unnest(list_distinct([first_seen, last_seen])) AS ran_at
    FROM statement_runs
    WHERE succeeded
),
held AS (
    SELECT r.job_name, w.dataset AS target_dataset, r.lineage_fingerprint, max(r.ran_at) AS shown_at
    FROM runs r
    JOIN named_io w ON w.lineage_fingerprint = r.lineage_fingerprint AND w.direction = 'write'
    WHERE r.ran_at <= CAST(at_time AS TIMESTAMP)
    GROUP BY r.job_name, w.dataset, r.lineage_fingerprint
    QUALIFY row_number() OVER (
        PARTITION BY r.job_name, w.dataset ORDER BY max(r.ran_at) DESC, r.lineage_fingerprint DESC
    ) = 1
)
SELECT h.job_name, {edge_columns of l}, h.shown_at
FROM held h
JOIN named_edges l
  ON l.lineage_fingerprint = h.lineage_fingerprint AND l.target_dataset = h.target_dataset
ANTI JOIN removals m
  ON m.removed_at > h.shown_at AND m.removed_at <= CAST(at_time AS TIMESTAMP)
 AND (m.dataset = l.target_dataset AND (m.column_name IS NULL OR m.column_name = lower(l.target_column))
      OR m.dataset = l.source_dataset AND m.column_name = lower(l.source_column));

COMMENT ON MACRO TABLE lineage_at IS
    'The edges that were current at a time: those of each job''s last succeeded run onto each target until then, without dropped columns and tables.';
