"""Compares what the program found of a statement with the hand-written truth about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from support.sample_logs_truth import Statement

Key = tuple[str | None, str | None, str | None, str | None, str | None]


@dataclass(frozen=True, slots=True)
class FoundEdge:
    """An edge as the program tells it; datasets by their canonical names."""

    source_dataset: str | None
    source_column: str | None
    target_column: str | None
    target_ordinal: int | None
    dependency: str | None
    transformation: str | None
    masking: bool
    confidence: str

    @property
    def key(self) -> Key:
        """What makes it the edge that it is."""
        return (self.source_dataset, self.source_column, self.target_column, self.dependency, self.transformation)


@dataclass(frozen=True, slots=True)
class FoundStatement:
    """A statement as the program tells it."""

    target: str | None
    mode: str
    status: str
    edges: tuple[FoundEdge, ...]
    sources: frozenset[str]
    gaps: tuple[str, ...]


def differences(truth: Statement, found: FoundStatement) -> list[str]:
    """What is wrong with a found statement; an INDIRECT edge beyond the truth is not."""
    wrong = []
    if truth.kind == "write" and (found.target, found.mode) != (truth.target, truth.mode):
        wrong.append(f"writes {found.mode} {found.target}, not {truth.mode} {truth.target}")
    if truth.kind == "read" and found.target is not None:
        wrong.append(f"writes {found.target}, but only reads")
    if found.status != truth.status:
        wrong.append(f"is {found.status}, not {truth.status}")
    wanted = {
        (edge.source_dataset, edge.source_column, edge.target_column, edge.dependency, edge.transformation): edge
        for edge in truth.edges
    }
    there = {edge.key: edge for edge in found.edges}
    wrong.extend(f"lacks {key}" for key in wanted.keys() - there.keys())
    wrong.extend(f"has {key}" for key in there.keys() - wanted.keys() if key[3] != "INDIRECT")
    wrong.extend(
        f"masking or confidence of {key}"
        for key in wanted.keys() & there.keys()
        if (wanted[key].masked, wanted[key].opaque) != (there[key].masking, there[key].confidence == "opaque")
    )
    columns = columns_in_order(found.edges)
    if columns != truth.columns:
        wrong.append(f"columns {columns}, not {truth.columns}")
    if found.sources != truth.sources:
        wrong.append(f"sources {sorted(found.sources ^ truth.sources)}")
    wrong.extend(f"gap {gap}" for gap in found.gaps)
    return wrong


def columns_in_order(edges: Iterable[FoundEdge]) -> tuple[str, ...]:
    """The target's columns by their ordinals."""
    named = {(edge.target_ordinal or 0, edge.target_column) for edge in edges if edge.target_column is not None}
    return tuple(name for _, name in sorted(named))
