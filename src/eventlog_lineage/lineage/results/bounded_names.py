"""Shorten the names of a lineage: each is stored many times, and a log may have names of any length."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import chain
from typing import Any

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.model import Gap, GapReason

LONGEST = 1000
"""Characters of a name."""

_DIGITS = 8
_OTHERS = frozenset({"expression", "pattern", "data_type", "detail", "hint", "words", "derivation", "evidence"})
"""Fields that have no names."""

_SHORTENED = Gap(
    GapReason.LIMIT_EXCEEDED,
    "",
    f"a name is longer than {LONGEST} characters",
    "names are stored up to this length, with a digest of the whole name",
)


def short_name(name: str) -> str:
    """Return a name of at most 1,000 characters; a longer one ends in a digest, so that it stays distinct.

    >>> short_name("orders"), len(short_name("x" * 5000))
    ('orders', 1000)
    """
    if len(name) <= LONGEST:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{name[: LONGEST - _DIGITS - 1]}…{digest}"


def with_short_names(lineage: StatementLineage) -> StatementLineage:
    """Return a lineage with short names; one whose names are longer has a gap."""
    if max(map(len, _names(lineage)), default=0) <= LONGEST:
        return lineage
    short: StatementLineage = _shortened(lineage)
    return replace(short, gaps=(*short.gaps, _SHORTENED))


def _names(lineage: StatementLineage) -> Iterator[str]:
    for edge in lineage.edges:
        yield edge.source_dataset or ""
        yield edge.source_column or ""
        yield edge.target_dataset or ""
        yield edge.target_column or ""
    for dataset in lineage.datasets:
        yield dataset.name
        yield dataset.location
    for access in lineage.accesses:
        yield from access.columns
    for observation in lineage.observations:
        yield from (column.name for column in observation.columns)
    yield from chain(*lineage.aliases)


def _shortened(found: Any) -> Any:
    if isinstance(found, str):
        if len(found) > LONGEST:
            found = short_name(found)
    elif isinstance(found, tuple):
        made = [_shortened(each) for each in found]
        if any(new is not old for new, old in zip(made, found, strict=True)):
            found = found._make(made) if hasattr(found, "_make") else tuple(made)
    elif is_dataclass(found) and not isinstance(found, type):
        values = {each.name: getattr(found, each.name) for each in fields(found) if each.name not in _OTHERS}
        changed = {name: new for name, old in values.items() if (new := _shortened(old)) is not old}
        found = replace(found, **changed) if changed else found
    return found
