-- What is known of datasets and places, and from it the canonical names (SEMANTICS.md, "Datasets").

-- When each lineage ran first and last, over all statements of all nights.
CREATE OR REPLACE TEMP TABLE lineage_spans AS
SELECT lineage_fingerprint, min(first_seen) AS first_seen, max(last_seen) AS last_seen
FROM (
    SELECT e.lineage_fingerprint, coalesce(e.started_at, a.started_at) AS first_seen,
           coalesce(e.started_at, a.started_at) AS last_seen
    FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
    WHERE e.lineage_fingerprint IS NOT NULL
    UNION ALL
    SELECT lineage_fingerprint, first_seen, last_seen FROM past_runs
)
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE merged_datasets AS
WITH handed AS (
    SELECT dataset, max(namespace) AS namespace, max("name") AS "name", max(kind) AS kind,
           max("format") AS "format", max(location) AS location
    FROM handed_seen_datasets
    WHERE dataset IS NOT NULL
    GROUP BY dataset
)
SELECT dataset, h.namespace, h."name",
       coalesce(nullif(h.kind, ''), s.kind, '') AS kind,
       coalesce(nullif(h."format", ''), s."format", '') AS "format",
       coalesce(nullif(h.location, ''), s.location, '') AS location
FROM handed h LEFT JOIN seen_datasets s USING (dataset);
DELETE FROM seen_datasets WHERE dataset IN (SELECT dataset FROM merged_datasets);
INSERT INTO seen_datasets BY NAME SELECT * FROM merged_datasets;

-- When the statements of this harvest used each dataset last, by the names of the logs.
CREATE OR REPLACE TEMP TABLE handed_uses AS
SELECT i.dataset, max(coalesce(e.started_at, a.started_at)) AS used_at
FROM handed_executions e
LEFT JOIN handed_applications a USING (app_id, attempt_id)
JOIN lineages l USING (lineage_id)
JOIN lineage_io i ON i.lineage_fingerprint = l.lineage_fingerprint
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE merged_places AS
WITH handed AS (
    SELECT dataset, location FROM handed_seen_places
    UNION
    SELECT dataset, location FROM handed_seen_datasets WHERE kind IN ('table', 'view')
),
latest AS (SELECT max(started_at) AS started_at FROM handed_executions)
SELECT h.dataset, h.location,
       greatest(max(coalesce(u.used_at, latest.started_at)), max(p.shown_at)) AS shown_at
FROM handed h
CROSS JOIN latest
LEFT JOIN handed_uses u ON u.dataset = h.dataset
LEFT JOIN places p ON p.dataset = h.dataset AND p.location = h.location
WHERE h.location <> '' AND NOT contains(h.dataset, ':/')
GROUP BY ALL;
DELETE FROM places USING merged_places m
WHERE places.dataset = m.dataset AND places.location = m.location;
INSERT INTO places BY NAME SELECT * FROM merged_places;

-- A catalog's settings, and when an application had them last.
CREATE OR REPLACE TEMP TABLE merged_catalogs AS
SELECT catalog, namespace, max(shown_at) AS shown_at
FROM (FROM handed_seen_catalogs UNION ALL BY NAME FROM catalogs)
GROUP BY ALL;
DELETE FROM catalogs;
INSERT INTO catalogs BY NAME SELECT * FROM merged_catalogs ORDER BY ALL;

-- A place belongs to one table: to one that has its files there still, and of those to the one used last.
CREATE OR REPLACE TEMP TABLE new_names AS
WITH uses AS (
    SELECT i.dataset, max(s.last_seen) AS used_at
    FROM lineage_io i JOIN lineage_spans s USING (lineage_fingerprint)
    GROUP BY ALL
),
claims AS (
    SELECT p.dataset, p.location, p.shown_at, u.used_at,
           row_number() OVER (PARTITION BY p.dataset ORDER BY p.shown_at DESC NULLS LAST, p.location) = 1 AS lives_there
    FROM places p LEFT JOIN uses u USING (dataset)
)
SELECT location AS "name", dataset
FROM claims
QUALIFY row_number() OVER (
    PARTITION BY location
    ORDER BY lives_there DESC, used_at DESC NULLS LAST, shown_at DESC NULLS LAST, dataset
) = 1;

CREATE OR REPLACE TEMP TABLE renamed AS
SELECT DISTINCT "name"
FROM ((FROM new_names EXCEPT FROM dataset_names) UNION ALL (FROM dataset_names EXCEPT FROM new_names));

DELETE FROM dataset_names;
INSERT INTO dataset_names BY NAME SELECT * FROM new_names ORDER BY "name";
