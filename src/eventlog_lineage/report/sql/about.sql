SELECT (SELECT max(finished_at) FROM harvests) AS harvested_at, (SELECT count(*) FROM harvests) AS harvests,
       (SELECT arg_max(version, finished_at) FROM harvests) AS version,
       (SELECT count(*) FROM all_report_datasets) AS datasets,
       (SELECT count(DISTINCT (dataset, lower(column_name))) FROM (
            SELECT dataset, column_name FROM schema_versions
            UNION ALL SELECT target_dataset, target_column FROM named_report_edges WHERE target_column IS NOT NULL
            UNION ALL SELECT source_dataset, source_column FROM named_report_edges WHERE source_column IS NOT NULL
        )) AS columns,
       (SELECT count(*) FROM named_report_edges WHERE source_dataset IS NOT NULL) AS edges,
       (SELECT count(DISTINCT job_name) FROM executions) AS jobs,
       (SELECT count(*) FROM executions) AS executions, (SELECT count(*) FROM gaps) AS gaps
