SELECT r.dataset AS name, coalesce(d.kind, 'other') AS kind,
       coalesce(CASE WHEN d.kind IN ('jdbc', 'other') THEN coalesce(d."system", d.kind) ELSE d.format END, '')
           AS format,
       coalesce(d.location, '') AS location, epoch_ms(d.first_seen) AS "first", epoch_ms(d.last_seen) AS "last",
       coalesce((SELECT list_sort(list_distinct(list(a.alias))) FROM dataset_aliases a
                 WHERE a.dataset = r.dataset AND a.alias NOT IN (r.dataset, d.location) AND a.kind <> 'short'), []) AS aliases
FROM report_datasets r LEFT JOIN datasets d USING (dataset)
ORDER BY r.node
