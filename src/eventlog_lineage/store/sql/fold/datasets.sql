-- Datasets by their canonical names; dataset_identities has OpenLineage's names for all of them.
-- reads: dataset_identities lineage_spans named_io dataset_names datasets
-- changes: datasets dataset_aliases

INSERT INTO datasets BY NAME
WITH uses AS (
    SELECT i.dataset, min(s.first_seen) AS first_seen, max(s.last_seen) AS last_seen
    FROM named_io i JOIN lineage_spans s USING (lineage_fingerprint)
    GROUP BY ALL
)
SELECT k.dataset, k.namespace, k."name", k.kind, k."format", k.location, u.first_seen, u.last_seen,
       catalog_of(k.parts) AS catalog_name, schema_of(k.parts) AS schema_name, table_of(k.parts) AS table_name
FROM (SELECT *, name_parts(dataset, kind) AS parts FROM dataset_identities) k
LEFT JOIN uses u USING (dataset)
ORDER BY k.dataset;

INSERT INTO dataset_aliases BY NAME
SELECT dataset, "name" AS alias, 'location' AS kind FROM dataset_names
UNION ALL
SELECT dataset, substr(dataset, length('spark_catalog.') + 1) AS alias, 'short' AS kind
FROM datasets
WHERE starts_with(dataset, 'spark_catalog.')
ORDER BY ALL;
