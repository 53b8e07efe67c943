-- The listed logs that were harvested, and whether a part of a log could not be read.
-- reads: harvested_logs log_gaps listed_logs

SELECT log_path, size, modified_at, state, app_id, attempt_id,
       state = 'unreadable' OR (app_id, attempt_id) IN (
           SELECT (app_id, attempt_id) FROM log_gaps WHERE reason = 'unreadable_log'
       ) AS unreadable
FROM harvested_logs
SEMI JOIN listed_logs USING (log_path)
