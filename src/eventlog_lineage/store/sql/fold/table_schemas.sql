-- Keep the schemas in the tables' own metadata (`harvest --table-metadata`); the histories with an ALTER that nothing
-- explained before are made again.
-- reads: staged_seen_schemas schema_gaps dataset_names
-- changes: table_schemas stale_schemas

DELETE FROM table_schemas WHERE (location, schema_id) IN (SELECT location, schema_id FROM staged_seen_schemas);
INSERT INTO table_schemas BY NAME SELECT DISTINCT ON (location, schema_id) * FROM staged_seen_schemas;

INSERT INTO stale_schemas
SELECT DISTINCT g.dataset
FROM schema_gaps g
LEFT JOIN dataset_names n ON n.dataset = g.dataset
JOIN staged_seen_schemas s ON s.location = n."name" OR s.location = g.dataset
WHERE g.dataset NOT IN (FROM stale_schemas);
