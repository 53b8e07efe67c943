-- The datasets of the page: all, or those within some hops of a dataset. Expects all_report_datasets and
-- named_report_edges; makes report_scope.
CREATE OR REPLACE TEMP TABLE report_scope AS
WITH RECURSIVE pairs AS MATERIALIZED (
    SELECT DISTINCT source_dataset, target_dataset FROM named_report_edges WHERE source_dataset IS NOT NULL
),
upstream_of(dataset, depth) AS (
    SELECT CAST($focus AS VARCHAR), 0
    UNION
    SELECT p.source_dataset, u.depth + 1
    FROM upstream_of u JOIN pairs p ON p.target_dataset = u.dataset
    WHERE u.depth < $depth
),
downstream_of(dataset, depth) AS (
    SELECT CAST($focus AS VARCHAR), 0
    UNION
    SELECT p.target_dataset, d.depth + 1
    FROM downstream_of d JOIN pairs p ON p.source_dataset = d.dataset
    WHERE d.depth < $depth
)
SELECT dataset FROM upstream_of
UNION
SELECT dataset FROM downstream_of
