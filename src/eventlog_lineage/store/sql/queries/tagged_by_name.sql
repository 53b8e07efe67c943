-- Tag the columns and datasets whose names match $columns or $datasets; an empty expression matches none.
INSERT INTO given_tags
WITH shown AS (
    SELECT DISTINCT source_dataset AS dataset, source_column AS column_name FROM column_lineage
    UNION SELECT DISTINCT target_dataset, target_column FROM column_lineage
    UNION SELECT dataset, column_name FROM schema_versions WHERE valid_to IS NULL
),
named AS (  -- with the structs around fields
    FROM shown
    UNION
    SELECT dataset, left(column_name, separator - 1)
    FROM (SELECT *, unnest(range(2, length(column_name))) AS separator FROM shown)
    WHERE substr(column_name, separator, 1) = '.'
)
SELECT dataset, column_name, $tag, 'rule' FROM named
WHERE column_name IS NOT NULL AND dataset IS NOT NULL AND $columns <> ''
  AND regexp_matches(
      lower(CASE WHEN starts_with($columns, '^') THEN dataset || chr(1) ELSE '' END || column_name), $columns
  )
UNION ALL
SELECT DISTINCT dataset, NULL, $tag, 'rule' FROM dataset_facts
WHERE $datasets <> '' AND regexp_matches(lower(dataset), $datasets)
