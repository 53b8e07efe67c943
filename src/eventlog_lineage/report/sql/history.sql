-- What changed over time, for the datasets of the page: makes report_schema, report_schema_changes, report_lineage_changes.

CREATE OR REPLACE TEMP TABLE report_schema AS
SELECT c.node, v.data_type, v.valid_from, v.valid_to
FROM schema_versions v
JOIN report_columns c ON c.dataset = v.dataset AND c.key = lower(v.column_name);

CREATE OR REPLACE TEMP TABLE report_schema_changes AS
SELECT d.node AS dataset_node, c.node AS column_node, s.column_name, s.changed_at, s.change, s.old_value, s.new_value, s.nature,
       s.confidence, s.job_name, s.detail
FROM schema_changes s
JOIN report_datasets d USING (dataset)
LEFT JOIN report_columns c ON c.dataset = s.dataset AND c.key = lower(s.column_name);

CREATE OR REPLACE TEMP TABLE report_lineage_changes AS
SELECT coalesce(c.node, d.node) AS target, coalesce(sc.node, sd.node) AS source, l.source_dataset, l.source_column,
       l.changed_at, l.change, l.old_value, l.new_value, l.job_name
FROM lineage_changes l
JOIN report_datasets d ON d.dataset = l.target_dataset
LEFT JOIN report_columns c ON c.dataset = l.target_dataset AND c.key = lower(l.target_column)
LEFT JOIN report_datasets sd ON sd.dataset = l.source_dataset
LEFT JOIN report_columns sc ON sc.dataset = l.source_dataset AND sc.key = lower(l.source_column);
