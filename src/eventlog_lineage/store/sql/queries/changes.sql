-- Changes of schemas and lineage between two times, of a dataset and its former names or of all, the oldest first. The
-- first harvest of a store finds all of its tables: their creation is listed for a dataset or a kind of change only.
WITH RECURSIVE names(dataset) AS (
    SELECT CAST($dataset AS VARCHAR)
    UNION
    SELECT c.old_value FROM names n JOIN schema_changes c ON c.dataset = n.dataset AND c.change = 'table_renamed'
),
first_read AS (
    SELECT DISTINCT app_id, attempt_id FROM harvested_logs WHERE harvest_id = (SELECT min(harvest_id) FROM harvests)
)
SELECT c.changed_at, c.kind, c.dataset, c.change, c.column_name,
       CASE c.change WHEN 'edge_removed' THEN c.old_value || ' (' || c.evidence || ')' ELSE c.old_value END AS old_value,
       CASE c.change WHEN 'edge_added' THEN c.new_value || ' (' || c.evidence || ')' ELSE c.new_value END AS new_value, c.nature, c.confidence,
       c.job_name, coalesce(e.user_name, a.user_name) AS user_name, a.app_name, a.code_version, c.app_id, c.attempt_id, c.execution_id
FROM dataset_changes c
LEFT JOIN applications a USING (app_id, attempt_id)
LEFT JOIN executions e USING (app_id, attempt_id, execution_id)
WHERE (CAST($since AS TIMESTAMP) IS NULL OR c.changed_at >= CAST($since AS TIMESTAMP))
  AND (CAST($until AS TIMESTAMP) IS NULL OR c.changed_at < CAST($until AS TIMESTAMP))
  AND ($kind IS NULL OR c.kind = $kind OR c.change = $kind)
  AND ($dataset IS NULL OR c.dataset IN (FROM names))
  AND (c.change <> 'table_created' OR $dataset IS NOT NULL OR $kind IS NOT NULL
       OR (c.app_id, c.attempt_id) NOT IN (FROM first_read))
ORDER BY c.changed_at, c.dataset, c.kind DESC, c.change, c.column_name, c.old_value, c.new_value
