-- Edges between a dataset of the page and one that the page leaves out.
SELECT d.node, count(*) FILTER (e.target_dataset = d.dataset) AS incoming,
       count(*) FILTER (e.source_dataset = d.dataset) AS outgoing
FROM named_report_edges e
JOIN report_datasets d ON d.dataset IN (e.source_dataset, e.target_dataset)
WHERE e.source_dataset IS NOT NULL
  AND (e.source_dataset NOT IN (SELECT dataset FROM report_scope)
       OR e.target_dataset NOT IN (SELECT dataset FROM report_scope))
GROUP BY d.node
ORDER BY d.node
