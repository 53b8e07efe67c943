-- Micro-batches with their sources and sinks by canonical names.
SELECT b.app_id, b.attempt_id, b.stream_query_id, b.stream_run_id, b.stream_batch_id, b.query_name, b.execution_id,
       b.started_at, b.source_number, coalesce(s.dataset, b.source_dataset) AS source_dataset, b.source_description,
       b.start_offset, b.end_offset, b.input_rows,
       coalesce(k.dataset, b.sink_dataset) AS sink_dataset, b.sink_description, b.output_rows
FROM batch_sources b
LEFT JOIN dataset_names s ON s."name" = b.source_dataset
LEFT JOIN dataset_names k ON k."name" = b.sink_dataset
