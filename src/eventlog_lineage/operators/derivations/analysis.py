"""The result of analyzing an expression: its references with their kinds, and its text in pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .references import FieldReference

Piece = str | FieldReference
"""A piece of an expression's text, or a reference in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """The references in an expression.

    Attributes:
        references: The references with their kinds; an attribute can have several.
        pieces: The text, in pieces of text and references.
        fields: The parts of a struct that the expression builds.
        passes: The reference that is passed on unchanged; None for computed values.
        elements: The array or map that the value is an element or a part of (`explode`, `filter`).
        kept: The reference that a function takes from one row of a group (`first`) or from another row (`lag`).
        is_extreme: Whether that row is the one with the greatest or least value: all fields choose the row.
        cast: A reference that is only cast, and the type: no change if it already has the type.
        data_type: The type of the outermost cast; empty if there is none.
        alternatives: The references one of which is the value (`coalesce(s#1, s#2)`).
        rebuilt: The struct that is built of fields of `passes`; None for others. It is `passes` if it has all of them.
        combined: The arrays whose elements the value has, or is one of (`concat(a#1, b#2)`).
        keeps_type: Whether the value is an array of the type of `elements`.
        rebuilt_array: An array whose structs are built again, and their fields: the value is it if these are all.
    """

    references: tuple[FieldReference, ...]
    pieces: tuple[Piece, ...]
    fields: Mapping[str, Analysis] | None = None
    passes: FieldReference | None = None
    elements: FieldReference | None = None
    cast: tuple[FieldReference, str] | None = None
    data_type: str = ""
    kept: FieldReference | None = None
    is_extreme: bool = False
    alternatives: tuple[FieldReference, ...] = ()
    rebuilt: Analysis | None = None
    combined: tuple[Analysis, ...] = ()
    keeps_type: bool = False
    rebuilt_array: tuple[FieldReference, frozenset[str]] | None = None
