-- What the runs of export_runs read and wrote.
CREATE OR REPLACE TEMP TABLE export_moved AS
SELECT r.number, i.dataset, i.direction, i."rows", i."bytes", i.files, i.snapshot_id
FROM dataset_io i
JOIN export_runs r USING (app_id, attempt_id, execution_id)
WHERE (i.direction = 'write') = (i.dataset = r.target) OR i.direction = 'read'
ORDER BY r.number
