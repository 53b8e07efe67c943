-- The selected observations of the datasets in dataset_batch.
SELECT o.dataset, o.seen_at, o.app_id, o.attempt_id, o.execution_id, o.job_name, o.lineage_id, o."position",
       o.description
FROM selected_observations o
SEMI JOIN dataset_batch b ON b.dataset = o.dataset
