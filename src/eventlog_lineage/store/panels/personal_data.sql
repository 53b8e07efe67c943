-- Where columns with the name of personal data arrive without a hash or a mask on the way, through all hops.
-- The words are searched in the column's name; a copy under another name is followed.
WITH RECURSIVE edges AS MATERIALIZED (
    SELECT DISTINCT source_dataset, source_column, target_dataset, target_column, transformation, job_name, last_seen
    FROM column_lineage
    WHERE is_current AND dependency = 'DIRECT' AND NOT masking
      AND source_column IS NOT NULL AND target_column IS NOT NULL
),
personal AS (
    SELECT source_dataset, source_column
    FROM (SELECT DISTINCT source_dataset, source_column FROM edges)
    WHERE regexp_matches(
        lower(source_column),
        'e?_?mail|phone|mobile|fax|birth|dob|ssn|passport|iban|credit_?card|card_?number|first_?name|last_?name|sur_?name|'
        || 'full_?name|user_?name|street|postcode|postal|zip_?code|ip_?addr|tax_?id|salary|gender|latitude|longitude|'
        || 'password|personal'
    )
),
-- a personal column that is itself a copy of one is on the way, not a start
starts AS (
    SELECT p.* FROM personal p
    WHERE NOT EXISTS (
        SELECT 1 FROM edges e JOIN personal o ON o.source_dataset = e.source_dataset AND o.source_column = e.source_column
        WHERE e.target_dataset = p.source_dataset AND e.target_column = p.source_column
          AND (e.source_dataset, e.source_column) <> (e.target_dataset, e.target_column)
    )
),
reached(personal_dataset, personal_column, dataset, column_name) AS (
    SELECT source_dataset, source_column, source_dataset, source_column FROM starts
    UNION
    SELECT r.personal_dataset, r.personal_column, e.target_dataset, e.target_column
    FROM reached r JOIN edges e ON e.source_dataset = r.dataset AND e.source_column = r.column_name
)
SELECT e.target_dataset AS dataset, e.target_column AS column_name, r.personal_dataset, r.personal_column,
       list(DISTINCT e.transformation ORDER BY e.transformation) AS transformations,
       list(DISTINCT e.job_name ORDER BY e.job_name) AS jobs, max(e.last_seen) AS last_seen
FROM reached r
JOIN edges e ON e.source_dataset = r.dataset AND e.source_column = r.column_name
WHERE (e.target_dataset, e.target_column) <> (r.personal_dataset, r.personal_column)
GROUP BY ALL
ORDER BY r.personal_dataset, r.personal_column, e.target_dataset, e.target_column
