-- User-defined functions: what plans run outside of Spark's own expressions, and calls of what is none of Spark's functions.
-- Python's have operators of their own, whose arguments are `[name(column#1)#2], [pythonUDF0#3]`, or `name(a#1)#2`. Scala's
-- and Java's print their name, or `UDF(…)` without one (ScalaUDF, 2.4 to 4.3); Hive's `HiveSimpleUDF#org.example.Mask(…)`.
WITH evaluated AS (
    SELECT operator, unnest(regexp_extract_all(
               regexp_replace(regexp_extract(detail, 'Arguments: (.*)', 1), '\[pythonUDF.*$', ''),
               '([A-Za-z_<][\w.<>]*)\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)#\d+', 1
           )) AS "name"
    FROM plan_nodes
    WHERE regexp_matches(operator, 'Python|Pandas|InArrow|PythonUDTF') AND NOT starts_with(operator, 'PythonMapIn')
       OR regexp_matches(operator, '^PythonMapInArrow')
),
python AS (
    SELECT lower("name") AS key, any_value("name") AS "name", 'python' AS kind,
           list_sort(list_distinct(list(operator))) AS operators
    FROM evaluated
    WHERE NOT list_contains($spark, lower("name")) OR regexp_matches(operator, 'Aggregate|Window|InPandas|InArrow')
    GROUP BY lower("name")
),
expressions AS (
    SELECT DISTINCT expression FROM column_lineage
    WHERE is_current AND expression <> '' AND source_column IS NOT NULL
),
calls AS (
    SELECT DISTINCT unnest(regexp_extract_all(
               expression, '([A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*(?:#[\w.$]+)?)\(', 1
           )) AS "name"
    FROM expressions
),
called AS (
    SELECT lower("name") AS key, any_value("name") AS "name"
    FROM calls
    WHERE NOT list_contains($spark, lower("name")) AND lower("name") NOT IN (SELECT key FROM python)
      AND NOT list_contains($spark, regexp_replace(lower("name"), '^(?:partial_|merge_|finalmerge_)+', ''))
    GROUP BY lower("name")
),
functions AS (
    SELECT key, "name", kind, operators FROM python
    UNION ALL
    SELECT key, "name",
           CASE WHEN starts_with(key, 'hive') AND contains(key, '#') THEN 'hive'
                WHEN key = 'script' THEN 'script' WHEN key = 'function' THEN 'typed function' ELSE 'scala or java' END,
           CAST([] AS VARCHAR[])
    FROM called
),
used AS (
    SELECT f.key, e.source_dataset, e.source_column, e.target_dataset, e.target_column, e.job_name
    FROM functions f
    JOIN expressions x
      ON contains(lower(x.expression), f.key || '(')
     AND regexp_matches(lower(x.expression), '(^|[^\w.])' || regexp_escape(f.key) || '\(')
    JOIN column_lineage e ON e.expression = x.expression AND e.is_current AND e.source_column IS NOT NULL
)
SELECT f."name" AS "function", f.kind, f.operators,
       list_sort(list_distinct(list(u.source_dataset || '.' || u.source_column)
           FILTER (u.source_column IS NOT NULL))) AS inputs,
       list_sort(list_distinct(list(concat_ws('.', u.target_dataset, u.target_column))
           FILTER (u.target_dataset IS NOT NULL))) AS results,
       list_sort(list_distinct(list(u.job_name) FILTER (u.job_name IS NOT NULL))) AS jobs
FROM functions f LEFT JOIN used u USING (key)
GROUP BY f."name", f.kind, f.operators
ORDER BY f."name", f.kind
