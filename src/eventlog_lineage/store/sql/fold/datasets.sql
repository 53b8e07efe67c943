-- Datasets by their canonical names; dataset_identities has OpenLineage's names for all of them.
-- reads: dataset_identities lineage_spans named_io dataset_names datasets catalogs
-- changes: datasets dataset_aliases

INSERT INTO datasets BY NAME
WITH uses AS (
    SELECT i.dataset, min(s.first_seen) AS first_seen, max(s.last_seen) AS last_seen
    FROM named_io i JOIN lineage_spans s USING (lineage_fingerprint)
    GROUP BY ALL
)
SELECT k.dataset, k.namespace, k."name", k.kind, k."format", k.location, u.first_seen, u.last_seen,
       k.location_confidence,
       catalog_of(k.parts) AS catalog_name, schema_of(k.parts) AS schema_name, table_of(k.parts) AS table_name,
       system_of(k.dataset, k.kind, k."format") AS "system"
FROM (SELECT *, name_parts(dataset, kind) AS parts FROM dataset_identities) k
LEFT JOIN uses u USING (dataset)
ORDER BY k.dataset;

INSERT INTO dataset_aliases BY NAME
SELECT dataset, "name" AS alias, CASE WHEN contains("name", '/') THEN 'location' ELSE 'catalog' END AS kind
FROM dataset_names
UNION ALL
SELECT d.dataset, c.catalog || '.' || substr(d.dataset, length(c.namespace) + 1), 'catalog'
FROM datasets d JOIN catalogs c ON starts_with(d.dataset, c.namespace)
WHERE d.kind IN ('jdbc', 'other') AND length(d.dataset) > length(c.namespace)
UNION ALL
SELECT dataset, substr(dataset, length('spark_catalog.') + 1) AS alias, 'short' AS kind
FROM datasets
WHERE starts_with(dataset, 'spark_catalog.')
UNION ALL
SELECT dataset, substr(dataset, length('exposure:') + 1) AS alias, 'short' AS kind FROM datasets WHERE kind = 'exposure'
ORDER BY ALL;
