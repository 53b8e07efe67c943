-- Applications whose rows are not what the last version showed.

CREATE OR REPLACE TEMP TABLE due_lineages AS
FROM changed_lineages
UNION
SELECT i.lineage_fingerprint FROM lineage_io i JOIN renamed r ON r."name" = i.dataset;

CREATE OR REPLACE TEMP TABLE due_applications AS
FROM handed_keys
UNION
SELECT app_id, attempt_id FROM relinked
UNION
SELECT app_id, attempt_id FROM executions e SEMI JOIN due_lineages d USING (lineage_fingerprint);
