-- How many executions, edges and gaps this harvest found.
-- reads: staged_executions staged_gaps open_executions lineage_edges lineage_gaps

WITH found AS (SELECT DISTINCT app_id, attempt_id, execution_id FROM staged_executions),
     linked AS (
        SELECT e.app_id, e.attempt_id, e.execution_id, e.lineage_fingerprint
        FROM open_executions e SEMI JOIN found f USING (app_id, attempt_id, execution_id)
     )
SELECT (SELECT count(*) FROM found),
       (SELECT count(*) FROM lineage_edges e SEMI JOIN linked l USING (lineage_fingerprint)),
       (SELECT count(*) FROM linked l JOIN lineage_gaps g USING (lineage_fingerprint))
         + (SELECT count(*) FROM (SELECT DISTINCT * FROM staged_gaps))
