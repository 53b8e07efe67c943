-- What merge/lineages.sql makes for the steps that follow, where a harvest has no lineage that the store does not have.
-- makes: new_lineages changed_lineages changed_schemas

CREATE OR REPLACE TEMP TABLE new_lineages (
    lineage_id VARCHAR, lineage_fingerprint VARCHAR, command VARCHAR, target_dataset VARCHAR, mode VARCHAR
);
CREATE OR REPLACE TEMP TABLE changed_lineages (lineage_fingerprint VARCHAR);
CREATE OR REPLACE TEMP TABLE changed_schemas (dataset VARCHAR);
