-- the versions of the tables of some formats, and of those that LOAD DATA fills: their columns, whether these are all
-- columns, when they held, and whether files are loaded into the table
SELECT v.dataset, list(v.column_name ORDER BY v.ordinal),
       bool_and(v.evidence IN ('create', 'replace', 'alter', 'overwrite', 'relation')),
       epoch_ms(min(v.valid_from)), epoch_ms(max(v.valid_to)),
       v.dataset IN (SELECT target_dataset FROM lineages WHERE command = 'LoadDataCommand') AS is_loaded
FROM schema_versions v JOIN datasets d USING (dataset)
WHERE d.kind = 'table' AND (d.format IN ({formats}) OR is_loaded) AND NOT contains(v.column_name, '.')
GROUP BY v.dataset, v.version
ORDER BY v.dataset, v.version
