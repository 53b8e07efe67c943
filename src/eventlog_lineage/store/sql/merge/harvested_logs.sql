-- The logs that this harvest read; its number is {harvest_id}.
-- reads: staged_harvested_logs
-- makes: read_logs replaced_logs
-- changes: harvested_logs

CREATE OR REPLACE TEMP TABLE read_logs AS
SELECT * REPLACE ({harvest_id} AS harvest_id) FROM staged_harvested_logs
WHERE log_path IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY log_path ORDER BY size DESC, modified_at DESC, state, app_id, attempt_id) = 1;
-- A log loses this ending when its application ends.
CREATE OR REPLACE TEMP TABLE replaced_logs AS
SELECT log_path, harvest_id FROM harvested_logs
WHERE log_path IN (SELECT log_path FROM read_logs UNION ALL SELECT log_path || '.inprogress' FROM read_logs);
DELETE FROM harvested_logs WHERE log_path IN (SELECT log_path FROM replaced_logs);
INSERT INTO harvested_logs BY NAME SELECT * FROM read_logs;
