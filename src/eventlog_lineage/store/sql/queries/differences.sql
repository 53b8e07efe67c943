-- What differs between `old_state` and `new_state`, tables of the rows of state.sql. Of a dataset that only one of them
-- has, columns and edges are left out; a type counts only where both know it.
WITH paired AS (
    SELECT coalesce(o.kind, n.kind) AS kind, coalesce(o.dataset, n.dataset) AS dataset,
           coalesce(o.column_name, n.column_name) AS column_name, coalesce(o.source, n.source) AS source,
           coalesce(o.transformation, n.transformation) AS transformation, o."value" AS was, n."value" AS "now",
           CASE WHEN n.kind IS NULL THEN 'removed' WHEN o.kind IS NULL THEN 'added'
                WHEN n.kind = 'edge' THEN 'expression_changed' ELSE 'type_changed' END AS change,
           CASE WHEN coalesce(o.source, n.source) <> ''
                THEN coalesce(o.source, n.source) || ' (' || coalesce(o.transformation, n.transformation) || ')'
                ELSE nullif(coalesce(o."value", n."value"), '') END AS what
    FROM old_state o
    FULL JOIN new_state n
      ON o.kind = n.kind AND o.dataset = n.dataset AND o.column_name = n.column_name AND o.source = n.source
     AND o.transformation = n.transformation
    WHERE o."value" IS DISTINCT FROM n."value"
),
left_out AS (
    SELECT dataset FROM paired WHERE kind = 'dataset'
),
compared AS (
    SELECT dataset FROM old_state WHERE kind = 'column'
    INTERSECT
    SELECT dataset FROM new_state WHERE kind = 'column'
)
SELECT kind, change, dataset, nullif(paired.column_name, '') AS column_name,
       CASE WHEN change = 'added' THEN NULL WHEN change = 'removed' THEN what ELSE was END AS old_value,
       CASE WHEN change = 'removed' THEN NULL WHEN change = 'added' THEN what ELSE "now" END AS new_value
FROM paired
WHERE CASE kind WHEN 'dataset' THEN true
                WHEN 'edge' THEN dataset NOT IN (FROM left_out)
                ELSE dataset NOT IN (FROM left_out) AND dataset IN (FROM compared)
                     AND (change <> 'type_changed' OR (was <> '' AND "now" <> '')) END
GROUP BY kind, change, dataset, paired.column_name, was, "now", what
ORDER BY list_position(['dataset', 'column', 'edge'], kind), dataset, paired.column_name,
         min((paired.source, paired.transformation))
