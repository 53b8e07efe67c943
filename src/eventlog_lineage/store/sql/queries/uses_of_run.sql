-- What a run read and wrote, with what the log counts.
SELECT direction || 's ' || dataset AS what,
       concat_ws(', ', "rows" || ' rows', "bytes" || ' bytes', 'snapshot ' || snapshot_id)
FROM dataset_io WHERE (app_id, attempt_id, execution_id) = (?, ?, ?) AND mode <> 'view' ORDER BY what
