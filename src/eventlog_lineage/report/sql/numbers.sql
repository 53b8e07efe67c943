-- Numbers for what is in report_scope: datasets from 0 by name, columns after them by dataset and place.

CREATE OR REPLACE TEMP TABLE report_datasets AS
SELECT row_number() OVER (ORDER BY dataset) - 1 AS node, dataset FROM report_scope ORDER BY dataset;

CREATE OR REPLACE TEMP TABLE report_columns AS
WITH named AS (
    SELECT dataset, column_name, ordinal, valid_to IS NULL AS is_listed, 0 AS rank
    FROM schema_versions
    UNION ALL
    SELECT target_dataset, target_column, target_ordinal, is_current, 1 FROM named_report_edges
    UNION ALL
    SELECT source_dataset, source_column, NULL, is_current, 2 FROM named_report_edges
),
placed AS (
    SELECT n.dataset, lower(n.column_name) AS key,
           arg_min(n.column_name, (NOT n.is_listed, n.rank, n.column_name)) AS column_name,
           arg_min(n.ordinal, (NOT n.is_listed, n.rank, n.ordinal)) FILTER (n.ordinal IS NOT NULL) AS ordinal,
           bool_or(n.is_listed AND n.rank = 0) AS in_schema, bool_or(n.is_listed AND n.rank > 0) AS in_edges
    FROM named n SEMI JOIN report_scope s ON s.dataset = n.dataset
    WHERE n.column_name IS NOT NULL
    GROUP BY ALL
),
judged AS (
    SELECT *, bool_or(in_schema) OVER (PARTITION BY dataset) AS has_schema FROM placed
)
SELECT (SELECT count(*) FROM report_datasets)
         + row_number() OVER (ORDER BY d.node, j.ordinal NULLS LAST, j.key) - 1 AS node,
       d.node AS dataset_node, j.dataset, j.key, j.column_name, j.ordinal,
       CASE WHEN j.has_schema THEN NOT j.in_schema ELSE NOT j.in_edges END AS is_gone
FROM judged j JOIN report_datasets d USING (dataset);

CREATE OR REPLACE TEMP TABLE report_edges AS
SELECT row_number() OVER (
           ORDER BY coalesce(tc.node, td.node), coalesce(sc.node, sd.node, -1), e.dependency, e.transformation, e.job_name,
                    e.edge
       ) - 1 AS number,
       coalesce(sc.node, sd.node, -1) AS source, coalesce(tc.node, td.node) AS target,
       e.dependency, e.transformation, e.masking, e.confidence, e.is_current, e.job_name, e.expression,
       e.first_seen, CASE WHEN NOT e.is_current THEN coalesce(x.ended_at, e.last_seen) END AS ended_at, e.last_seen, e.edge
FROM named_report_edges e
JOIN report_datasets td ON td.dataset = e.target_dataset
LEFT JOIN report_columns tc ON tc.dataset = e.target_dataset AND tc.key = lower(e.target_column)
LEFT JOIN report_datasets sd ON sd.dataset = e.source_dataset
LEFT JOIN report_columns sc ON sc.dataset = e.source_dataset AND sc.key = lower(e.source_column)
LEFT JOIN edge_ends x ON x.edge = e.edge
WHERE e.source_dataset IS NULL OR sd.node IS NOT NULL;
