-- What is known of datasets and locations, and from it the canonical names (SEMANTICS.md, "Datasets").
-- reads: staged_seen_datasets staged_seen_places staged_seen_catalogs staged_executions staged_runs run_series
-- reads: lineages lineage_io seen_datasets places catalogs dataset_names landing_names
-- makes: lineage_spans merged_datasets staged_uses merged_places merged_catalogs new_names renamed_names
-- changes: seen_datasets places catalogs dataset_names

-- When each lineage ran first and last.
CREATE OR REPLACE TEMP TABLE lineage_spans AS
SELECT lineage_fingerprint, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM run_series
GROUP BY ALL;

-- with: staged_seen_datasets
CREATE OR REPLACE TEMP TABLE merged_datasets AS
WITH staged AS (
    SELECT dataset, max(namespace) AS namespace, max("name") AS "name", max(kind) AS kind,
           max("format") AS "format", max(location) AS location
    FROM staged_seen_datasets
    WHERE dataset IS NOT NULL
    GROUP BY dataset
)
SELECT dataset, n.namespace, n."name",
       coalesce(nullif(n.kind, ''), o.kind, '') AS kind,
       coalesce(nullif(n."format", ''), o."format", '') AS "format",
       coalesce(nullif(n.location, ''), o.location, '') AS location
FROM staged n LEFT JOIN seen_datasets o USING (dataset);
DELETE FROM seen_datasets WHERE dataset IN (SELECT dataset FROM merged_datasets);
INSERT INTO seen_datasets BY NAME SELECT * FROM merged_datasets;

-- When the statements of this harvest used each dataset last, by the names of the logs.
CREATE OR REPLACE TEMP TABLE staged_uses AS
SELECT i.dataset, max(r.started_at) AS used_at
FROM staged_runs r
JOIN lineages l USING (lineage_id)
JOIN lineage_io i ON i.lineage_fingerprint = l.lineage_fingerprint
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE merged_places AS
WITH staged AS (
    SELECT dataset, location FROM staged_seen_places
    UNION
    SELECT dataset, location FROM staged_seen_datasets WHERE kind IN ('table', 'view')
),
latest AS (SELECT max(started_at) AS started_at FROM staged_executions)
SELECT s.dataset, s.location,
       greatest(max(coalesce(u.used_at, latest.started_at)), max(p.shown_at)) AS shown_at
FROM staged s
CROSS JOIN latest
LEFT JOIN staged_uses u ON u.dataset = s.dataset
LEFT JOIN places p ON p.dataset = s.dataset AND p.location = s.location
WHERE s.location <> '' AND NOT contains(s.dataset, ':/')
GROUP BY ALL;
DELETE FROM places USING merged_places m
WHERE places.dataset = m.dataset AND places.location = m.location;
INSERT INTO places BY NAME SELECT * FROM merged_places;

-- with: staged_seen_catalogs
-- The namespace of each catalog in the applications' settings, with the start of the last application that had it.
CREATE OR REPLACE TEMP TABLE merged_catalogs AS
SELECT catalog, namespace, max(shown_at) AS shown_at
FROM (FROM staged_seen_catalogs UNION ALL BY NAME FROM catalogs)
GROUP BY ALL;
DELETE FROM catalogs;
INSERT INTO catalogs BY NAME SELECT * FROM merged_catalogs ORDER BY ALL;

-- A location belongs to one table: to one whose current location it is, and of those to the one that was used last.
CREATE OR REPLACE TEMP TABLE new_names AS
WITH uses AS (
    SELECT i.dataset, max(s.last_seen) AS used_at
    FROM lineage_io i JOIN lineage_spans s USING (lineage_fingerprint)
    GROUP BY ALL
),
claims AS (
    SELECT p.dataset, p.location, p.shown_at, u.used_at,
           row_number() OVER (PARTITION BY p.dataset ORDER BY p.shown_at DESC NULLS LAST, p.location) = 1 AS is_current
    FROM places p LEFT JOIN uses u USING (dataset)
),
locations AS (
    SELECT location AS "name", dataset
    FROM claims
    QUALIFY row_number() OVER (
        PARTITION BY location
        ORDER BY is_current DESC, used_at DESC NULLS LAST, shown_at DESC NULLS LAST, dataset
    ) = 1
)
FROM locations
UNION ALL
-- A landing file is its folder, or the table whose location that is; a table's own file is the table.
SELECT l."name", coalesce(n.dataset, l.dataset)
FROM landing_names l LEFT JOIN locations n ON n."name" = l.dataset
WHERE l."name" NOT IN (SELECT "name" FROM locations);

-- Names with another canonical name than before, with the old and the new one.
CREATE OR REPLACE TEMP TABLE renamed_names AS
SELECT "name", dataset
FROM ((FROM new_names EXCEPT FROM dataset_names) UNION ALL (FROM dataset_names EXCEPT FROM new_names));

DELETE FROM dataset_names;
INSERT INTO dataset_names BY NAME SELECT * FROM new_names ORDER BY "name";
