-- The edges of the page in numbers: makes edge_kinds, edge_jobs, edge_texts, edge_times and numbered_edges.

CREATE OR REPLACE TEMP TABLE edge_kinds AS
SELECT CAST(row_number() OVER (ORDER BY dependency, transformation, masking, confidence, is_current) - 1 AS INTEGER) AS number, *
FROM (SELECT DISTINCT dependency, transformation, masking, confidence, is_current FROM report_edges);

CREATE OR REPLACE TEMP TABLE edge_jobs AS
SELECT CAST(row_number() OVER (ORDER BY job_name) - 1 AS INTEGER) AS number, job_name
FROM (SELECT DISTINCT job_name FROM report_edges);

CREATE OR REPLACE TEMP TABLE edge_texts AS
SELECT CAST(row_number() OVER (ORDER BY expression) - 1 AS INTEGER) AS number, expression
FROM (SELECT DISTINCT expression FROM report_edges);

-- Number 0: unknown.
CREATE OR REPLACE TEMP TABLE edge_times AS
SELECT CAST(row_number() OVER (ORDER BY moment NULLS FIRST) - 1 AS INTEGER) AS number, moment
FROM (SELECT NULL::TIMESTAMP AS moment
      UNION SELECT first_seen FROM report_edges
      UNION SELECT ended_at FROM report_edges);

CREATE OR REPLACE TEMP TABLE numbered_edges AS
SELECT CAST(row_number() OVER (ORDER BY e.number) - 1 AS INTEGER) AS number, e.edge,
       CAST(e.source AS INTEGER) AS source, CAST(e.target AS INTEGER) AS target, k.number AS kind, j.number AS job,
       coalesce(f.number, 0) AS "first", coalesce(x.number, 0) AS ended, t.number AS expression
FROM report_edges e
JOIN edge_kinds k USING (dependency, transformation, masking, confidence, is_current)
JOIN edge_jobs j ON j.job_name IS NOT DISTINCT FROM e.job_name
JOIN edge_texts t USING (expression)
LEFT JOIN edge_times f ON f.moment = e.first_seen
LEFT JOIN edge_times x ON x.moment = e.ended_at
