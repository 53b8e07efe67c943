-- The current edges in numbers, for questions that follow them over many hops (macros.sql).
-- A column is a node: its dataset's number times 2^24 plus its own; the dataset as a whole has number 0 in it.
-- Columns that differ in case only are one: Spark compares names without it.

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
    SELECT substr("name", place + 1), dataset_number, false
    FROM (SELECT *, unnest(range(1, length("name"))) AS place FROM names)
    WHERE substr("name", place, 1) = CASE WHEN contains("name", '/') THEN '/' ELSE '.' END
)
SELECT "name", dataset_number, bool_or(whole) AS whole
FROM endings
WHERE "name" NOT IN ('', '/')
GROUP BY "name", dataset_number
ORDER BY "name", dataset_number;

INSERT INTO trace_columns BY NAME
WITH named AS (
    SELECT source_dataset AS dataset, source_column AS column_name FROM column_lineage
    UNION
    SELECT target_dataset, target_column FROM column_lineage
    UNION
    SELECT dataset, unnest(columns) FROM named_io
)
SELECT d.dataset_number * 16777216
         + row_number() OVER (PARTITION BY d.dataset_number ORDER BY lower(n.column_name)) AS node,
       d.dataset_number, min(n.column_name) AS column_name
FROM named n JOIN trace_datasets d USING (dataset)
WHERE n.column_name IS NOT NULL
GROUP BY d.dataset_number, lower(n.column_name)
ORDER BY node;

CREATE OR REPLACE TEMP TABLE nodes AS
SELECT d.dataset, lower(c.column_name) AS column_name, c.node
FROM trace_columns c JOIN trace_datasets d USING (dataset_number)
UNION ALL
SELECT dataset, NULL, dataset_number * 16777216 FROM trace_datasets;

CREATE OR REPLACE TEMP TABLE plain_edges AS
SELECT s.node AS source_node, t.node AS target_node, l.rowid AS edge, l.dependency = 'DIRECT' AS direct
FROM column_lineage l
JOIN nodes s ON s.dataset = l.source_dataset AND s.column_name = lower(l.source_column)
JOIN nodes t ON t.dataset = l.target_dataset
            AND coalesce(t.column_name, '') = coalesce(lower(l.target_column), '')
WHERE l.is_current;

-- A struct and the fields within it: what is asked of the struct is asked of its fields, and a field without edges of
-- its own has those of the nearest struct around it.
CREATE OR REPLACE TEMP TABLE kin AS
WITH places AS (
    SELECT *, unnest(range(2, length(column_name))) AS place FROM nodes WHERE contains(column_name, '.')
)
SELECT f.node AS field, p.node AS struct, f.place
FROM places f
JOIN nodes p ON p.dataset = f.dataset AND p.column_name = substr(f.column_name, 1, f.place - 1)
WHERE substr(f.column_name, f.place, 1) = '.';

CREATE OR REPLACE TEMP TABLE kin_targets AS
WITH known AS (SELECT DISTINCT target_node AS node FROM plain_edges),
     fields AS (SELECT k.struct AS node, k.field AS other FROM kin k JOIN known ON known.node = k.field),
     structs AS (
        SELECT k.field AS node, k.struct AS other FROM kin k JOIN known ON known.node = k.struct
        WHERE k.field NOT IN (FROM known) AND k.field NOT IN (SELECT node FROM fields)
        QUALIFY row_number() OVER (PARTITION BY k.field ORDER BY k.place DESC) = 1
     )
FROM fields UNION ALL FROM structs;

CREATE OR REPLACE TEMP TABLE kin_sources AS
WITH known AS (SELECT DISTINCT source_node AS node FROM plain_edges),
     fields AS (SELECT k.struct AS node, k.field AS other FROM kin k JOIN known ON known.node = k.field),
     structs AS (
        SELECT k.field AS node, k.struct AS other FROM kin k JOIN known ON known.node = k.struct
        WHERE k.field NOT IN (FROM known) AND k.field NOT IN (SELECT node FROM fields)
        QUALIFY row_number() OVER (PARTITION BY k.field ORDER BY k.place DESC) = 1
     )
FROM fields UNION ALL FROM structs;

INSERT INTO trace_edges BY NAME
SELECT source_node, target_node, edge, direct, 0 AS way FROM plain_edges
UNION ALL
SELECT e.source_node, k.node, e.edge, e.direct, 1 FROM plain_edges e JOIN kin_targets k ON k.other = e.target_node
UNION ALL
SELECT k.node, e.target_node, e.edge, e.direct, 2 FROM plain_edges e JOIN kin_sources k ON k.other = e.source_node
ORDER BY target_node, source_node, edge, way;

INSERT INTO trace_pairs BY NAME
WITH pairs AS (
    SELECT source_node // 16777216 AS source_number, target_node // 16777216 AS target_number, direct FROM plain_edges
    UNION ALL
    SELECT s.dataset_number, t.dataset_number, false
    FROM table_lineage l
    JOIN trace_datasets s ON s.dataset = l.source_dataset
    JOIN trace_datasets t ON t.dataset = l.target_dataset
    WHERE l.is_current
)
SELECT source_number, target_number, bool_or(direct) AS direct FROM pairs GROUP BY ALL
ORDER BY target_number, source_number;
