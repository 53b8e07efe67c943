"""Value types that all packages share, and how the influences of sources combine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeVar


class Word(str, Enum):
    """An enum whose members are, and print as, their stored value."""

    def __str__(self) -> str:
        return str(self.value)


class Dependency(Word):
    """Whether a source makes the value or only influences it (OpenLineage columnLineage 1-2-0)."""

    DIRECT = "DIRECT"
    INDIRECT = "INDIRECT"


class Transformation(Word):
    """How a source column makes or influences a target column (docs/semantics.md)."""

    IDENTITY = "IDENTITY"
    TRANSFORMATION = "TRANSFORMATION"
    AGGREGATION = "AGGREGATION"
    CONDITIONAL = "CONDITIONAL"
    WINDOW = "WINDOW"
    FILTER = "FILTER"
    JOIN = "JOIN"
    GROUP_BY = "GROUP_BY"
    SORT = "SORT"

    @property
    def dependency(self) -> Dependency:
        """DIRECT for the kinds that make a value, INDIRECT for those that influence one."""
        direct = (Transformation.IDENTITY, Transformation.TRANSFORMATION, Transformation.AGGREGATION)
        return Dependency.DIRECT if self in direct else Dependency.INDIRECT


class Confidence(Word):
    """The confidence of an edge: that of the weakest step of its path."""

    EXACT = "exact"
    INFERRED = "inferred"
    OPAQUE = "opaque"


EXACT, INFERRED, OPAQUE = range(3)
"""Confidence as a rank: the weakest step of a path counts, and the strongest path to a source."""

CONFIDENCES = (Confidence.EXACT, Confidence.INFERRED, Confidence.OPAQUE)
_STRENGTH = {Transformation.IDENTITY: 0, Transformation.TRANSFORMATION: 1, Transformation.AGGREGATION: 2}


class Influence(NamedTuple):
    """The confidence of a source's influence, and whether masking is applied on every path."""

    masking: bool = False
    confidence: int = EXACT


S = TypeVar("S")
Influences = Mapping[tuple[S, Transformation], Influence]
"""(source, kind) to influence: the sources of a value, or those that influence it."""


def chain(step: Transformation, below: Transformation) -> Transformation:
    """Return the kind of two steps: the last INDIRECT one, or else the stronger one."""
    below_strength = _STRENGTH.get(below)
    step_strength = _STRENGTH.get(step)
    if step_strength is None:
        return step
    if below_strength is None:
        return below
    return step if step_strength > below_strength else below


def stepped(
    sources: Influences[S], kind: Transformation, *, masking: bool = False, confidence: int = EXACT
) -> dict[tuple[S, Transformation], Influence]:
    """Return sources after another step (docs/semantics.md: the strongest step of a chain counts)."""
    found: dict[tuple[S, Transformation], Influence] = {}
    for (source, below), influence in sources.items():
        key = (source, chain(kind, below))
        after = Influence(influence.masking or masking, max(influence.confidence, confidence))
        known = found.get(key)
        if known is not None:
            after = Influence(after.masking and known.masking, min(after.confidence, known.confidence))
        found[key] = after
    return found


def merge(all_sources: Iterable[Influences[S]]) -> dict[tuple[S, Transformation], Influence]:
    """Return the union of sources: masked if every path is, with the confidence of the most certain path."""
    merged: dict[tuple[S, Transformation], Influence] = {}
    for sources in all_sources:
        if not merged:
            merged.update(sources)
            continue
        for key, influence in sources.items():
            known = merged.get(key)
            if known is None:
                merged[key] = influence
            elif known != influence:
                masking = known.masking and influence.masking
                merged[key] = Influence(masking, min(known.confidence, influence.confidence))
    return merged


class GapReason(Word):
    """Why something could not be resolved; each gap has a hint for the user."""

    UNKNOWN_OPERATOR = "unknown_operator"
    UNPARSED_EXPRESSION = "unparsed_expression"
    UNPARSED_PLAN = "unparsed_plan"
    TRUNCATED_FIELDS = "truncated_fields"
    DANGLING_ATTRIBUTE = "dangling_attribute"
    MISSING_PLAN = "missing_plan"
    UNPARSED_QUERY = "unparsed_query"
    UNPRINTED_FILTER = "unprinted_filter"
    UNKNOWN_SOURCE = "unknown_source"
    UNREAD_VIEW = "unread_view"
    UNKNOWN_TARGET = "unknown_target"
    LIMIT_EXCEEDED = "limit_exceeded"
    COMPACTED_LOG = "compacted_log"
    TRUNCATED_LOG = "truncated_log"
    BAD_EVENT = "bad_event"
    MISSING_PARTS = "missing_parts"
    REPEATED_APPLICATION_ID = "repeated_application_id"
    UNKNOWN_CHANGE = "unknown_change"
    LATER_THAN_HARVEST = "later_than_harvest"
    UNSUPPORTED_VERSION = "unsupported_version"
    UNREADABLE_LOG = "unreadable_log"
    DISAGREEMENT = "disagreement"
    INTERNAL_ERROR = "internal_error"


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that could not be resolved.

    Attributes:
        operator: The operator, as the plan prints it; empty if the gap concerns the log.
        hint: What the user can do about it.
    """

    reason: GapReason
    operator: str
    detail: str
    hint: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """A table, path, topic, view or other thing that statements read and write.

    Attributes:
        name: Its name in the store: `spark_catalog.default.orders`, `s3://b/k`.
        kind: `table`, `path`, `topic`, `view`, `temp_view`, `jdbc`, `stream` or `other`.
        format: `parquet`, `delta`, `csv` … in lower case; empty if unknown.
        location: The URI of a table's files, normalized; empty if unknown.
    """

    name: str
    kind: str
    format: str = ""
    location: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A source column influences a target column in one statement.

    `source_dataset` and `source_column` are None for a target column without a source, `source_column` for one that
    depends on a dataset as a whole, as rows of an RDD do; `target_column` is None for an influence on the whole target;
    `target_dataset` is None if the statement only reads. `pattern` is the expression with its literals blanked: it is
    equal for runs of the same statement.
    """

    source_dataset: str | None
    source_column: str | None
    target_dataset: str | None
    target_column: str | None
    target_ordinal: int | None
    dependency: Dependency | None
    transformation: Transformation | None
    masking: bool
    expression: str
    confidence: Confidence
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class ColumnJoin:
    """Two columns that a statement joins with each other, or values of them.

    Attributes:
        operator: `=`, `<=>`, `<` … or a function's name.
        expression: The condition; `pattern` without its literals.
    """

    left_dataset: str
    left_column: str
    right_dataset: str
    right_column: str
    operator: str
    expression: str
    pattern: str = ""


ROW_CHANGES = frozenset({"merge", "update", "delete"})
"""Write modes that change rows of their target: they read its files, and their conditions influence it whole."""


@dataclass(frozen=True, slots=True)
class DatasetAccess:
    """A statement reads or writes a dataset.

    Attributes:
        direction: `read` or `write`.
        mode: For a write `append`, `overwrite`, `create`, `replace`, `merge`,
            `update`, `delete`, `maintenance`, `truncate`, `drop`, `alter`; empty for a read, except `view` for a
            view that is read through.
        columns: The columns read or written, in the dataset's order as far as known; nested ones dotted.
    """

    dataset: Dataset
    direction: str
    mode: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A line of `doctor`.

    Attributes:
        subject: What was checked: `java`, `spark`, `store`, a source.
        status: `ok`, `warning` or `failed`.
        hint: What to do about it; empty if all is well.
    """

    subject: str
    status: str
    detail: str
    hint: str = ""
