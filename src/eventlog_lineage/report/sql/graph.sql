-- The datasets, columns and edges of the page, in numbers. Expects edge_names (today's names of edges that were seen with
-- others) and makes report_datasets, report_columns, report_edges. Columns that differ in case only are one, as in Spark.

CREATE OR REPLACE TEMP TABLE named_report_edges AS
SELECT l.rowid AS edge, l.job_name,
       coalesce(n.source_dataset, l.source_dataset) AS source_dataset,
       coalesce(n.source_column, l.source_column) AS source_column,
       coalesce(n.target_dataset, l.target_dataset) AS target_dataset,
       coalesce(n.target_column, l.target_column) AS target_column, l.target_ordinal,
       coalesce(l.dependency, 'NONE') AS dependency, coalesce(l.transformation, '') AS transformation,
       coalesce(l.masking, false) AS masking, l.confidence, l.is_current, coalesce(l.expression, '') AS expression,
       l.first_seen, l.last_seen
FROM column_lineage l LEFT JOIN edge_names n ON n.edge = l.rowid
WHERE l.target_dataset IS NOT NULL;

-- A read without a column (count(*)) or an opaque write: one dataset goes into another, and no column is known.
INSERT INTO named_report_edges BY NAME
SELECT CAST(NULL AS BIGINT) AS edge, t.job_name, t.source_dataset, t.target_dataset, 'TABLE' AS dependency,
       '' AS transformation, false AS masking, 'exact' AS confidence, t.is_current, '' AS expression,
       t.first_seen, t.last_seen
FROM table_lineage t
WHERE NOT EXISTS (
    FROM column_lineage l WHERE l.source_dataset = t.source_dataset AND l.target_dataset = t.target_dataset
);

-- The time from which on an edge did not hold any more: the first run without it, or the drop of one of its ends.
CREATE OR REPLACE TEMP TABLE edge_ends AS
WITH past AS (FROM named_report_edges WHERE NOT is_current AND edge IS NOT NULL),
ended AS (
    SELECT p.edge, c.changed_at AS ended_at
    FROM past p
    JOIN lineage_changes c
      ON c.change = 'edge_removed' AND c.job_name = p.job_name AND c.target_dataset = p.target_dataset
     AND c.source_dataset IS NOT DISTINCT FROM p.source_dataset
     AND c.source_column IS NOT DISTINCT FROM p.source_column
     AND c.target_column IS NOT DISTINCT FROM p.target_column
     AND c.changed_at > p.last_seen
    UNION ALL
    SELECT p.edge, s.changed_at
    FROM past p
    JOIN schema_changes s
      ON s.changed_at > p.last_seen
     AND (s.change = 'table_dropped' AND s.dataset IN (p.source_dataset, p.target_dataset)
          OR s.change = 'column_dropped' AND s.dataset = p.source_dataset
             AND lower(s.column_name) = lower(p.source_column)
          OR s.change = 'column_dropped' AND s.dataset = p.target_dataset
             AND lower(s.column_name) = lower(p.target_column))
)
SELECT edge, min(ended_at) AS ended_at FROM ended GROUP BY edge;

CREATE OR REPLACE TEMP TABLE all_report_datasets AS
SELECT dataset FROM datasets
UNION SELECT source_dataset FROM named_report_edges WHERE source_dataset IS NOT NULL
UNION SELECT target_dataset FROM named_report_edges
UNION SELECT dataset FROM schema_versions;
