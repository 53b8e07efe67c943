-- Tags: those that columns have by themselves, and those that follow along DIRECT edges, from where each begins. A tag
-- becomes another one, or none, where an edge masks, as the rules declare.
-- A column with a name of a rule is not a start if all of its sources go through a mask, or if one of them has the tag.
-- reads: given_tags tag_rules trace_columns trace_datasets trace_edges column_lineage
-- makes: tag_edges first_tags
-- changes: tags

CREATE OR REPLACE TEMP TABLE tag_edges AS
SELECT e.source_node, e.target_node, bool_and(coalesce(l.masking, false)) AS masking
FROM trace_edges e JOIN column_lineage l ON l.rowid = e.edge
WHERE e.direct AND e.way <> 1 AND e.source_node <> e.target_node
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE first_tags AS
WITH placed AS (
    SELECT c.node, g.tag, min(g.origin) AS origin
    FROM given_tags g
    JOIN trace_datasets d ON d.dataset = g.dataset
    JOIN trace_columns c
      ON c.dataset_number = d.dataset_number AND coalesce(lower(g.column_name), lower(c.column_name)) = lower(c.column_name)
    GROUP BY c.node, g.tag
),
followed AS (
    SELECT p.node, p.tag
    FROM placed p JOIN tag_edges e ON e.target_node = p.node
    LEFT JOIN placed s ON s.node = e.source_node AND s.tag = p.tag
    LEFT JOIN tag_edges r ON r.source_node = e.target_node AND r.target_node = e.source_node
    WHERE p.origin = 'rule'
    GROUP BY p.node, p.tag
    HAVING bool_or(s.node IS NOT NULL AND NOT (r.source_node IS NOT NULL AND p.node < s.node)) OR bool_and(e.masking)
)
FROM placed ANTI JOIN followed USING (node, tag);

INSERT INTO tags BY NAME
WITH RECURSIVE flows AS (
    SELECT node AS root, node, tag, false AS masked FROM first_tags
    UNION
    SELECT f.root, e.target_node, CASE WHEN e.masking THEN r.masked ELSE f.tag END, f.masked OR e.masking
    FROM flows f
    JOIN tag_edges e ON e.source_node = f.node
    JOIN tag_rules r ON r.tag = f.tag
    WHERE r.flows AND (NOT e.masking OR r.masked <> '')
),
reached AS (SELECT root, node, tag, bool_and(masked) AS masked FROM flows WHERE node <> root GROUP BY root, node, tag),
names AS (
    SELECT c.node, d.dataset, min(c.column_name) AS column_name
    FROM trace_columns c JOIN trace_datasets d USING (dataset_number)
    GROUP BY ALL
),
vias AS (
    SELECT f.root, e.target_node AS node, min(concat_ws('.', n.dataset, n.column_name)) AS via
    FROM (SELECT DISTINCT root, node FROM flows) f
    JOIN tag_edges e ON e.source_node = f.node
    JOIN names n ON n.node = f.node
    GROUP BY ALL
)
SELECT n.dataset, n.column_name, t.tag, t.origin, false AS masked
FROM first_tags t JOIN names n USING (node)
UNION ALL BY NAME
SELECT n.dataset, n.column_name, r.tag, 'derived' AS origin, s.dataset AS source_dataset, s.column_name AS source_column,
       v.via, r.masked
FROM reached r
JOIN names n USING (node)
JOIN names s ON s.node = r.root
LEFT JOIN vias v ON v.root = r.root AND v.node = r.node
ANTI JOIN first_tags g ON g.node = r.node AND g.tag = r.tag
UNION ALL BY NAME
SELECT DISTINCT dataset, tag, origin, false AS masked FROM given_tags WHERE column_name IS NULL
ORDER BY ALL;
