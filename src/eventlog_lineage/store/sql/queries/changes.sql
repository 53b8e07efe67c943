-- Changes of schemas and lineage since a time, of a dataset and its former names or of all, the oldest first.
WITH RECURSIVE names(dataset) AS (
    SELECT CAST($dataset AS VARCHAR)
    UNION
    SELECT c.old_value FROM names n JOIN schema_changes c ON c.dataset = n.dataset AND c.change = 'table_renamed'
)
SELECT changed_at, kind, dataset, change, column_name, old_value, new_value, nature, confidence, job_name, app_id,
       attempt_id, execution_id
FROM dataset_changes
WHERE (CAST($since AS TIMESTAMP) IS NULL OR changed_at >= CAST($since AS TIMESTAMP))
  AND ($dataset IS NULL OR dataset IN (FROM names))
ORDER BY changed_at, dataset, kind DESC, change, column_name, old_value, new_value
