"""One dataset's story: its versions, and what changed in its schema and in the lineage that makes it."""

from __future__ import annotations

from eventlog_lineage.errors import UsageError

from .lookups import check_name
from .open_store import Answer, OpenStore

_STORY = """
    WITH RECURSIVE names(dataset) AS (
        SELECT CAST(? AS VARCHAR)
        UNION
        SELECT c.old_value FROM names n JOIN schema_changes c ON c.dataset = n.dataset AND c.change = 'table_renamed'
    ),
    versions AS (
        SELECT valid_from AS changed_at, 'version' AS kind, dataset, version, 'version ' || version AS change,
               CAST(NULL AS VARCHAR) AS column_name, CAST(NULL AS VARCHAR) AS old_value,
               string_agg(concat_ws(' ', column_name, nullif(data_type, '')), ', ' ORDER BY ordinal)
                   FILTER (NOT contains(column_name, '.')) AS new_value,
               string_agg(DISTINCT evidence, ', ' ORDER BY evidence) AS evidence, CAST(NULL AS VARCHAR) AS confidence,
               CAST(NULL AS VARCHAR) AS job_name, CAST(NULL AS VARCHAR) AS app_id,
               CAST(NULL AS VARCHAR) AS attempt_id, CAST(NULL AS BIGINT) AS execution_id
        FROM schema_versions JOIN names USING (dataset)
        GROUP BY dataset, version, valid_from
    ),
    schemas AS (
        SELECT changed_at, 'schema' AS kind, dataset, version, change, column_name, old_value,
               concat_ws(' ', new_value, '(' || nature || ')') AS new_value,
               concat_ws(': ', evidence, detail) AS evidence, confidence, job_name, app_id, attempt_id, execution_id
        FROM schema_changes c
        WHERE dataset IN (FROM names)
           OR (change = 'table_renamed' AND old_value IN (FROM names))
    ),
    lineages AS (
        SELECT changed_at, 'lineage' AS kind, target_dataset AS dataset, CAST(NULL AS INTEGER) AS version, change,
               target_column AS column_name,
               CASE change WHEN 'edge_removed' THEN concat_ws('.', source_dataset, source_column) ELSE old_value END
                   AS old_value,
               CASE change WHEN 'edge_added' THEN concat_ws('.', source_dataset, source_column) ELSE new_value END
                   AS new_value,
               transformation AS evidence, CAST(NULL AS VARCHAR) AS confidence, job_name, app_id, attempt_id,
               execution_id
        FROM lineage_changes
        WHERE target_dataset IN (FROM names)
    )
    SELECT * REPLACE (nullif(new_value, '') AS new_value)
    FROM (FROM versions UNION ALL BY NAME FROM schemas UNION ALL BY NAME FROM lineages)
    ORDER BY changed_at, dataset, version NULLS LAST, CASE kind WHEN 'schema' THEN 1 WHEN 'version' THEN 2 ELSE 3 END,
             change, column_name
"""


def story(store: OpenStore, asked: str) -> Answer:
    """What happened to a dataset, the oldest first; under the names that it had before, too.

    Args:
        store: The store.
        asked: The dataset, or the end of its name.

    Returns:
        changed_at, kind (`version`, `schema`, `lineage`), dataset, version, change, column_name, old_value, new_value,
        evidence, confidence, job_name, app_id, attempt_id, execution_id.

    Raises:
        UsageError: The name is no dataset of the store.
    """
    dataset, column = check_name(store, asked)
    if column:
        raise UsageError(f"{asked} is a column", hint=f"ask for the dataset {dataset}")
    return store.ask(_STORY, [dataset])
