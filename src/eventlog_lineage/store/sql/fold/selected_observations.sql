-- Store the observations selected of the datasets that changed runs show; the histories of those with others than before
-- are made again.
-- reads: changed_observations rebuilt_datasets observations reselected_observations schema_digests
-- makes: reselected_datasets new_digests
-- changes: selected_observations observed_until schema_digests stale_schemas

CREATE OR REPLACE TEMP TABLE reselected_datasets AS
SELECT dataset FROM changed_observations UNION FROM rebuilt_datasets;

DELETE FROM selected_observations WHERE dataset IN (FROM reselected_datasets);
INSERT INTO selected_observations BY NAME
SELECT * EXCLUDE (interval_start, is_repeated) FROM reselected_observations;

DELETE FROM observed_until WHERE dataset IN (FROM reselected_datasets);
INSERT INTO observed_until BY NAME SELECT dataset, max(seen_at) AS seen_at FROM observations GROUP BY dataset;

-- A repetition in the last interval changes nothing so far.
CREATE OR REPLACE TEMP TABLE new_digests AS
SELECT dataset,
       md5(string_agg(
           concat_ws('|', content, job_name, seen_at, app_id, attempt_id, execution_id), ','
           ORDER BY seen_at, app_id, attempt_id, execution_id, content
       )) AS digest
FROM (
    FROM reselected_observations
    QUALIFY NOT is_repeated OR interval_start IS DISTINCT FROM max(interval_start) OVER (PARTITION BY dataset)
)
GROUP BY dataset;

INSERT INTO stale_schemas
WITH old_digests AS (SELECT d.* FROM schema_digests d SEMI JOIN reselected_datasets USING (dataset))
SELECT DISTINCT dataset
FROM ((FROM new_digests EXCEPT FROM old_digests) UNION ALL (FROM old_digests EXCEPT FROM new_digests));

DELETE FROM schema_digests WHERE dataset IN (FROM reselected_datasets);
INSERT INTO schema_digests BY NAME SELECT * FROM new_digests;
