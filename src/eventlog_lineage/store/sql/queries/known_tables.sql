-- the tables of some formats with the columns that they have now, and whether these are all columns
SELECT v.dataset, list(v.column_name ORDER BY v.ordinal),
       bool_and(v.evidence IN ('create', 'replace', 'alter', 'overwrite', 'relation'))
FROM schema_versions v JOIN datasets d USING (dataset)
WHERE v.valid_to IS NULL AND d.kind = 'table' AND d.format IN ({formats}) AND NOT contains(v.column_name, '.')
GROUP BY v.dataset
ORDER BY v.dataset
