-- The store's lineages, each with the start of the run that was traced.
SELECT lineage_id, coalesce(min(epoch_ms(traced_at)), 0)
FROM lineages
GROUP BY lineage_id
