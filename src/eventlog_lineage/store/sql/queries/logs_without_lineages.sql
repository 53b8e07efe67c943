-- the logs that have statements without a lineage: a harvest by a program before 0.3.0 lost it
SELECT DISTINCT l.log_path
FROM harvested_logs l JOIN executions e USING (app_id, attempt_id) ANTI JOIN lineages USING (lineage_id)
WHERE e.lineage_id IS NOT NULL
