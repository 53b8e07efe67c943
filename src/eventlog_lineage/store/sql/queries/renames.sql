-- All renames of tables and columns, in the order of their times.
SELECT changed_at, dataset, change, old_value, new_value, execution_id, app_id, attempt_id
FROM schema_changes
WHERE change IN ('table_renamed', 'column_renamed') AND old_value IS NOT NULL
ORDER BY changed_at, app_id, attempt_id, execution_id, dataset, version
