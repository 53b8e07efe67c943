-- the versions of the tables of some formats: their columns, whether these are all columns, and when they held
SELECT v.dataset, list(v.column_name ORDER BY v.ordinal),
       bool_and(v.evidence IN ('create', 'replace', 'alter', 'overwrite', 'relation')),
       epoch_ms(min(v.valid_from)), epoch_ms(max(v.valid_to))
FROM schema_versions v JOIN datasets d USING (dataset)
WHERE d.kind = 'table' AND d.format IN ({formats}) AND NOT contains(v.column_name, '.')
GROUP BY v.dataset, v.version
ORDER BY v.dataset, v.version
