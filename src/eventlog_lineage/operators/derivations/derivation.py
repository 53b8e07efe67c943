"""Derivations of values: sources, the kind of each influence, and the expression in terms of sources."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Union

from eventlog_lineage.model import EXACT, INFERRED, OPAQUE, Influences, Transformation, merge, stepped
from eventlog_lineage.plan.grammar.types import element_type, is_variant, printed_fields, with_variants

from .functions import STRICT

DIRECT_KINDS = frozenset((Transformation.IDENTITY, Transformation.TRANSFORMATION, Transformation.AGGREGATION))
_CHOOSING = frozenset((Transformation.CONDITIONAL, Transformation.WINDOW))
"""Kinds of influences that choose the row of a value: they choose its fields, too."""
FIELD_AT = "\0at "
"""Before the number of a field whose name is unknown; the type of its struct has the name."""
_DEEPEST = 20
"""The most structs within each other whose fields are merged."""
_KEEPING_NULL = re.compile(
    r"[()\d. ]*(?:[-+*/%=]|!=|[<>]=?)?[()\d. ]*|cast\(| as |[a-z]+(?:\(\d+,\d+\))?|, |NOT | (?:NOT )?R?LIKE "
)
"""The texts between the operands of arithmetic, comparisons and casts, which are null where an operand is."""


def keeps_null(text: str) -> bool:
    """Return whether a text between the operands of an expression leaves it null where one of them is null.

    >>> keeps_null("upper("), keeps_null(" < "), keeps_null(" <=> "), keeps_null("coalesce(")
    (True, True, False, False)
    """
    return _KEEPING_NULL.fullmatch(text) is not None or (text.endswith("(") and text[:-1].lower() in STRICT)


class Origin(NamedTuple):
    """A source column: a dataset's name and a column, nested fields dotted.

    An unbound attribute (of an RDD, a checkpoint, a micro-batch) has an empty dataset and its attribute id as
    `attribute`: other executions may bind it.
    """

    dataset: str
    column: str
    attribute: int = -1


class Constant(str):
    """A literal in an expression's text: expressions that differ only in literals are equal."""

    __slots__ = ()


Sources = Influences[Origin]
Part = Union[str, Origin, "Derivation"]


class _Struct(NamedTuple):
    """The fields of a struct's printed type.

    Attributes:
        names: The names, by number.
        is_variant: Whether they are paths of a VARIANT.
    """

    types: Mapping[str, str]
    names: tuple[str, ...]
    is_variant: bool


@dataclasses.dataclass(slots=True, eq=False, repr=False)
class Derivation:
    """A value: its sources, its expression, and its nested fields.

    Attributes:
        sources: (source column, kind) to influence.
        parts: The expression, in pieces of text, source columns and other derivations; rendered only when needed.
        fields: The parts of a struct that the expression builds, by name; None for other values.
        column: The source column, if the value is that column or an element of it, unchanged: a field of the value is
            then a field of the column.
        data_type: The type, from `ReadSchema` or a cast; empty if unknown.
        result_type: The type that follows from functions and fields, where `data_type` is unknown.
        is_truncated: Whether Spark truncated the expression: some sources may be unknown.
    """

    sources: Sources
    parts: Sequence[Part]
    fields: Mapping[str, Derivation] | None = None
    column: Origin | None = None
    data_type: str = ""
    result_type: str = dataclasses.field(default="", init=False)
    is_truncated: bool = dataclasses.field(default=False, init=False)
    _stepped: dict[tuple[Transformation, bool, int], Sources] = dataclasses.field(default_factory=dict, init=False)
    _struct: _Struct | None = dataclasses.field(default=None, init=False)

    @property
    def is_literal(self) -> bool:
        """Whether the value has no source and is computed from no other value."""
        return not self.sources and not any(isinstance(part, Derivation) for part in self.parts)

    @property
    def known_type(self) -> str:
        """The type as far as it is known; empty otherwise."""
        return self.data_type or self.result_type

    @property
    def struct(self) -> _Struct:
        """The fields of this value or of its elements, read once from its type: some structs have thousands."""
        if self._struct is None:
            printed = dict(printed_fields(element_type(self.data_type)))
            self._struct = _Struct(printed, tuple(self.fields or printed), is_variant(self.data_type))
        return self._struct

    def through(self, kind: Transformation, *, masking: bool = False, confidence: int = EXACT) -> Sources:
        """Return the sources after another step (docs/semantics.md: the strongest step of a chain counts)."""
        if kind is Transformation.IDENTITY and not masking and confidence == EXACT:
            return self.sources
        key = (kind, masking, confidence)
        known = self._stepped.get(key)
        if known is None:
            known = self._stepped[key] = stepped(self.sources, kind, masking=masking, confidence=confidence)
        return known

    def step(self, kind: Transformation, *, confidence: int = EXACT) -> Derivation:
        """Return a value that another step makes of this one alone, printed as this one."""
        return Derivation(self.through(kind, confidence=confidence), (self,))

    def uncast(self) -> Derivation:
        """Return the value below casts, which keep a null a null; this value if it is not a cast."""
        inner = self.parts[1] if len(self.parts) > 1 and self.parts[0] == "cast(" else None
        return inner.uncast() if isinstance(inner, Derivation) else self

    def is_same(self, other: Derivation) -> bool:
        """Return whether another derivation is the same value: this one, or the same column, unchanged."""
        return self is other or (
            self.column is not None and self.column == other.column and self.sources.keys() == other.sources.keys()
        )

    def is_key(self, key: Derivation) -> bool:
        """Return whether a key is this value, null where it is null, or made of its fields and nothing else of it."""
        if self.column is None or key.is_null_with(self):
            return key.is_null_with(self)
        own = {column for (dataset, column, _), _ in key.sources if dataset == self.column.dataset}
        return self.column.column not in own and any(each.startswith(f"{self.column.column}.") for each in own)

    def is_null_with(self, operand: Derivation) -> bool:
        """Return whether this value is an operand, or null where that is null: arithmetic, a comparison, `upper(x)`."""
        value = self.uncast()
        return operand.is_same(value) or (
            all(isinstance(part, (Constant, Derivation)) or keeps_null(str(part)) for part in value.parts)
            and any(isinstance(part, Derivation) and part.is_null_with(operand) for part in value.parts)
        )

    def field(self, name: str) -> Derivation:
        """Return a nested field of this value.

        Args:
            name: The field's name; `FIELD_AT` and its number where only the type has the name.
        """
        if name.startswith(FIELD_AT):
            return self._field_at(int(name.removeprefix(FIELD_AT)))
        if self.fields is not None and name in self.fields:
            return self.fields[name]
        kind = self.struct.types.get(name, "") if self.data_type.startswith("struct<") else ""
        if self.column is not None and kind and self.struct.is_variant:
            return self._variant_path(kind)
        if self.column is not None:
            return self._column_field(self.column, name, kind)
        return Derivation(self.through(Transformation.TRANSFORMATION), (self, f".{name}"))

    def _column_field(self, column: Origin, name: str, field_type: str) -> Derivation:
        origin = Origin(column.dataset, f"{column.column}.{name}", column.attribute)
        sources = {
            (below if kind in _CHOOSING and below != column else origin, kind): influence
            for (below, kind), influence in self.sources.items()
        }
        unchanged = all(kind is Transformation.IDENTITY for _, kind in sources)
        parts: tuple[Part, ...] = (origin,) if unchanged else (self, f".{name}")
        found = Derivation(sources, parts, None, origin, field_type if "struct<0:" in field_type else "")
        found.result_type = with_variants(field_type)
        return found

    def _field_at(self, index: int) -> Derivation:
        """Return a field by its number; a value of the whole struct if its type is unknown."""
        if index < len(self.struct.names):
            field = self.field(self.struct.names[index])
            return Derivation(field.through(Transformation.TRANSFORMATION), field.parts, field.fields)
        return Derivation(self.through(Transformation.TRANSFORMATION), self.parts)

    def _variant_path(self, kind: str) -> Derivation:
        """Return a path of a VARIANT that the scan reads as a numbered field: the plan has its type, not the path.

        A path of type `variant` may be the whole value. It has no column: the names of fields within it are unknown.
        """
        if kind == "variant":
            return Derivation(self.sources, self.parts, None, None, kind)
        return Derivation(
            self.through(Transformation.TRANSFORMATION), ("cast(", self, f" as {kind})"), None, None, kind
        )


def joined(values: Iterable[Derivation], separator: str = ", ") -> list[Part]:
    """Return the parts of values with a separator between them."""
    parts: list[Part] = [part for value in values for part in (separator, value)]
    return parts[1:]


def any_of(values: Sequence[Derivation]) -> Derivation:
    """Return a value that is one of several: `a | b`."""
    if len(values) == 1:
        return values[0]
    return Derivation(merge(each.sources for each in values), joined(values, " | "))


def function_of(name: str, values: Sequence[Derivation], *, confidence: int = EXACT) -> Derivation:
    """Return a value that a function makes of all values: `name(a, b)`."""
    sources = merge(each.through(Transformation.TRANSFORMATION, confidence=confidence) for each in values)
    return Derivation(sources, (f"{name}(", *joined(values), ")"))


def constant(text: str) -> Derivation:
    """Return a value without sources."""
    return Derivation({}, (Constant(text),))


def truncated(name: str, sources: Sources) -> Derivation:
    """Return a value whose expression Spark truncated, `… 37 more fields`."""
    derivation = Derivation(sources, (f"… ({name})",))
    derivation.is_truncated = True
    return derivation


def as_inferred(value: Derivation) -> Derivation:
    """Return a value with its sources as `inferred`."""
    sources = value.through(Transformation.IDENTITY, confidence=INFERRED)
    return Derivation(sources, value.parts, value.fields, value.column)


def as_opaque(value: Derivation) -> Derivation:
    """Return a value with its sources as `opaque`."""
    fields = value.fields and {name: as_opaque(part) for name, part in value.fields.items()}
    sources = value.through(Transformation.IDENTITY, confidence=OPAQUE)
    opaque = Derivation(sources, value.parts, fields, value.column, value.data_type)
    opaque.is_truncated = value.is_truncated or not sources
    return opaque


def of_type(value: Derivation, kind: str) -> Derivation:
    """Return a value with a type; the value itself if its type is known, or the given one is not."""
    if not kind or value.known_type:
        return value
    typed = Derivation(value.sources, value.parts, value.fields, value.column)
    typed.is_truncated, typed.result_type = value.is_truncated, kind
    return typed


def element_of(value: Derivation) -> Derivation:
    """Return an element of an array or a map, or a value of such elements."""
    fields = value.fields and {name: element_of(part) for name, part in value.fields.items()}
    return Derivation(value.through(Transformation.TRANSFORMATION), value.parts, fields, value.column, value.data_type)


def merged_fields(values: Sequence[Derivation], depth: int = 0) -> dict[str, Derivation] | None:
    """Return the fields of a value that is one of several structs, by position; None unless all have as many.

    Args:
        values: The structs, or arrays or maps of the same kind.
    """
    known = [each.fields or {} for each in values]
    if len(set(map(len, known))) != 1 or not known[0] or depth > _DEEPEST:
        return None
    found = {}
    for rows in zip(*(each.items() for each in known), strict=True):
        parts = list({id(part): part for _, part in rows}.values())
        one = any_of(parts)
        if len(parts) > 1:
            one.fields = merged_fields(parts, depth + 1)
        found[rows[0][0]] = one
    return found


def render(derivation: Derivation, limit: int, word: Callable[[Origin], str], *, literals: bool = True) -> str:
    """Return the expression in terms of sources, limited to a length.

    Args:
        limit: The maximal number of characters; a shortened expression ends in `…`.
        literals: Whether literals are printed; otherwise each is a `?`.

    Returns:
        The text. Shared parts are printed each time they occur, up to the limit.
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
