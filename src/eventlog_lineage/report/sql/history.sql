-- What changed over time, for the datasets of the page: makes report_schema, report_schema_changes, report_lineage_changes.

CREATE OR REPLACE TEMP TABLE report_schema AS
SELECT c.node, v.data_type, v.valid_from, v.valid_to
FROM schema_versions v
JOIN report_columns c ON c.dataset = v.dataset AND c.key = lower(v.column_name);

CREATE OR REPLACE TEMP TABLE report_schema_changes AS
WITH first_read AS (
    SELECT DISTINCT app_id, attempt_id FROM harvested_logs WHERE harvest_id = (SELECT min(harvest_id) FROM harvests)
)
SELECT d.node AS dataset_node, c.node AS column_node, s.column_name, s.changed_at, s.change, s.old_value, s.new_value,
       CASE WHEN s.change = 'table_created' AND (s.app_id, s.attempt_id) IN (FROM first_read) THEN 'first harvest'
            ELSE s.nature END AS nature,
       s.confidence, s.job_name, s.detail, s.app_id, s.attempt_id
FROM schema_changes s
JOIN report_datasets d USING (dataset)
LEFT JOIN report_columns c ON c.dataset = s.dataset AND c.key = lower(s.column_name);

CREATE OR REPLACE TEMP TABLE report_lineage_changes AS
SELECT coalesce(c.node, d.node) AS target, coalesce(sc.node, sd.node) AS source, l.source_dataset, l.source_column,
       l.changed_at, l.change, l.old_value, l.new_value, l.job_name, l.app_id, l.attempt_id
FROM lineage_changes l
JOIN report_datasets d ON d.dataset = l.target_dataset
LEFT JOIN report_columns c ON c.dataset = l.target_dataset AND c.key = lower(l.target_column)
LEFT JOIN report_datasets sd ON sd.dataset = l.source_dataset
LEFT JOIN report_columns sc ON sc.dataset = l.source_dataset AND sc.key = lower(l.source_column);

-- Who changed something: the applications of the changes, by number.
CREATE OR REPLACE TEMP TABLE report_change_apps AS
SELECT row_number() OVER (ORDER BY app_id, attempt_id) - 1 AS number, app_id, attempt_id,
       concat_ws(' · ', a.user_name, a.app_name, app_id, a.code_version, 'Spark ' || a.spark_version) AS who
FROM (SELECT app_id, attempt_id FROM report_schema_changes UNION SELECT app_id, attempt_id FROM report_lineage_changes)
JOIN applications a USING (app_id, attempt_id);
