-- The datasets with names most like the name that was asked for.
SELECT dataset FROM trace_datasets
ORDER BY greatest(
    jaro_winkler_similarity(lower(dataset), lower(?)),
    jaro_winkler_similarity(lower(split_part(replace(dataset, '/', '.'), '.', -1)), lower(?))
) DESC, dataset
LIMIT ?
