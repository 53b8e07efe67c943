SELECT source, target, dependency, transformation, masking, confidence, is_current, job_name, expression,
       epoch_ms(first_seen) AS first_seen, epoch_ms(ended_at) AS ended_at, edge
FROM report_edges
ORDER BY target, source, dependency, transformation, job_name, edge
