-- Changes of schemas and lineage since a time, the oldest first.
SELECT changed_at, kind, dataset, change, column_name, old_value, new_value, nature, confidence, job_name, app_id,
       attempt_id, execution_id
FROM dataset_changes
WHERE changed_at >= ?
ORDER BY changed_at, dataset, kind DESC, change, column_name, old_value, new_value
