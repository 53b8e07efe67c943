-- Changes of schemas and of lineage, the newest first; what was made of a changed column then, and which of the next runs of
-- the dataset's readers failed. Tables that the first harvest of the store found are left out.
WITH first_read AS (
    SELECT DISTINCT app_id, attempt_id FROM harvested_logs WHERE harvest_id = (SELECT min(harvest_id) FROM harvests)
),
changed AS (
    SELECT changed_at, 'schema' AS kind, dataset, column_name, change, old_value, new_value, nature, job_name
    FROM schema_changes
    WHERE change <> 'table_created' OR (app_id, attempt_id) NOT IN (FROM first_read)
    UNION ALL BY NAME
    SELECT changed_at, 'lineage' AS kind, target_dataset AS dataset, target_column AS column_name, change,
           CASE change WHEN 'edge_removed' THEN concat_ws('.', source_dataset, source_column) ELSE old_value END
               AS old_value,
           CASE change WHEN 'edge_added' THEN concat_ws('.', source_dataset, source_column) ELSE new_value END
               AS new_value,
           CAST(NULL AS VARCHAR) AS nature, job_name
    FROM lineage_changes
),
lost AS (
    SELECT DISTINCT changed_at, dataset, change,
           CASE WHEN change = 'column_renamed' THEN old_value ELSE column_name END AS column_name
    FROM changed
    WHERE change IN ('column_dropped', 'column_renamed', 'type_changed')
),
dependants AS (
    SELECT l.changed_at, l.dataset, l.change, l.column_name,
           count(DISTINCT (e.target_dataset, e.target_column)) AS dependants
    FROM lost l
    JOIN column_lineage e
      ON e.source_dataset = l.dataset AND lower(e.source_column) = lower(l.column_name)
     AND e.first_seen <= l.changed_at
    GROUP BY ALL
),
readers AS (
    SELECT DISTINCT i.dataset, e.job_name
    FROM dataset_io i JOIN executions e USING (app_id, attempt_id, execution_id)
    WHERE i.direction = 'read' AND e.execution_id = e.root_execution_id
),
in_order AS (
    SELECT DISTINCT r.job_name, c.changed_at AS happened_at, true AS is_change, c.dataset, CAST(NULL AS VARCHAR) AS status
    FROM changed c JOIN readers r USING (dataset)
    WHERE c.kind = 'schema'
    UNION ALL
    SELECT job_name, started_at, false, NULL, status FROM executions
    WHERE execution_id = root_execution_id AND started_at IS NOT NULL
),
next_runs AS (
    SELECT happened_at AS changed_at, dataset, job_name, is_change,
           first_value(status IGNORE NULLS) OVER (
               PARTITION BY job_name ORDER BY happened_at, is_change, status
               ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS next_status
    FROM in_order
),
broken AS (
    SELECT changed_at, dataset, list(DISTINCT job_name ORDER BY job_name) AS failed_next
    FROM next_runs
    WHERE is_change AND next_status = 'failed'
    GROUP BY ALL
)
SELECT c.changed_at, c.kind, c.dataset, c.column_name, c.change, c.nature, c.old_value, c.new_value,
       d.dependants, b.failed_next, c.job_name, s."system"
FROM changed c
LEFT JOIN datasets s ON s.dataset = c.dataset
LEFT JOIN dependants d
  ON d.changed_at = c.changed_at AND d.dataset = c.dataset AND d.change = c.change
 AND d.column_name = CASE WHEN c.change = 'column_renamed' THEN c.old_value ELSE c.column_name END
LEFT JOIN broken b ON c.kind = 'schema' AND b.changed_at = c.changed_at AND b.dataset = c.dataset
ORDER BY c.changed_at DESC, c.dataset, c.kind DESC, c.change, c.column_name, c.old_value, c.new_value
