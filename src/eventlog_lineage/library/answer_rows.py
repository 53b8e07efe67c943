"""The rows of each question, for type checkers: where users of the library find them."""

from eventlog_lineage.store.queries.row_types import *  # noqa: F403
