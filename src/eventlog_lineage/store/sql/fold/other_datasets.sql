-- Datasets whose observations are selected again from all runs whatever the changed runs show: where a statement shows
-- something else than before or a dataset has another name, and all of a store that has none selected.
-- reads: lineage_schemas dataset_names changed_schemas renamed_names selected_observations
-- makes: other_datasets stale_schemas

CREATE OR REPLACE TEMP TABLE other_datasets AS
SELECT coalesce(n.dataset, c.dataset) AS dataset FROM changed_schemas c LEFT JOIN dataset_names n ON n."name" = c.dataset
UNION
SELECT unnest([r."name", r.dataset]) FROM renamed_names r SEMI JOIN lineage_schemas s ON s.dataset = r."name"
UNION
SELECT coalesce(n.dataset, s.dataset) FROM lineage_schemas s LEFT JOIN dataset_names n ON n."name" = s.dataset
WHERE NOT EXISTS (FROM selected_observations);

CREATE OR REPLACE TEMP TABLE stale_schemas (dataset VARCHAR);
