-- What the selected observations of the datasets in dataset_batch show.
SELECT s.lineage_id, s."position", s.evidence, s.extent, s.columns, s.ordered, s.words, s.detail
FROM lineage_schemas s
SEMI JOIN (
    SELECT lineage_id, "position" FROM selected_observations o SEMI JOIN dataset_batch b ON b.dataset = o.dataset
) o ON o.lineage_id = s.lineage_id AND o."position" = s."position"
