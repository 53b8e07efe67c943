"""Where a value comes from: its sources, how each makes it, and the expression in source terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Union

from eventlog_lineage.model import Confidence, Transformation

EXACT, INFERRED, OPAQUE = range(3)
"""Confidence as a rank: the weakest step on a way counts, the strongest way to a source."""

CONFIDENCES = (Confidence.EXACT, Confidence.INFERRED, Confidence.OPAQUE)

_STRENGTH = {Transformation.IDENTITY: 0, Transformation.TRANSFORMATION: 1, Transformation.AGGREGATION: 2}


class Origin(NamedTuple):
    """A source column: a dataset's name and a column, nested fields dotted.

    An attribute of a relation that the plan does not explain (an RDD, a checkpoint, a micro-batch) has an
    empty dataset and its attribute id as `attribute`: who knows the other executions can say more.
    """

    dataset: str
    column: str
    attribute: int = -1


class Influence(NamedTuple):
    """How sure a source's influence is, and whether a mask lies on every way."""

    masking: bool
    confidence: int


class Constant(str):
    """Expression text that is a literal: two expressions that differ in nothing else are the same."""

    __slots__ = ()


Sources = Mapping[tuple[Origin, Transformation], Influence]
Part = Union[str, Origin, "Derivation"]


class Derivation:
    """A value: its sources, its text, and what is known of its inside.

    Attributes:
        sources: (source column, kind) to influence.
        parts: The expression, in pieces of text, source columns and other derivations; never rendered before it
            is needed.
        fields: The parts of a struct that was put together, by name; None for any other value.
        column: The source column whose value, or whose elements, this is unchanged: fields can be read off it.
        data_type: The type, as `ReadSchema` prints a source column's or as a cast names it; empty where unknown.
        is_truncated: Spark cut the expression: there may be sources that are not known.
    """

    __slots__ = ("_stepped", "column", "data_type", "fields", "is_truncated", "parts", "sources")

    def __init__(
        self,
        sources: Sources,
        parts: Sequence[Part],
        fields: Mapping[str, Derivation] | None = None,
        column: Origin | None = None,
        data_type: str = "",
    ) -> None:
        self.sources = sources
        self.parts = parts
        self.fields = fields
        self.column = column
        self.data_type = data_type
        self.is_truncated = False
        self._stepped: dict[tuple[Transformation, bool, int], Sources] = {}

    def through(self, kind: Transformation, *, masking: bool = False, confidence: int = EXACT) -> Sources:
        """The sources after one more step of a kind (SEMANTICS.md: the strongest step of a chain wins)."""
        if kind is Transformation.IDENTITY and not masking and confidence == EXACT:
            return self.sources
        key = (kind, masking, confidence)
        known = self._stepped.get(key)
        if known is None:
            known = self._stepped[key] = _step(self.sources, kind, masking, confidence)
        return known

    def field(self, name: str) -> Derivation:
        """A nested field of this value."""
        if self.fields is not None and name in self.fields:
            return self.fields[name]
        parts: tuple[Part, ...] = (self, f".{name}")
        if self.column is not None:
            origin = Origin(self.column.dataset, f"{self.column.column}.{name}", self.column.attribute)
            sources = {(origin, kind): influence for (_, kind), influence in self.sources.items()}
            unchanged = all(kind is Transformation.IDENTITY for _, kind in sources)
            return Derivation(sources, (origin,) if unchanged else parts, column=origin)
        return Derivation(self.through(Transformation.TRANSFORMATION), parts)


def constant(text: str) -> Derivation:
    """A value without sources."""
    return Derivation({}, (Constant(text),))


def cut(name: str, sources: Sources) -> Derivation:
    """A value whose expression Spark cut, `… 37 more fields`, with the sources that are known all the same."""
    derivation = Derivation(sources, (f"… ({name})",))
    derivation.is_truncated = True
    return derivation


def as_inferred(value: Derivation) -> Derivation:
    """The same value, as one that the text does not tell all of."""
    sources = value.through(Transformation.IDENTITY, confidence=INFERRED)
    return Derivation(sources, value.parts, value.fields, value.column)


def as_opaque(value: Derivation) -> Derivation:
    """Return the value, as one that went through something whose effect is not known."""
    fields = value.fields and {name: as_opaque(part) for name, part in value.fields.items()}
    sources = value.through(Transformation.IDENTITY, confidence=OPAQUE)
    opaque = Derivation(sources, value.parts, fields, value.column, value.data_type)
    opaque.is_truncated = value.is_truncated or not sources
    return opaque


def taken_out(value: Derivation) -> Derivation:
    """A value that is taken out of an array or a map, or made of such values."""
    fields = value.fields and {name: taken_out(part) for name, part in value.fields.items()}
    return Derivation(value.through(Transformation.TRANSFORMATION), value.parts, fields, value.column, value.data_type)


def merge(all_sources: Iterable[Sources]) -> Sources:
    """The union of sources: masked only where every way is, as sure as the surest way."""
    merged: dict[tuple[Origin, Transformation], Influence] = {}
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


def chain(step: Transformation, below: Transformation) -> Transformation:
    """The kind of two steps: an INDIRECT one wins, the later before the earlier; else the stronger."""
    below_strength = _STRENGTH.get(below)
    step_strength = _STRENGTH.get(step)
    if step_strength is None:
        return step
    if below_strength is None:
        return below
    return step if step_strength > below_strength else below


def render(derivation: Derivation, limit: int, word: Callable[[Origin], str], *, literals: bool = True) -> str:
    """The expression in source terms, cut at a length.

    Args:
        derivation: The value.
        limit: The greatest number of characters; a cut expression ends in `…`.
        word: What a source column is called.
        literals: Whether literals are printed; else each is a `?`.

    Returns:
        The text. Shared parts are printed as often as they occur, but never beyond the limit.
    """
    pieces: list[str] = []
    length = 0
    stack: list[Part] = [derivation]
    while stack:
        part = stack.pop()
        if isinstance(part, Derivation):
            stack.extend(reversed(part.parts))
            continue
        if isinstance(part, Origin):
            part = word(part)
        text = "?" if not literals and isinstance(part, Constant) else part
        pieces.append(text)
        length += len(text)
        if length > limit:
            return "".join(pieces)[: max(limit - 1, 0)] + "…"
    return "".join(pieces)


def _step(sources: Sources, kind: Transformation, masking: bool, confidence: int) -> Sources:
    stepped: dict[tuple[Origin, Transformation], Influence] = {}
    for (origin, below), influence in sources.items():
        key = (origin, chain(kind, below))
        after = Influence(influence.masking or masking, max(influence.confidence, confidence))
        known = stepped.get(key)
        if known is not None:
            after = Influence(after.masking and known.masking, min(after.confidence, known.confidence))
        stepped[key] = after
    return stepped
