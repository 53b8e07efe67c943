-- Stored executions whose lineage is stored later than they are, or differs from before.
-- reads: new_lineages open_executions
-- makes: relinked
-- changes: open_executions

CREATE OR REPLACE TEMP TABLE relinked AS
SELECT DISTINCT e.app_id, e.attempt_id, e.lineage_id, n.lineage_fingerprint
FROM open_executions e JOIN new_lineages n USING (lineage_id)
WHERE e.lineage_fingerprint IS DISTINCT FROM n.lineage_fingerprint;

UPDATE open_executions SET lineage_fingerprint = n.lineage_fingerprint
FROM new_lineages n
WHERE open_executions.lineage_id = n.lineage_id
  AND open_executions.lineage_fingerprint IS DISTINCT FROM n.lineage_fingerprint;
