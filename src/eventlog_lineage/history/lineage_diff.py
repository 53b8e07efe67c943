"""Differences in a job's lineage from one run to the next.

Literals, attribute ids and the shape of plans are not part of a lineage; a column or a table that was renamed between
the runs is the same one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eventlog_lineage.model import Dependency

_TOKEN = re.compile(r"\w*\(|\)|[^()\w]+|\w+")


@dataclass(frozen=True, slots=True)
class KnownEdge:
    """An edge of one run's lineage; the attributes are columns of `lineage_edges`, with canonical names."""

    source_dataset: str | None
    source_column: str | None
    target_column: str | None
    dependency: str | None
    transformation: str | None
    expression: str
    pattern: str

    @property
    def key(self) -> tuple[str, ...]:
        """The edge's identity: names in lower case; an added or removed cast keeps it."""
        kind = self.dependency if self.dependency == Dependency.DIRECT else self.transformation
        words = (self.source_dataset, self.source_column, self.target_column, kind)
        return tuple("" if word is None else word.lower() for word in words)


@dataclass(frozen=True, slots=True)
class LineageChange:
    """A change of lineage; the attributes are columns of `lineage_changes`."""

    change: str
    target_column: str | None
    source_dataset: str | None = None
    source_column: str | None = None
    dependency: str | None = None
    transformation: str | None = None
    old_value: str | None = None
    new_value: str | None = None


@dataclass(frozen=True, slots=True)
class Renames:
    """The renames between two runs.

    Attributes:
        datasets: Old name to new name.
        columns: (dataset by its new name, old column in lower case) to the new column.
    """

    datasets: Mapping[str, str]
    columns: Mapping[tuple[str, str], str]

    def dataset(self, name: str | None) -> str | None:
        """Return the current name of a dataset."""
        return self.datasets.get(name, name) if name is not None else None

    def column(self, dataset: str | None, column: str | None) -> str | None:
        """Return the current name of a column; a field follows its renamed struct."""
        if dataset is None or column is None:
            return column
        words = column.split(".")
        for count in range(len(words), 0, -1):
            new = self.columns.get((dataset, ".".join(words[:count]).lower()))
            if new is not None:
                return ".".join((new, *words[count:]))
        return column


NO_RENAMES = Renames({}, {})


def compare(
    before: Iterable[KnownEdge],
    after: Iterable[KnownEdge],
    target: str,
    renames: Renames = NO_RENAMES,
    *,
    other_spark: bool = False,
) -> list[LineageChange]:
    """Compare the edges of two runs of a job onto one target.

    Args:
        other_spark: The runs have different versions of Spark, which put different casts around decimals and print
            more or fewer of a function's settings: expressions that differ in these alone are equal.

    Returns:
        Removed edges, added edges, and columns with the same edges and other expressions, sorted.
    """
    then = list(before)
    now = [_renamed(each, target, renames) for each in then]
    old = {renamed.key: edge for renamed, edge in zip(now, then, strict=True)}
    new = {edge.key: edge for edge in after}
    changes = [_edge("edge_removed", old[key]) for key in old.keys() - new.keys() if old[key].source_column]
    changes += [_edge("edge_added", new[key]) for key in new.keys() - old.keys() if new[key].source_column]
    changes += _expressions(now, list(new.values()), other_spark)
    return sorted(changes, key=repr)


def _renamed(edge: KnownEdge, target: str, renames: Renames) -> KnownEdge:
    dataset = renames.dataset(edge.source_dataset)
    source = renames.column(dataset, edge.source_column)
    column = renames.column(target, edge.target_column)
    return KnownEdge(
        dataset, source, column, edge.dependency, edge.transformation, edge.expression, _in_new_words(edge, renames)
    )


def _in_new_words(edge: KnownEdge, renames: Renames) -> str:
    """Return an expression's pattern with the new names; it spells columns as `table.column`.

    Args:
        renames: Old name to new name, of datasets and columns.
    """
    pattern = edge.pattern
    for old, new in renames.datasets.items():
        pattern = _replaced(pattern, _last_word(old) + ".", _last_word(new) + ".")
    for (dataset, old), new in renames.columns.items():
        word = _last_word(dataset)
        pattern = _replaced(pattern, f"{word}.{old}", f"{word}.{new}")
    return pattern


def _replaced(text: str, old: str, new: str) -> str:
    if old.lower() not in text.lower():
        return text
    end = "" if old.endswith(".") else r"(?!\w)"
    return re.sub(rf"(?<![\w]){re.escape(old)}{end}", lambda _: new, text, flags=re.IGNORECASE)


def _last_word(dataset: str) -> str:
    return dataset.rpartition("/" if "/" in dataset else ".")[2]


def _edge(change: str, edge: KnownEdge) -> LineageChange:
    values = (edge.expression, None) if change == "edge_removed" else (None, edge.expression)
    return LineageChange(
        change,
        edge.target_column,
        edge.source_dataset,
        edge.source_column,
        edge.dependency,
        edge.transformation,
        *values,
    )


def skeleton(pattern: str) -> str:
    """Return an expression's pattern without its casts and without the literals among a function's arguments.

    Args:
        pattern: `sum((cast(a as decimal(11,2)) - b), ?)`, literals blanked.

    >>> skeleton("sum((cast(a as decimal(11,2)) - b), ?)")
    'sum((a - b))'
    """
    pieces: list[list[str]] = [[]]
    casts: list[bool] = []
    for token in _TOKEN.findall(pattern):
        if token.endswith("("):
            casts.append(token == "cast(")
            pieces.append([])
            pieces[-1].append("" if casts[-1] else token)
        elif token == ")" and casts:
            inner = "".join(pieces.pop())
            inner = inner.rpartition(" as ")[0] if casts.pop() else f"{inner})"
            pieces[-1].append(inner)
        else:
            pieces[-1].append(token)
    return "".join("".join(piece) for piece in pieces).replace(", ?", "")


def _expressions(old: Sequence[KnownEdge], new: Sequence[KnownEdge], other_spark: bool) -> list[LineageChange]:
    """Return the columns that both runs write with different expressions.

    Args:
        other_spark: Whether the runs had different versions of Spark.
    """
    before, after = _patterns(old, other_spark), _patterns(new, other_spark)
    changes = []
    for column in before.keys() & after.keys():
        if before[column][0] != after[column][0]:
            name, text = after[column][1:]
            changes.append(
                LineageChange("expression_changed", name, old_value=before[column][2] or None, new_value=text or None)
            )
    return changes


def _patterns(
    edges: Sequence[KnownEdge], is_version_neutral: bool
) -> dict[str, tuple[frozenset[str], str | None, str]]:
    """Return target column, in lower case, to its patterns, its name and its expression.

    Args:
        is_version_neutral: Whether to ignore what versions of Spark print differently.
    """
    patterns: dict[str, set[str]] = {}
    shown: dict[str, tuple[str | None, str]] = {}
    for edge in edges:
        if edge.target_column is None:
            continue
        key = edge.target_column.lower()
        patterns.setdefault(key, set()).add(
            skeleton(edge.pattern.lower()) if is_version_neutral else edge.pattern.lower()
        )
        shown.setdefault(key, (edge.target_column, edge.expression))
    return {key: (frozenset(patterns[key]), *shown[key]) for key in patterns}
