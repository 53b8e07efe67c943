"""Hash codes of Spark's changes of tables."""

from __future__ import annotations

from collections.abc import Sequence

from eventlog_lineage.history.hashed_changes import added_facts, after_hash, names_hash


def added(path: Sequence[str], data_type: int, after: str | None, *, comment: str | None = None) -> int:
    """The hash code of an `AddColumn` of a nullable column."""
    position = 0 if after is None else after_hash(after)
    facts = added_facts(data_type, nullable=True, comment=comment) + position
    return (31 * facts + names_hash(path)) & 0xFFFFFFFF
