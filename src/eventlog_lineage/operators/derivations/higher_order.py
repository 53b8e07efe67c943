"""Higher-order functions: the bindings of their lambdas' variables.

Names as `prettyName` prints them (Spark 2.4 to 4.3).
"""

from __future__ import annotations

from collections.abc import Mapping

CONTAINERS: Mapping[str, tuple[int, tuple[tuple[int, ...], ...]]] = {
    **dict.fromkeys(("transform", "filter", "exists", "forall", "any_match", "all_match"), (1, ((0,),))),
    **dict.fromkeys(("map_filter", "transform_keys", "transform_values", "array_sort"), (1, ((0, 1),))),
    **dict.fromkeys(("aggregate", "reduce"), (2, ((1,),))),
    "zip_with": (2, ((0,), (1,))),
    "map_zip_with": (2, ((0, 1), (0, 2))),
}
"""Higher-order function to the index of its lambda, and per container the indexes of its elements' variables."""

ELEMENTWISE = frozenset(("transform", "exists", "forall", "any_match", "all_match", "aggregate", "reduce", "zip_with"))
"""Functions whose value depends only on the elements' fields that the lambda uses."""
