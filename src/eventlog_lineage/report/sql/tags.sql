-- Each tag with its datasets and columns, and the node where it begins: -1 where a file or a pattern of names declares it.
WITH placed AS (
    SELECT t.tag, CASE WHEN t.column_name IS NULL THEN d.node ELSE c.node END AS node, t.masked,
           CASE WHEN t.origin = 'derived' THEN coalesce(sc.node, sd.node) ELSE -1 END AS source
    FROM tags t
    LEFT JOIN report_datasets d USING (dataset)
    LEFT JOIN report_columns c ON c.dataset = t.dataset AND c.key = lower(t.column_name)
    LEFT JOIN report_datasets sd ON sd.dataset = t.source_dataset
    LEFT JOIN report_columns sc ON sc.dataset = t.source_dataset AND sc.key = lower(t.source_column)
),
tagged AS (
    SELECT tag, node, bool_and(masked) AS masked, min(source) AS source
    FROM placed
    WHERE node IS NOT NULL
    GROUP BY tag, node
)
SELECT tag, masked, list(node ORDER BY node) AS nodes, list(source ORDER BY node) AS sources
FROM tagged
GROUP BY tag, masked
ORDER BY tag, masked
