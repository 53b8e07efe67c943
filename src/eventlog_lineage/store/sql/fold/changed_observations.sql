-- What the changed runs show and showed of schemas, and the datasets whose observations are selected again from all runs:
-- where a new one is not the latest, where an old one is gone, and those known before.
-- reads: lineage_schemas dataset_names changed_runs observed_until other_datasets
-- makes: named_schemas changed_observations rebuilt_datasets

CREATE OR REPLACE TEMP TABLE named_schemas AS
SELECT s.lineage_id, s."position", coalesce(n.dataset, s.dataset) AS dataset,
       s.evidence IN ('read', 'relation') AS is_read,
       s.extent = 'all' AS is_complete, s.extent = 'codes' AS is_hashed,
       (s.extent IN ('all', 'some') AND s.evidence NOT IN ('drop', 'rename', 'alter'))
         OR list_contains(s.words, 'if not exists') AS is_repeatable,
       s.evidence = 'create' AND s.extent = 'none' AS is_creation,
       md5(concat_ws('|', s.evidence, s.extent, CAST(s.columns AS VARCHAR), s.ordered, CAST(s.words AS VARCHAR))) AS content
FROM lineage_schemas s LEFT JOIN dataset_names n ON n."name" = s.dataset
WHERE NOT is_of_catalog(n."name", s.evidence IN ('alter', 'drop', 'rename') OR s.evidence = 'create' AND s.extent = 'none');

-- A write or a definition holds from its end on, a read from its start.
CREATE OR REPLACE TEMP TABLE changed_observations AS
SELECT s.dataset, s.content, s.is_repeatable, s.is_complete, s.lineage_id, s."position",
       coalesce(r.job_name, '') AS job_name,
       CASE WHEN s.is_read THEN r.first_seen ELSE coalesce(r.ended_at, r.first_seen) END AS seen_at,
       r.app_id, r.attempt_id, r.execution_id,
       CASE WHEN s.is_hashed THEN substr(r.description, 1, 2000) ELSE '' END AS description, r.is_new
FROM changed_runs r
JOIN named_schemas s USING (lineage_id)
WHERE r.succeeded AND r.first_seen IS NOT NULL;

CREATE OR REPLACE TEMP TABLE rebuilt_datasets AS
SELECT c.dataset
FROM changed_observations c LEFT JOIN observed_until u USING (dataset)
GROUP BY ALL
HAVING NOT bool_and(c.is_new) OR coalesce(min(c.seen_at) <= max(u.seen_at), false)
UNION
SELECT dataset FROM other_datasets;
