-- All datasets upstream of each of some (?).
WITH RECURSIVE up(root, dataset) AS (
    SELECT dataset, dataset FROM (SELECT unnest(CAST(? AS VARCHAR[])) AS dataset)
    UNION
    SELECT u.root, l.source_dataset
    FROM up u JOIN table_lineage l ON l.target_dataset = u.dataset AND l.is_current
)
SELECT root, dataset FROM up WHERE root <> dataset
