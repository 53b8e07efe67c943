-- The edges of lineages (?), in the order of their statements.
SELECT lineage_fingerprint, target_dataset, source_dataset, source_column, target_column, target_ordinal,
       dependency, transformation, masking, coalesce(expression, '')
FROM named_edges
WHERE lineage_fingerprint IN (SELECT unnest(?)) AND target_dataset IS NOT NULL
ORDER BY lineage_fingerprint, "position"
