"""Classifications of columns and datasets: those that they have by themselves, and those that follow from lineage."""

from __future__ import annotations

from datetime import datetime

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.queries.asked_names import check_name
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.ddl import sql_text
from eventlog_lineage.store.schema.declared_tables import TAGS


def tags(  # noqa: PLR0913 - what a question can ask for
    store: OpenStore,
    asked: str | None = None,
    *,
    tag: str | None = None,
    derived: bool = False,
    unmasked: bool = False,
    since: datetime | None = None,
) -> Answer:
    """Return the tags of columns and datasets.

    Args:
        asked: A dataset or a column; None for all.
        unmasked: Only where a path brings the value without a mask.
        since: Only where an unmasked path is complete since this time, UTC without a zone.

    Returns:
        dataset, column_name (NULL for the dataset as a whole), tag, origin (`file`, `dbt`, `rule`, `derived`), masked;
        of a derived tag source_dataset and source_column (where it begins) and via (the column before); owner.

    Raises:
        StoreError: A program without tags wrote the store.
        UsageError: The name means nothing in the store, or several things.
    """
    check_tags(store)
    dataset, column = check_name(store, asked) if asked is not None else (None, "")
    values = {"dataset": dataset, "column": column.lower(), "tag": tag}
    return store.ask(sql_text("queries/tags"), {**values, "derived": derived, "unmasked": unmasked, "since": since})


def check_tags(store: OpenStore) -> None:
    """Check that a store has tags: without them, nothing would be tagged.

    Raises:
        StoreError: A program without tags wrote the store.
    """
    query = "SELECT 1 FROM duckdb_tables() WHERE table_name = ? AND database_name = current_database()"
    if not store.ask(query, [TAGS.name]).rows:
        hint = "the next harvest adds them, or `eventlog-lineage declare --none`"
        raise StoreError("the store has no tags: an earlier version of the program wrote it", str(store.store), hint)
