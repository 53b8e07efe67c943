-- Who reads without writing: ad-hoc queries, dashboards, notebooks, and what servers run for their users.

CREATE OR REPLACE VIEW reader_lineages AS
SELECT DISTINCT l.lineage_fingerprint
FROM lineages l
ANTI JOIN lineage_io w ON w.lineage_fingerprint = l.lineage_fingerprint AND w.direction = 'write';

CREATE OR REPLACE VIEW reader_runs AS
SELECT s.lineage_fingerprint, s.job_name, coalesce(s.user_name, a.user_name, '') AS user_name, max(s.last_seen) AS last_read
FROM statement_runs s
SEMI JOIN reader_lineages r ON r.lineage_fingerprint = s.lineage_fingerprint
LEFT JOIN applications a ON a.app_id = s.app_id AND a.attempt_id = s.attempt_id
WHERE s.status <> 'failed'
GROUP BY ALL;

-- What each of them reads: columns with the kind of use, and one row without a column for the dataset as a whole.
CREATE OR REPLACE VIEW reader_columns AS
WITH readers AS MATERIALIZED (FROM reader_lineages),
reads AS MATERIALIZED (
    SELECT i.lineage_fingerprint, coalesce(n.dataset, i.dataset) AS dataset, i.columns
    FROM lineage_io i
    SEMI JOIN readers r ON r.lineage_fingerprint = i.lineage_fingerprint
    LEFT JOIN dataset_names n ON n."name" = i.dataset
),
used AS (
    SELECT e.lineage_fingerprint, e.source_dataset AS dataset, lower(e.source_column) AS key, e.transformation,
           e.dependency = 'DIRECT' AS direct, coalesce(e.masking, false) AS masking
    FROM named_edges e
    SEMI JOIN readers r ON r.lineage_fingerprint = e.lineage_fingerprint
    WHERE e.target_dataset IS NULL AND e.source_column IS NOT NULL
),
listed AS (SELECT lineage_fingerprint, dataset, lower(unnest(columns)) AS key FROM reads),
named AS (
    FROM used
    UNION ALL BY NAME
    SELECT DISTINCT lineage_fingerprint, dataset, key, false AS direct, false AS masking
    FROM listed l ANTI JOIN used u USING (lineage_fingerprint, dataset, key)
)
SELECT n.lineage_fingerprint, d.dataset_number, c.node, c.column_name, n.transformation, n.direct, n.masking
FROM named n
JOIN trace_datasets d ON d.dataset = n.dataset
JOIN trace_columns c ON c.dataset_number = d.dataset_number AND lower(c.column_name) = n.key
UNION ALL
SELECT DISTINCT i.lineage_fingerprint, d.dataset_number, CAST(NULL AS BIGINT), CAST(NULL AS VARCHAR),
       CAST(NULL AS VARCHAR), false, false
FROM reads i JOIN trace_datasets d USING (dataset);

CREATE OR REPLACE VIEW consumers AS
SELECT d.dataset, q.job_name, q.user_name, max(q.last_read) AS last_read,
       list_sort(list_distinct(flatten(list(r.columns)))) AS columns
FROM (
    SELECT lineage_fingerprint, dataset_number,
           list(DISTINCT column_name) FILTER (column_name IS NOT NULL) AS columns
    FROM reader_columns
    GROUP BY lineage_fingerprint, dataset_number
) r
JOIN trace_datasets d USING (dataset_number)
JOIN reader_runs q USING (lineage_fingerprint)
GROUP BY d.dataset, q.job_name, q.user_name;

COMMENT ON VIEW consumers IS
    'One row is a job that reads a dataset and writes nothing (a query, a dashboard, a notebook), with its user, its last read and the columns that it reads.';
