"""Fingerprints of lineages: equal for runs of a statement that differ only in literals."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from eventlog_lineage.model import ColumnJoin, DatasetAccess, Edge, Gap


def lineage_fingerprint(
    edges: Sequence[Edge],
    accesses: Sequence[DatasetAccess],
    gaps: Sequence[Gap],
    joins: Sequence[ColumnJoin] = (),
) -> str:
    """Return the fingerprint of a lineage: 32 hexadecimal digits.

    Args:
        edges: Its edges; literals in their expressions are ignored.
    """
    patterns = {edge.pattern: _hashed(edge.pattern) for edge in edges}  # long, and the same for a column's edges
    lines = [
        f"{edge.source_dataset}|{edge.source_column}|{edge.target_column}|{edge.target_ordinal}"
        f"|{edge.transformation}|{edge.masking}|{edge.confidence}|{patterns[edge.pattern]}"
        for edge in edges
    ]
    lines += [f"{access.direction}|{access.mode}|{access.dataset.name}" for access in accesses]
    lines += [f"{gap.reason}|{gap.operator}|{gap.detail}" for gap in gaps]
    lines += [
        f"join|{each.left_dataset}|{each.left_column}|{each.right_dataset}|{each.right_column}|{each.operator}"
        for each in joins
    ]
    return _hashed("\n".join(sorted(lines)))


def _hashed(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
