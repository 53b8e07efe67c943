-- The current edges from or to some datasets.
SELECT rowid AS edge, last_seen, source_dataset, source_column, target_dataset, target_column
FROM column_lineage
WHERE is_current AND (list_contains(?, source_dataset) OR list_contains(?, target_dataset))
