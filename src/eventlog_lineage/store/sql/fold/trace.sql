-- The current edges in numbers, for queries that follow them over many hops (views/traces.sql).
-- A column is a node: its dataset's number times 2^24 plus its own; the dataset as a whole has number 0 in it. A source
-- without a column (rows of an RDD) means all columns of its dataset: the negative of the dataset's node.
-- Columns that differ in case only are one: Spark compares names without it. A renamed column or table is the same one
-- under both names: edge_names has the current names of edges that were seen with others (renames.py).
-- reads: datasets dataset_aliases column_lineage table_lineage schema_versions named_io edge_names column_aliases successors
-- reads: given_tags
-- makes: nodes plain_edges nested_fields nested_edges
-- changes: trace_datasets trace_names trace_columns trace_edges trace_pairs

INSERT INTO trace_datasets BY NAME
SELECT row_number() OVER (ORDER BY dataset) AS dataset_number, dataset FROM datasets ORDER BY dataset;

INSERT INTO trace_names BY NAME
WITH names AS (
    SELECT lower(dataset) AS "name", dataset_number FROM trace_datasets
    UNION
    SELECT lower(a.alias), d.dataset_number FROM dataset_aliases a JOIN trace_datasets d USING (dataset)
),
endings AS (
    SELECT "name", dataset_number, true AS whole FROM names
    UNION ALL
    SELECT substr("name", separator + 1), dataset_number, false
    FROM (SELECT *, unnest(range(1, length("name"))) AS separator FROM names)
    WHERE substr("name", separator, 1) = CASE WHEN contains("name", '/') THEN '/' ELSE '.' END
    UNION ALL  -- a temporary view, without its application
    SELECT lower(split_part(d.dataset, '@', 1)), t.dataset_number, false
    FROM datasets d JOIN trace_datasets t USING (dataset)
    WHERE d.kind = 'temp_view'
)
SELECT "name", dataset_number, bool_or(whole) AS whole
FROM endings
WHERE "name" NOT IN ('', '/')
GROUP BY "name", dataset_number
ORDER BY "name", dataset_number;

-- A struct or a field with a tag is a column, if the dataset has the column that it is within.
INSERT INTO trace_columns BY NAME
WITH shown AS (
    SELECT source_dataset AS dataset, source_column AS column_name FROM column_lineage
    UNION
    SELECT target_dataset, target_column FROM column_lineage
    UNION
    SELECT source_dataset, source_column FROM edge_names
    UNION
    SELECT target_dataset, target_column FROM edge_names
    UNION
    SELECT dataset, column_name FROM schema_versions WHERE valid_to IS NULL
    UNION
    SELECT dataset, alias FROM column_aliases
    UNION
    SELECT dataset, unnest(columns) FROM named_io
),
named AS (
    FROM shown
    UNION
    SELECT g.dataset, g.column_name
    FROM given_tags g SEMI JOIN shown s
      ON s.dataset = g.dataset AND lower(split_part(s.column_name, '.', 1)) = lower(split_part(g.column_name, '.', 1))
)
SELECT d.dataset_number * 16777216
         + row_number() OVER (PARTITION BY d.dataset_number ORDER BY lower(n.column_name)) AS node,
       d.dataset_number, min(n.column_name) AS column_name
FROM named n JOIN trace_datasets d USING (dataset)
WHERE n.column_name IS NOT NULL
GROUP BY d.dataset_number, lower(n.column_name)
ORDER BY node;

-- A former name finds the column that had it, unless another column has it now.
UPDATE trace_columns SET node = r.node
FROM (
    SELECT old.node AS old_node, new.node
    FROM column_aliases a
    JOIN trace_datasets d ON d.dataset = a.dataset
    JOIN trace_columns old ON old.dataset_number = d.dataset_number AND lower(old.column_name) = lower(a.alias)
    JOIN trace_columns new ON new.dataset_number = d.dataset_number AND lower(new.column_name) = lower(a.column_name)
    WHERE NOT EXISTS (
        FROM schema_versions v
        WHERE v.dataset = a.dataset AND v.valid_to IS NULL AND lower(v.column_name) = lower(a.alias)
    )
) r
WHERE trace_columns.node = r.old_node;

UPDATE trace_names SET dataset_number = r.new_number
FROM (
    SELECT old.dataset_number AS old_number, new.dataset_number AS new_number
    FROM successors s
    JOIN datasets used ON used.dataset = s.dataset AND used.last_seen < s.renamed_at
    JOIN trace_datasets old ON old.dataset = s.dataset
    JOIN trace_datasets new ON new.dataset = s.successor
) r
WHERE trace_names.dataset_number = r.old_number;

CREATE OR REPLACE TEMP TABLE nodes AS
SELECT d.dataset, lower(c.column_name) AS column_name, c.node
FROM trace_columns c JOIN trace_datasets d USING (dataset_number)
UNION ALL
SELECT dataset, NULL, dataset_number * 16777216 FROM trace_datasets;

CREATE OR REPLACE TEMP TABLE plain_edges AS
WITH current_edges AS (
    SELECT l.rowid AS edge, coalesce(n.source_dataset, l.source_dataset) AS source_dataset,
           coalesce(n.source_column, l.source_column) AS source_column,
           coalesce(n.target_dataset, l.target_dataset) AS target_dataset,
           coalesce(n.target_column, l.target_column) AS target_column, l.dependency = 'DIRECT' AS direct,
           l.transformation = 'IDENTITY' AS is_copy
    FROM column_lineage l LEFT JOIN edge_names n ON n.edge = l.rowid
    WHERE l.is_current
)
SELECT CASE WHEN l.source_column IS NULL THEN -s.node ELSE s.node END AS source_node, t.node AS target_node, l.edge,
       l.direct, l.is_copy
FROM current_edges l
JOIN nodes s ON s.dataset = l.source_dataset
            AND coalesce(s.column_name, '') = coalesce(lower(l.source_column), '')
JOIN nodes t ON t.dataset = l.target_dataset
            AND coalesce(t.column_name, '') = coalesce(lower(l.target_column), '');

-- Structs and the fields within them. A struct has the edges of its fields. A field has those of the structs around it: a
-- copy of a struct has its fields, and an edge from or to a copy is one of the same field in it, where an edge names it.
CREATE OR REPLACE TEMP TABLE nested_fields AS
WITH prefixes AS (
    SELECT *, unnest(range(2, length(column_name))) AS dot FROM nodes WHERE contains(column_name, '.')
)
SELECT f.node AS field, p.node AS struct, substr(f.column_name, f.dot + 1) AS path
FROM prefixes f
JOIN nodes p ON p.dataset = f.dataset AND p.column_name = substr(f.column_name, 1, f.dot - 1)
WHERE substr(f.column_name, f.dot, 1) = '.';

CREATE OR REPLACE TEMP TABLE nested_edges AS
SELECT e.source_node, k.struct AS target_node, e.edge, e.direct, 1 AS way
FROM plain_edges e JOIN nested_fields k ON k.field = e.target_node
UNION ALL
SELECT coalesce(s.field, e.source_node), k.field, e.edge, e.direct, 1
FROM plain_edges e
JOIN nested_fields k ON k.struct = e.target_node
LEFT JOIN nested_fields s ON s.struct = e.source_node AND s.path = k.path AND e.is_copy
UNION ALL
SELECT k.struct, e.target_node, e.edge, e.direct, 2
FROM plain_edges e JOIN nested_fields k ON k.field = e.source_node
UNION ALL
SELECT k.field, coalesce(t.field, e.target_node), e.edge, e.direct, 2
FROM plain_edges e
JOIN nested_fields k ON k.struct = e.source_node
LEFT JOIN nested_fields t ON t.struct = e.target_node AND t.path = k.path AND e.is_copy;

INSERT INTO trace_edges BY NAME
SELECT source_node, target_node, edge, direct, 0 AS way FROM plain_edges
UNION ALL
SELECT source_node, target_node, edge, direct, way FROM nested_edges
ORDER BY target_node, source_node, edge, way;

INSERT INTO trace_pairs BY NAME
WITH pairs AS (
    SELECT abs(source_node) // 16777216 AS source_number, target_node // 16777216 AS target_number, direct FROM plain_edges
    UNION ALL
    SELECT s.dataset_number, t.dataset_number, false
    FROM table_lineage l
    LEFT JOIN successors ns ON ns.dataset = l.source_dataset AND l.last_seen < ns.renamed_at
    LEFT JOIN successors nt ON nt.dataset = l.target_dataset AND l.last_seen < nt.renamed_at
    JOIN trace_datasets s ON s.dataset = coalesce(ns.successor, l.source_dataset)
    JOIN trace_datasets t ON t.dataset = coalesce(nt.successor, l.target_dataset)
    WHERE l.is_current
)
SELECT source_number, target_number, bool_or(direct) AS direct FROM pairs GROUP BY ALL
ORDER BY target_number, source_number;
