-- The edges of a trace in fewer, wider columns; trace is the call of a macro.
SELECT depth, source_dataset || coalesce('.' || nullif(source_column, ''), '') AS source,
       target_dataset || coalesce('.' || nullif(target_column, ''), '') AS target,
       coalesce(nullif(transformation, ''), dependency) AS how, expression, job_name AS job
{trace}
