-- The current edges between datasets, with their jobs, and whether values flow.
SELECT source_dataset, target_dataset, list_sort(list_distinct(list(job_name))), bool_or(direct)
FROM (
    SELECT l.source_dataset, l.target_dataset, l.job_name, p.direct
    FROM table_lineage l
    JOIN trace_datasets s ON s.dataset = l.source_dataset
    JOIN trace_datasets t ON t.dataset = l.target_dataset
    JOIN trace_pairs p ON p.source_number = s.dataset_number AND p.target_number = t.dataset_number
    WHERE l.is_current AND l.source_dataset <> l.target_dataset
)
GROUP BY ALL
ORDER BY ALL
