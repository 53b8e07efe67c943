-- the logs that the last harvest has read and that have a statement whose target, or the columns that it fills, are
-- unknown
SELECT DISTINCT l.log_path
FROM harvested_logs l JOIN gaps g USING (app_id, attempt_id)
WHERE l.harvest_id = (SELECT max(harvest_id) FROM harvests) 
  AND (g.reason = 'unknown_target' OR g.operator = 'LoadDataCommand')
ORDER BY l.log_path
