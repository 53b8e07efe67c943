-- The datasets that lineages (?) read, without views that are read through.
SELECT lineage_fingerprint, dataset FROM named_io
WHERE lineage_fingerprint IN (SELECT unnest(?)) AND direction = 'read' AND mode <> 'view'
ORDER BY ALL
