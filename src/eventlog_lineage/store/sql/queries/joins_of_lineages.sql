-- The joins of lineages (?).
SELECT lineage_fingerprint, left_dataset, left_column, right_dataset, right_column, expression FROM named_joins
WHERE lineage_fingerprint IN (SELECT unnest(?))
ORDER BY ALL
