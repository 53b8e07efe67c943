-- Tables that were renamed, by the selected observations (fold/schema_observations.sql).
SELECT DISTINCT o.dataset, coalesce(n.dataset, s.words[1]) AS new_name
FROM selected_observations o
JOIN lineage_schemas s ON s.lineage_id = o.lineage_id AND s."position" = o."position"
LEFT JOIN dataset_names n ON n."name" = s.words[1]
WHERE s.extent = 'renamed'
