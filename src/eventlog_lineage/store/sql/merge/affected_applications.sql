-- Applications whose rows differ from those of the last version.
-- reads: staged_keys relinked changed_lineages renamed_names lineage_io executions
-- makes: affected_lineages affected_applications

CREATE OR REPLACE TEMP TABLE affected_lineages AS
FROM changed_lineages
UNION
SELECT i.lineage_fingerprint FROM lineage_io i SEMI JOIN renamed_names r ON r."name" = i.dataset;

CREATE OR REPLACE TEMP TABLE affected_applications AS
FROM staged_keys
UNION
SELECT app_id, attempt_id FROM relinked
UNION
SELECT app_id, attempt_id FROM executions e SEMI JOIN affected_lineages a USING (lineage_fingerprint);
