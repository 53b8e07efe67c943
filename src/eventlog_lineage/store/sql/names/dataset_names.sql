-- What is known of datasets and locations, and from it the canonical names (SEMANTICS.md, "Datasets").
-- reads: staged_shown_datasets staged_seen_places staged_seen_catalogs staged_runs new_lineages run_series
-- reads: lineage_io seen_datasets shown_datasets places catalogs dataset_names landing_names
-- makes: lineage_spans ran_datasets replaced_places merged_datasets merged_places merged_catalogs default_places
-- makes: symlinks new_names renamed_names
-- changes: shown_datasets seen_datasets places catalogs dataset_names

-- When each lineage ran first and last.
CREATE OR REPLACE TEMP TABLE lineage_spans AS
SELECT lineage_fingerprint, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM run_series
GROUP BY ALL;

-- What the statements of this harvest show of datasets. The runs' times decide, whichever harvest brings them: a lineage
-- that the store knows has another last run.
CREATE OR REPLACE TEMP TABLE ran_datasets AS
WITH shown AS (
    SELECT DISTINCT * FROM staged_shown_datasets SEMI JOIN new_lineages USING (lineage_id) WHERE dataset IS NOT NULL
    UNION ALL BY NAME
    FROM shown_datasets SEMI JOIN staged_runs USING (lineage_id) ANTI JOIN new_lineages USING (lineage_id)
),
before AS (
    SELECT lineage_id, max(shown_at) AS last_shown
    FROM shown_datasets SEMI JOIN new_lineages USING (lineage_id)
    GROUP BY lineage_id
)
SELECT lineage_id, dataset, kind, "format", location, greatest(shown_at, last_shown, started_at) AS shown_at
FROM shown LEFT JOIN before USING (lineage_id) LEFT JOIN staged_runs USING (lineage_id);

-- A lineage that is traced again replaces what it showed: a newer program may read another place.
CREATE OR REPLACE TEMP TABLE replaced_places AS
SELECT DISTINCT dataset, location FROM shown_datasets SEMI JOIN new_lineages USING (lineage_id);
DELETE FROM shown_datasets
WHERE lineage_id IN (SELECT lineage_id FROM ran_datasets) OR lineage_id IN (SELECT lineage_id FROM new_lineages);

INSERT INTO shown_datasets BY NAME SELECT * FROM ran_datasets;

DELETE FROM places USING replaced_places r
WHERE places.dataset = r.dataset AND places.location = r.location
  AND NOT EXISTS (FROM shown_datasets s WHERE s.dataset = r.dataset AND s.location = r.location);

-- What is called a table and has neither format nor location may as well be a view: a plan that drops one has no more.
CREATE OR REPLACE TEMP TABLE merged_datasets AS
WITH latest AS (
    SELECT dataset,
           last(kind ORDER BY kind <> 'table' OR "format" <> '' OR location <> '', shown_at NULLS FIRST, kind)
               FILTER (kind <> '') AS kind,
           last("format" ORDER BY shown_at NULLS FIRST, "format") FILTER ("format" <> '') AS "format",
           last(location ORDER BY shown_at NULLS FIRST, location) FILTER (location <> '' AND kind <> '') AS location
    FROM shown_datasets SEMI JOIN ran_datasets USING (dataset)
    WHERE kind <> 'symlink'
    GROUP BY dataset
)
SELECT dataset, coalesce(n.kind, o.kind, '') AS kind, coalesce(n."format", o."format", '') AS "format",
       coalesce(n.location, o.location, '') AS location
FROM latest n LEFT JOIN seen_datasets o USING (dataset);
DELETE FROM seen_datasets WHERE dataset IN (SELECT dataset FROM merged_datasets);
INSERT INTO seen_datasets BY NAME SELECT * FROM merged_datasets;

CREATE OR REPLACE TEMP TABLE merged_places AS
WITH shown AS (
    SELECT dataset, location, shown_at FROM ran_datasets WHERE kind IN ('', 'table', 'view')
    UNION ALL
    SELECT dataset, location, shown_at FROM staged_seen_places
)
SELECT s.dataset, s.location, greatest(max(s.shown_at), max(p.shown_at)) AS shown_at
FROM shown s LEFT JOIN places p ON p.dataset = s.dataset AND p.location = s.location
WHERE s.location <> '' AND NOT contains(s.dataset, ':/')
GROUP BY ALL;
DELETE FROM places USING merged_places m
WHERE places.dataset = m.dataset AND places.location = m.location;
INSERT INTO places BY NAME SELECT * FROM merged_places;

-- The namespace of each catalog in the applications' settings, with the start of the last application that had it.
CREATE OR REPLACE TEMP TABLE merged_catalogs AS
SELECT catalog, namespace, coalesce(warehouse, '') AS warehouse, max(shown_at) AS shown_at
FROM (FROM staged_seen_catalogs UNION ALL BY NAME FROM catalogs)
GROUP BY ALL;
DELETE FROM catalogs;
INSERT INTO catalogs BY NAME SELECT * FROM merged_catalogs ORDER BY ALL;

-- Where the session catalog keeps its managed tables (SessionCatalog.defaultTablePath): in the folder of their database,
-- where the place of a table shows that, else in the warehouse. Tables of other systems have no files.
CREATE OR REPLACE TEMP TABLE default_places AS
WITH known AS (
    SELECT dataset, string_split(dataset, '.') AS parts
    FROM (SELECT dataset FROM lineage_io UNION SELECT dataset FROM seen_datasets)
    ANTI JOIN (
        FROM seen_datasets WHERE kind NOT IN ('', 'table') OR list_contains({connectors}, "format")
    ) USING (dataset)
    WHERE starts_with(dataset, 'spark_catalog.') AND NOT contains(dataset, '/')
),
folders AS (
    SELECT parts[2] AS database,
           last(left(location, length(location) - length(parts[3]) - 1) ORDER BY shown_at NULLS FIRST, location) AS folder
    FROM known JOIN places USING (dataset)
    WHERE len(parts) = 3 AND ends_with(location, '/' || parts[2] || '.db/' || parts[3])
    GROUP BY ALL
),
warehouses AS (
    SELECT last(warehouse ORDER BY shown_at NULLS FIRST, warehouse) AS warehouse
    FROM catalogs
    WHERE catalog = 'spark_catalog' AND warehouse <> ''
),
located AS (
    SELECT dataset, parts[3] AS table_name,
           coalesce(folder, warehouse || CASE parts[2] WHEN 'default' THEN '' ELSE '/' || parts[2] || '.db' END) AS folder
    FROM known LEFT JOIN folders ON database = parts[2] CROSS JOIN warehouses
    WHERE len(parts) = 3
)
SELECT dataset, folder || '/' || table_name AS location FROM located WHERE folder IS NOT NULL;

-- The session catalog's tables whose rows are in another system (CREATE TABLE t USING jdbc): the name of that table is the
-- canonical one. A name of several tables, or of one that a plan shows with a format of files, stays.
CREATE OR REPLACE TEMP TABLE symlinks AS
SELECT s.dataset AS "name", any_value(s.location) AS dataset
FROM shown_datasets s ANTI JOIN (FROM seen_datasets WHERE "format" <> '') f ON f.dataset = s.dataset
WHERE s.kind = 'symlink'
GROUP BY s.dataset
HAVING count(DISTINCT s.location) = 1;

-- A location belongs to one table: to one whose current location it is, and of those to the one that was used last. One
-- that a log prints has precedence over one that follows from the warehouse.
CREATE OR REPLACE TEMP TABLE new_names AS
WITH uses AS (
    SELECT i.dataset, max(s.last_seen) AS used_at
    FROM lineage_io i JOIN lineage_spans s USING (lineage_fingerprint)
    GROUP BY ALL
),
claims AS (
    SELECT p.dataset, p.location, p.shown_at, u.used_at, true AS is_shown,
           row_number() OVER (PARTITION BY p.dataset ORDER BY p.shown_at DESC NULLS LAST, p.location) = 1 AS is_current
    FROM places p ANTI JOIN symlinks s ON s."name" = p.dataset LEFT JOIN uses u USING (dataset)
    UNION ALL
    SELECT d.dataset, d.location, NULL, u.used_at, false, true
    FROM default_places d ANTI JOIN places p USING (dataset) ANTI JOIN symlinks s ON s."name" = d.dataset
    LEFT JOIN uses u USING (dataset)
),
locations AS (
    SELECT location AS "name", dataset
    FROM claims
    QUALIFY row_number() OVER (
        PARTITION BY location
        ORDER BY is_shown DESC, is_current DESC, used_at DESC NULLS LAST, shown_at DESC NULLS LAST, dataset
    ) = 1
)
FROM locations
UNION ALL
FROM symlinks
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
