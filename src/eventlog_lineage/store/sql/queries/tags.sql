-- The tags of columns and datasets ($dataset, $column, $tag or all), derived ones with where they begin. With $since only
-- those that arrive unmasked on a path that was not complete before that time; declared edges without a start always were.
WITH RECURSIVE edges AS MATERIALIZED (
    SELECT e.source_node, e.target_node
    FROM trace_edges e JOIN column_lineage l ON l.rowid = e.edge
    WHERE e.direct AND e.way <> 1 AND NOT coalesce(l.masking, false) 
      AND coalesce(l.first_seen < CAST($since AS TIMESTAMP), true)
),
nodes AS MATERIALIZED (
    SELECT c.node, d.dataset, c.column_name
    FROM trace_columns c JOIN trace_datasets d USING (dataset_number)
    WHERE $since IS NOT NULL
),
begun AS (
    SELECT n.node, t.tag FROM tags t JOIN nodes n ON n.dataset = t.dataset AND n.column_name = t.column_name
    WHERE t.origin <> 'derived'
),
before AS (
    SELECT node AS root, node, tag FROM begun
    UNION
    SELECT b.root, e.target_node, b.tag FROM before b JOIN edges e ON e.source_node = b.node
),
known AS (
    SELECT r.dataset AS source_dataset, r.column_name AS source_column, n.dataset, n.column_name, b.tag
    FROM before b JOIN nodes n USING (node) JOIN nodes r ON r.node = b.root
),
owners AS (
    SELECT dataset, lower(column_name) AS key, any_value(owner) AS owner
    FROM declarations
    WHERE owner <> '' AND dataset IS NOT NULL
    GROUP BY ALL
)
SELECT t.dataset, t.column_name, t.tag, t.origin, t.masked, t.source_dataset, t.source_column, t.via,
       coalesce(c.owner, d.owner) AS owner
FROM tags t
LEFT JOIN owners c ON c.dataset = t.dataset AND c.key = lower(t.column_name)
LEFT JOIN owners d ON d.dataset = t.dataset AND d.key IS NULL
WHERE ($dataset IS NULL OR t.dataset = $dataset)
  AND ($column = '' OR lower(t.column_name) = $column OR starts_with(lower(t.column_name), $column || '.'))
  AND ($tag IS NULL OR lower(t.tag) = lower($tag))
  AND (NOT $derived OR t.origin = 'derived')
  AND (NOT $unmasked OR NOT t.masked)
  AND ($since IS NULL OR t.origin = 'derived' AND NOT t.masked AND NOT EXISTS (
      FROM known k
      WHERE k.dataset = t.dataset AND k.column_name = t.column_name AND k.tag = t.tag
        AND k.source_dataset = t.source_dataset AND k.source_column = t.source_column
  ))
ORDER BY t.tag, t.dataset, t.column_name NULLS FIRST, t.source_dataset, t.source_column
