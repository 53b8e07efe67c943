-- Changes of schemas and of lineage in one list; a changed edge is named by its source.
SELECT changed_at, 'schema' AS kind, dataset, "version", change, column_name, old_value, new_value, nature, evidence,
       detail, confidence, job_name, app_id, attempt_id, execution_id
FROM schema_changes
UNION ALL BY NAME
SELECT changed_at, 'lineage' AS kind, target_dataset AS dataset, change, target_column AS column_name,
       CASE change WHEN 'edge_removed' THEN concat_ws('.', source_dataset, source_column) ELSE old_value END AS old_value,
       CASE change WHEN 'edge_added' THEN concat_ws('.', source_dataset, source_column) ELSE new_value END AS new_value,
       transformation AS evidence, job_name, app_id, attempt_id, execution_id
FROM lineage_changes
