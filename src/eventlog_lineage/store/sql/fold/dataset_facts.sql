-- All datasets that any harvest named, by their canonical names, with kind, format and location.
-- reads: seen_datasets places symlinks default_places successors lineage_io lineage_edges schema_changes dataset_names
-- makes: dataset_facts

CREATE OR REPLACE TEMP TABLE dataset_facts AS
WITH named AS (
    SELECT dataset AS "name", kind, "format", location FROM seen_datasets
    UNION ALL
    SELECT dataset, '', '', location FROM places WHERE dataset NOT IN (SELECT "name" FROM symlinks)
    UNION ALL
    SELECT dataset, '', '', '' FROM lineage_io
    UNION ALL
    SELECT DISTINCT dataset, '', '', '' FROM schema_changes
    UNION ALL
    SELECT source_dataset, '', '', '' FROM lineage_edges WHERE source_dataset IS NOT NULL
    UNION ALL
    SELECT target_dataset, '', '', '' FROM lineage_edges WHERE target_dataset IS NOT NULL
),
locations AS (
    SELECT dataset, location FROM places
    QUALIFY row_number() OVER (PARTITION BY dataset ORDER BY shown_at DESC NULLS LAST, location) = 1
),
-- A managed table moves with its name; an external one stays.
kept AS (
    SELECT s.successor AS dataset, last(l.location ORDER BY s.renamed_at NULLS FIRST) AS location
    FROM successors s JOIN locations l USING (dataset) LEFT JOIN default_places d USING (dataset)
    WHERE l.location IS DISTINCT FROM d.location
    GROUP BY ALL
),
inferred AS (
    SELECT d.dataset, coalesce(k.location, d.location) AS location
    FROM default_places d LEFT JOIN kept k USING (dataset)
),
canonical AS (
    SELECT coalesce(n.dataset, k."name") AS dataset, k.kind, k."format", k.location,
           n.dataset IS NULL AS own_name
    FROM named k LEFT JOIN dataset_names n ON n."name" = k."name"
),
facts AS (
    SELECT dataset,
           coalesce(
               max(nullif(kind, '')) FILTER (own_name),
               CASE WHEN starts_with(dataset, 'kafka:') THEN 'topic'
                    WHEN starts_with(dataset, 'jdbc:') THEN 'jdbc'
                    WHEN contains(dataset, ':/') THEN 'path'
                    ELSE 'table' END
           ) AS kind,
           coalesce(max(nullif("format", '')) FILTER (own_name), max(nullif("format", '')), '') AS "format",
           coalesce(
               any_value(l.location), max(nullif(c.location, '')) FILTER (own_name),
               CASE WHEN contains(dataset, ':/') AND bool_or(c.location <> '') THEN dataset END,
               max(nullif(c.location, ''))
           ) AS location
    FROM canonical c LEFT JOIN locations l USING (dataset)
    GROUP BY dataset
)
SELECT f.dataset, f.kind, f."format", coalesce(f.location, i.location, '') AS location,
       CASE WHEN f.location IS NOT NULL THEN 'exact' WHEN i.location IS NOT NULL THEN 'inferred' END AS location_confidence
FROM facts f LEFT JOIN inferred i USING (dataset);
