-- The logs of `$paths` that were harvested, and whether a part of a log could not be read.
-- reads: harvested_logs log_gaps

SELECT log_path, size, modified_at, state, app_id, attempt_id,
       state = 'unreadable' OR (app_id, attempt_id) IN (
           SELECT (app_id, attempt_id) FROM log_gaps WHERE reason = 'unreadable_log'
       ) AS unreadable
FROM harvested_logs
SEMI JOIN (SELECT unnest($paths) AS log_path) USING (log_path)
