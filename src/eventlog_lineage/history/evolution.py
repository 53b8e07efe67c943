"""Turn observations of schemas into versions and changes.

The same observations make the same history, in whatever order they became known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from operator import is_

from eventlog_lineage.model import Dependency
from eventlog_lineage.observed_schemas import SchemaColumn, TableCreated, TableRenamed, TableSchema, to_stored

from .columns import INNER, SchemaHistory, TimedObservation, expanded
from .schema_updates import observe
from .table_state import TableState, Versions, Vocabulary


def evolve(
    observations: Iterable[TimedObservation], schemas: Mapping[str, Sequence[TableSchema]] | None = None
) -> SchemaHistory:
    """Return the history of some datasets' schemas.

    Args:
        observations: All observations of these datasets, and of those that they were renamed from or to.
        schemas: Dataset to the schemas in its own metadata, in the order in which it had them; they resolve the changes
            of an `ALTER TABLE` and make none themselves.
    """
    schemas = schemas or {}
    ordered = _sorted(observations)
    history = _evolve(ordered, schemas)
    if len(ordered) == len(history.effective) and all(map(is_, ordered, history.effective)):
        return history
    again = _evolve(history.effective, schemas)
    if (again.versions, again.changes) != (history.versions, history.changes):
        return replace(history, effective=tuple(ordered))  # an observation without an effect decides on a later one
    return history


def _take(tables: Mapping[str, TableState], seen: TimedObservation) -> list[TableState]:
    """Apply an observation, and return the tables that it is about."""
    table = tables[seen.dataset]
    renamed = tables[seen.shown.new_name] if isinstance(seen.shown, TableRenamed) else None
    touched = [table, renamed] if renamed is not None else [table]
    for each in touched:
        each.versions.changed, each.undone_since = False, None
    if renamed is not None:
        _rename(table, renamed, seen)
    else:
        observe(table, seen)
    return touched


def _evolve(ordered: Sequence[TimedObservation], schemas: Mapping[str, Sequence[TableSchema]]) -> SchemaHistory:
    tables = _tables(ordered, schemas)
    effective: dict[int, TimedObservation] = {}
    for seen in ordered:
        touched = _take(tables, seen)
        changed = any(each.versions.changed for each in touched)
        _remove_undone(effective, touched)
        if changed:
            effective[id(seen)] = seen
    histories = [tables[name].versions for name in sorted(tables)]
    return SchemaHistory(
        versions=tuple(chain.from_iterable(each.rows() for each in histories)),
        changes=tuple(chain.from_iterable(each.changes() for each in histories)),
        effective=tuple(_sorted(_with_causes(effective, histories).values())),
        unknown=tuple(chain.from_iterable(each.unexplained() for each in histories)),
    )


def _remove_undone(effective: dict[int, TimedObservation], tables: Sequence[TableState]) -> None:
    """Remove observations that were taken back: of a short-lived table, or of one that was created again as it was."""
    for table in tables:
        if table.undone_since is None or table.versions.changed:
            continue
        since = _order(table.undone_since)
        for number, each in list(effective.items()):
            if each.dataset == table.versions.dataset and _order(each) >= since:
                del effective[number]


def _with_causes(effective: dict[int, TimedObservation], histories: Sequence[Versions]) -> dict[int, TimedObservation]:
    """Add the observations that began a version in hindsight: an overwrite whose types a later read shows."""
    causes = [version.since for versions in histories for version in versions.all()]
    return {**effective, **{id(cause): cause for cause in causes if cause.key is not None}}


def _order(seen: TimedObservation) -> tuple[object, ...]:
    """Return the key by which observations are sorted: by time; of one statement the reads before the definitions."""
    shown = to_stored(seen.shown)
    columns = [(each.name, each.data_type, each.derivation) for each in shown.columns]
    return (*_moment(seen), shown.extent, columns, shown.ordered, shown.words, shown.detail)


def _moment(seen: TimedObservation) -> tuple[object, ...]:
    return (seen.at, seen.run, seen.dataset, str(seen.shown.evidence))


def _sorted(observations: Iterable[TimedObservation]) -> list[TimedObservation]:
    """Sort observations by `_order`; the key of what they show is long, and made where the rest is equal only."""
    ordered: list[TimedObservation] = []
    for _, group in groupby(sorted(observations, key=_moment), key=_moment):
        equal = list(group)
        ordered += sorted(equal, key=_order) if len(equal) > 1 else equal
    return ordered


def _tables(ordered: Sequence[TimedObservation], schemas: Mapping[str, Sequence[TableSchema]]) -> dict[str, TableState]:
    """Return an empty table for each dataset, with the names of its columns in all statements and schemas."""
    names: dict[str, dict[str, None]] = {}
    types: dict[str, dict[str, None]] = {}
    for seen in ordered:
        renamed = (seen.shown.new_name,) if isinstance(seen.shown, TableRenamed) else ()
        for dataset in (seen.dataset, *renamed):
            names.setdefault(dataset, {})
            types.setdefault(dataset, {})
        for column in expanded(seen.shown.columns):
            names[seen.dataset][column.name] = None
            types[seen.dataset].update(dict.fromkeys([column.data_type] if column.data_type else []))
    for dataset in names.keys() & schemas.keys():
        for schema in schemas[dataset]:
            names[dataset].update(dict.fromkeys(column.name for column in expanded(schema.columns)))
            types[dataset].update(dict.fromkeys(_types(schema)))
    return {dataset: TableState(Versions(dataset), _vocabulary(names, types, schemas, dataset)) for dataset in names}


def _types(schema: TableSchema) -> Iterator[str]:
    """Yield the types of a schema's columns, and of the fields within them."""
    for column in (*schema.columns, *expanded(schema.columns)):
        if column.data_type and INNER not in column.data_type:
            yield column.data_type


def _vocabulary(
    names: Mapping[str, Iterable[str]],
    types: Mapping[str, Iterable[str]],
    schemas: Mapping[str, Sequence[TableSchema]],
    dataset: str,
) -> Vocabulary:
    stored = schemas.get(dataset, ())
    comments = dict.fromkeys(comment for schema in stored for comment in schema.comments)
    return Vocabulary(tuple(names[dataset]), tuple(types[dataset]), tuple(comments), tuple(stored))


def _rename(old: TableState, new: TableState, seen: TimedObservation) -> None:
    """Continue a table under another name; it replaces a table of that name that the same application dropped."""
    if old.is_new or old.gone is not None:
        return
    replaced = new.gone is not None and new.gone.application == seen.application
    if replaced:
        columns = tuple(
            SchemaColumn(column.name, old.columns.full_type(column), column.derivation)
            for column in old.columns.children("")
        )
        replacement = TableCreated(
            dataset=new.versions.dataset,
            detail=seen.shown.detail,
            replaces=True,
            columns=columns,
            is_complete=True,
            ordered=old.ordered,
        )
        observe(new, replace(seen, shown=replacement))
    else:
        new.take_over(old, seen)
        old.versions.unresolved_changes = []
    old.leave(seen, "table_renamed")


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
    """Return an expression's pattern with the new names; it spells columns as `table.column`."""
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

    >>> skeleton("sum((cast(a as decimal(11,2)) - b), ?)")
    'sum((a - b))'
    """
    pieces: list[list[str]] = [[]]
    casts: list[bool] = []
    for token in _TOKEN.findall(pattern):
        if token.endswith("("):
            casts.append(token == "cast(")
            pieces.append(["" if casts[-1] else token])
        elif token == ")" and casts:
            inner = "".join(pieces.pop())
            inner = inner.rpartition(" as ")[0] if casts.pop() else f"{inner})"
            pieces[-1].append(inner)
        else:
            pieces[-1].append(token)
    return "".join("".join(piece) for piece in pieces).replace(", ?", "")


def _expressions(old: Sequence[KnownEdge], new: Sequence[KnownEdge], other_spark: bool) -> list[LineageChange]:
    """Return the columns that both runs write with different expressions."""
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
    """Return target column, in lower case, to its patterns, its name and its expression."""
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
