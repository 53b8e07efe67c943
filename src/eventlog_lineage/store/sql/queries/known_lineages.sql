-- The store's lineages, each with the start of the run that was traced; stores of 0.2.0 and before do not have it.
SELECT lineage_id, coalesce(min(epoch_ms(traced_at)), 0)
FROM (SELECT CAST(NULL AS TIMESTAMP) AS traced_at WHERE false UNION ALL BY NAME FROM lineages)
GROUP BY lineage_id
