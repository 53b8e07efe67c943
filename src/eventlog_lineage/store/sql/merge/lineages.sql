-- Lineages of this harvest. Runs of one lineage differ in their literals alone, and only some of them are traced: the
-- lineage has the words of its first run, so that the order of harvests does not matter. With --reprocess, it has those of
-- the logs that are read: secrets in older words may be masked now.
-- reads: staged_lineages staged_lineage_edges staged_lineage_io staged_lineage_joins staged_lineage_gaps staged_lineage_schemas
-- reads: staged_runs run_series lineages lineage_io lineage_gaps lineage_schemas
-- makes: new_lineages staged_spans stored_spans newest_lineages newest_io newest_gaps changed_lineages
-- makes: joined_lineages several_lineages first_edges newest_schemas changed_schemas
-- changes: lineages lineage_edges lineage_io lineage_joins lineage_gaps lineage_schemas

CREATE OR REPLACE TEMP TABLE new_lineages AS
SELECT *
FROM staged_lineages s
WHERE ({is_reprocessed} OR NOT EXISTS (
    FROM lineages l
    WHERE l.lineage_id = s.lineage_id AND l.lineage_fingerprint = s.lineage_fingerprint AND l.traced_at < s.traced_at
))
  AND (NOT starts_with(s.lineage_id, 'openlineage-') OR s.lineage_id IN (SELECT lineage_id FROM staged_runs))
QUALIFY row_number() OVER (
    PARTITION BY lineage_id ORDER BY traced_at NULLS LAST, lineage_fingerprint, command, target_dataset, mode
) = 1;

-- When each staged lineage ran last, in this harvest and before it.
CREATE OR REPLACE TEMP TABLE staged_spans AS
SELECT l.lineage_fingerprint, max(r.started_at) AS last_seen
FROM new_lineages l LEFT JOIN staged_runs r USING (lineage_id)
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE stored_spans AS
SELECT lineage_fingerprint, max(last_seen) AS last_seen
FROM (
    SELECT r.lineage_fingerprint, r.last_seen FROM run_series r SEMI JOIN staged_spans s USING (lineage_fingerprint)
    UNION ALL
    SELECT lineage_fingerprint, NULL FROM lineages
)
GROUP BY ALL;

-- A lineage has the gaps of its newest run that was traced: a newer program words them better.
CREATE OR REPLACE TEMP TABLE newest_lineages AS
SELECT n.lineage_fingerprint
FROM staged_spans n
LEFT JOIN stored_spans s USING (lineage_fingerprint)
WHERE {is_reprocessed} OR s.lineage_fingerprint IS NULL OR s.last_seen IS NULL OR n.last_seen >= s.last_seen;

-- Stored lineages of which other runs were traced.
CREATE OR REPLACE TEMP TABLE joined_lineages AS
SELECT lineage_fingerprint FROM staged_spans SEMI JOIN stored_spans USING (lineage_fingerprint) WHERE NOT {is_reprocessed};

CREATE OR REPLACE TEMP TABLE newest_io AS
SELECT *
FROM (
    FROM staged_lineage_io SEMI JOIN staged_spans USING (lineage_fingerprint)
    UNION ALL BY NAME
    FROM lineage_io SEMI JOIN joined_lineages USING (lineage_fingerprint)
)
QUALIFY row_number() OVER (
    PARTITION BY lineage_fingerprint, dataset, direction
    ORDER BY len(columns) DESC NULLS LAST, mode, columns
) = 1;

CREATE OR REPLACE TEMP TABLE newest_gaps AS
SELECT DISTINCT g.* FROM staged_lineage_gaps g SEMI JOIN newest_lineages n USING (lineage_fingerprint);

-- Stored lineages with other datasets or gaps than before: they show in the rows of earlier runs.
CREATE OR REPLACE TEMP TABLE changed_lineages AS
WITH old_io AS (SELECT i.* FROM lineage_io i SEMI JOIN newest_io n USING (lineage_fingerprint)),
     old_gaps AS (SELECT g.* FROM lineage_gaps g SEMI JOIN newest_lineages n USING (lineage_fingerprint)),
     differing AS (
        SELECT lineage_fingerprint FROM ((FROM old_io EXCEPT FROM newest_io) UNION ALL (FROM newest_io EXCEPT FROM old_io))
        UNION ALL
        SELECT lineage_fingerprint
        FROM ((FROM old_gaps EXCEPT FROM newest_gaps) UNION ALL (FROM newest_gaps EXCEPT FROM old_gaps))
     )
SELECT DISTINCT d.lineage_fingerprint
FROM differing d SEMI JOIN lineages l USING (lineage_fingerprint);

CREATE OR REPLACE TEMP TABLE newest_schemas AS
SELECT * FROM staged_lineage_schemas SEMI JOIN new_lineages USING (lineage_id)
QUALIFY row_number() OVER (PARTITION BY lineage_id, "position" ORDER BY dataset, evidence, detail) = 1;

-- Datasets of which a stored lineage shows something else than before, as the logs name them.
CREATE OR REPLACE TEMP TABLE changed_schemas AS
WITH known AS (
        SELECT DISTINCT n.lineage_id FROM new_lineages n
        WHERE n.lineage_id IN (SELECT lineage_id FROM lineages)
           OR n.lineage_id IN (SELECT lineage_id FROM lineage_schemas)
     ),
     old_schemas AS (SELECT s.* FROM lineage_schemas s SEMI JOIN known k USING (lineage_id)),
     new_schemas AS (SELECT s.* FROM newest_schemas s SEMI JOIN known k USING (lineage_id))
SELECT DISTINCT dataset
FROM ((FROM old_schemas EXCEPT FROM new_schemas) UNION ALL (FROM new_schemas EXCEPT FROM old_schemas));

DELETE FROM lineage_schemas WHERE lineage_id IN (SELECT lineage_id FROM new_lineages);
DELETE FROM lineages WHERE lineage_id IN (SELECT lineage_id FROM new_lineages);
DELETE FROM lineage_io WHERE lineage_fingerprint IN (SELECT lineage_fingerprint FROM newest_io);
DELETE FROM lineage_gaps WHERE lineage_fingerprint IN (FROM newest_lineages);

INSERT INTO lineage_schemas BY NAME SELECT * FROM newest_schemas;
INSERT INTO lineages BY NAME SELECT * FROM new_lineages;
INSERT INTO lineage_io BY NAME SELECT * FROM newest_io;

-- A lineage's fingerprint names its joins as well: those of a stored one are the same.
INSERT INTO lineage_joins BY NAME
SELECT * EXCLUDE (expression), min(expression) AS expression
FROM staged_lineage_joins SEMI JOIN staged_spans USING (lineage_fingerprint)
ANTI JOIN lineage_joins USING (lineage_fingerprint)
GROUP BY ALL;

INSERT INTO lineage_gaps BY NAME SELECT * FROM newest_gaps;

-- Lineages with several runs to choose from: stored ones, and those of this harvest that differ in their literals alone.
-- They are few, so the edges of the others are not grouped, which would be slow.
CREATE OR REPLACE TEMP TABLE several_lineages AS
FROM joined_lineages
UNION
SELECT lineage_fingerprint
FROM (
    SELECT lineage_fingerprint, "position" FROM staged_lineage_edges
    SEMI JOIN (SELECT lineage_fingerprint FROM staged_lineages GROUP BY ALL HAVING count(*) > 1) USING (lineage_fingerprint)
    GROUP BY lineage_fingerprint, "position" HAVING count(*) > 1
);

CREATE OR REPLACE TEMP TABLE first_edges AS
SELECT * EXCLUDE (is_stored)
FROM (
    SELECT *, true AS is_stored FROM lineage_edges SEMI JOIN joined_lineages USING (lineage_fingerprint)
    UNION ALL BY NAME
    SELECT *, false AS is_stored FROM staged_lineage_edges SEMI JOIN several_lineages USING (lineage_fingerprint)
)
WHERE lineage_fingerprint IN (SELECT lineage_fingerprint FROM staged_spans)
QUALIFY row_number() OVER (
    PARTITION BY lineage_fingerprint, source_dataset, source_column, target_dataset, target_column, target_ordinal,
                 transformation, pattern
    ORDER BY is_stored AND traced_at IS NULL DESC, traced_at NULLS LAST, is_stored, expression, "position"
) = 1;

DELETE FROM lineage_edges WHERE lineage_fingerprint IN (SELECT lineage_fingerprint FROM staged_spans);

INSERT INTO lineage_edges BY NAME
SELECT * FROM staged_lineage_edges
SEMI JOIN staged_spans USING (lineage_fingerprint)
ANTI JOIN several_lineages USING (lineage_fingerprint);

INSERT INTO lineage_edges BY NAME SELECT * FROM first_edges;
