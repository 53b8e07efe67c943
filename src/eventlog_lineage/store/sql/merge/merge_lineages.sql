-- Lineages and plans of this harvest. handed_* are views on the staging folder; see fold.py for the order of the files.

CREATE OR REPLACE TEMP TABLE new_lineages AS
SELECT * FROM handed_lineages
QUALIFY row_number() OVER (
    PARTITION BY lineage_id ORDER BY lineage_fingerprint, command, target_dataset, mode
) = 1;

-- When each lineage that was handed over ran last, in this harvest and before it.
CREATE OR REPLACE TEMP TABLE handed_spans AS
SELECT l.lineage_fingerprint, max(coalesce(e.started_at, a.started_at)) AS last_seen
FROM new_lineages l
LEFT JOIN handed_executions e USING (lineage_id)
LEFT JOIN handed_applications a USING (app_id, attempt_id)
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE stored_spans AS
SELECT lineage_fingerprint, max(last_seen) AS last_seen
FROM (
    SELECT e.lineage_fingerprint, coalesce(e.started_at, a.started_at) AS last_seen
    FROM executions e
    SEMI JOIN handed_spans h ON h.lineage_fingerprint = e.lineage_fingerprint
    LEFT JOIN applications a USING (app_id, attempt_id)
    UNION ALL
    SELECT lineage_fingerprint, last_seen FROM past_runs
    UNION ALL
    SELECT lineage_fingerprint, NULL FROM lineages
)
GROUP BY ALL;

-- A lineage's text is that of its newest run: only the literals can differ. What is handed over again replaces itself:
-- a newer program may tell it better.
CREATE OR REPLACE TEMP TABLE fresh_lineages AS
SELECT h.lineage_fingerprint
FROM handed_spans h
LEFT JOIN stored_spans s USING (lineage_fingerprint)
WHERE s.lineage_fingerprint IS NULL OR s.last_seen IS NULL OR h.last_seen >= s.last_seen;

CREATE OR REPLACE TEMP TABLE fresh_io AS
SELECT * FROM handed_lineage_io h SEMI JOIN fresh_lineages f USING (lineage_fingerprint)
QUALIFY row_number() OVER (
    PARTITION BY lineage_fingerprint, dataset, direction
    ORDER BY len(columns) DESC NULLS LAST, mode, columns
) = 1;

CREATE OR REPLACE TEMP TABLE fresh_gaps AS
SELECT DISTINCT h.* FROM handed_lineage_gaps h SEMI JOIN fresh_lineages f USING (lineage_fingerprint);

-- Lineages that the store knew and that tell something else now: the rows of earlier nights speak of them.
CREATE OR REPLACE TEMP TABLE changed_lineages AS
WITH old_io AS (SELECT i.* FROM lineage_io i SEMI JOIN fresh_lineages f USING (lineage_fingerprint)),
     old_gaps AS (SELECT g.* FROM lineage_gaps g SEMI JOIN fresh_lineages f USING (lineage_fingerprint)),
     differing AS (
        SELECT lineage_fingerprint FROM ((FROM old_io EXCEPT FROM fresh_io) UNION ALL (FROM fresh_io EXCEPT FROM old_io))
        UNION ALL
        SELECT lineage_fingerprint
        FROM ((FROM old_gaps EXCEPT FROM fresh_gaps) UNION ALL (FROM fresh_gaps EXCEPT FROM old_gaps))
     )
SELECT DISTINCT d.lineage_fingerprint
FROM differing d SEMI JOIN lineages l USING (lineage_fingerprint);

DELETE FROM lineage_schemas WHERE lineage_id IN (SELECT lineage_id FROM new_lineages);
INSERT INTO lineage_schemas BY NAME
SELECT * FROM handed_lineage_schemas
QUALIFY row_number() OVER (PARTITION BY lineage_id, "position" ORDER BY dataset, evidence, detail) = 1;

DELETE FROM lineages WHERE lineage_id IN (SELECT lineage_id FROM new_lineages);
INSERT INTO lineages BY NAME SELECT * FROM new_lineages;

-- Two lineages of one harvest can differ in their literals alone: one of them is enough. They are few, and looking at
-- all edges for their sake would be slow.
CREATE OR REPLACE TEMP TABLE told_twice AS
SELECT DISTINCT lineage_fingerprint
FROM (
    SELECT lineage_fingerprint, "position" FROM handed_lineage_edges
    SEMI JOIN (SELECT lineage_fingerprint FROM handed_lineages GROUP BY ALL HAVING count(*) > 1) USING (lineage_fingerprint)
    GROUP BY lineage_fingerprint, "position" HAVING count(*) > 1
);

DELETE FROM lineage_edges WHERE lineage_fingerprint IN (FROM fresh_lineages);
INSERT INTO lineage_edges BY NAME
SELECT h.* FROM handed_lineage_edges h
SEMI JOIN fresh_lineages f USING (lineage_fingerprint)
ANTI JOIN told_twice t USING (lineage_fingerprint);
INSERT INTO lineage_edges BY NAME
SELECT h.* FROM handed_lineage_edges h
SEMI JOIN fresh_lineages f USING (lineage_fingerprint)
SEMI JOIN told_twice t USING (lineage_fingerprint)
QUALIFY row_number() OVER (
    PARTITION BY lineage_fingerprint, source_dataset, source_column, target_column, target_ordinal, transformation
    ORDER BY expression, "position"
) = 1;

DELETE FROM lineage_io WHERE lineage_fingerprint IN (FROM fresh_lineages);
INSERT INTO lineage_io BY NAME SELECT * FROM fresh_io;

DELETE FROM lineage_gaps WHERE lineage_fingerprint IN (FROM fresh_lineages);
INSERT INTO lineage_gaps BY NAME SELECT * FROM fresh_gaps;

DELETE FROM plan_nodes WHERE plan_fingerprint IN (SELECT plan_fingerprint FROM handed_plan_nodes);
INSERT INTO plan_nodes BY NAME
SELECT * FROM handed_plan_nodes
QUALIFY row_number() OVER (PARTITION BY plan_fingerprint, node_id ORDER BY detail, node_name) = 1;
