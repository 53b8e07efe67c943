-- The changes of $dataset, or of its $column, until $at, the newest first.
SELECT c.*, coalesce(e.user_name, a.user_name) AS user_name, a.app_name, a.code_version, a.log_path
FROM dataset_changes c
LEFT JOIN applications a USING (app_id, attempt_id)
LEFT JOIN executions e USING (app_id, attempt_id, execution_id)
WHERE c.dataset = $dataset AND ($column = '' OR c.column_name IS NULL OR lower(c.column_name) = lower($column))
  AND ($at IS NULL OR c.changed_at <= CAST($at AS TIMESTAMP))
ORDER BY c.changed_at DESC, c.kind, c.change, c.column_name
