"""User-defined functions: what goes into them, and where their results go."""

from __future__ import annotations

from eventlog_lineage.store.schema.sql_files import sql_text

from .open_store import Answer, OpenStore
from .spark_functions import SPARK_FUNCTIONS


def user_functions(store: OpenStore) -> Answer:
    """List the functions that are none of Spark's.

    Returns:
        function, kind (`python`, `hive`, `scala or java`, `script`, `typed function`), operators that run it, inputs
        (columns), results (columns), jobs. Inputs and results are those of current edges; a function of a query that
        writes nothing has none.
    """
    return store.ask(sql_text("queries/udfs"), {"spark": sorted(SPARK_FUNCTIONS)})
