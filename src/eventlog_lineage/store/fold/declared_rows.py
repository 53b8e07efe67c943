"""Declarations in the fold: the datasets and jobs that their names mean, and the edges and tags that follow."""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timezone
from fnmatch import fnmatchcase
from operator import attrgetter
from typing import TYPE_CHECKING

from eventlog_lineage.declarations import (
    ALL_COLUMNS,
    EXPOSURE,
    MANUAL,
    PERSONAL,
    PERSONAL_NAMES,
    Declarations,
    DeclaredEdge,
    TagRule,
    Thing,
)
from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.fold.steps import Fold, insert_rows, make_temporary, python_step
from eventlog_lineage.store.schema.declaration import DECLARATIONS, GIVEN_DECLARATIONS
from eventlog_lineage.store.schema.relations import sql_text, texts_of
from eventlog_lineage.store.schema.tables import COLUMN_LINEAGE, EXECUTIONS, TABLE_LINEAGE

if TYPE_CHECKING:
    import duckdb

    from eventlog_lineage.store.schema.declaration import Row

_LOG = logging.getLogger(__name__)

_INFLUENCE = "EXPOSURE"
"""The transformation of an edge from each column of a dataset to an exposure that names the dataset only."""

_SEPARATORS = "./:"
_BEFORE_COLUMN = r"\x01"
"""What separates a dataset from its column where names of columns are matched."""

_DERIVED = frozenset({"IDENTITY", "TRANSFORMATION", "AGGREGATION"})
"""The transformations of edges that bring values (DIRECT)."""


def given_declarations(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
    """Return the declarations of a store as `Declarations.texts` has them; read-only is enough."""
    return connection.execute("SELECT kind, content FROM given_declarations ORDER BY position").fetchall()


@python_step(changes="given_declarations")
def keep_declarations(fold: Fold) -> None:
    """Replace the declarations of the store, if the harvest has some."""
    if fold.declared is None:
        return
    fold.connection.execute("DELETE FROM given_declarations")
    rows = [
        GIVEN_DECLARATIONS.row(position=place, kind=kind, content=content)
        for place, (kind, content) in enumerate(fold.declared.texts())
    ]
    insert_rows(fold.connection, GIVEN_DECLARATIONS, rows)


@python_step(
    reads="given_declarations run_series dataset_names schema_versions",
    makes="given_tags tag_rules",
    changes="declarations column_lineage table_lineage dataset_facts",
)
def declare(fold: Fold) -> None:
    """Enter what is declared, by the names of today; edges are current if they are valid now.

    Raises:
        UsageError: A name can mean several datasets, and there are only declarations to enter.
    """
    connection = fold.connection
    given = Declarations.of(given_declarations(connection))
    things: list[Thing] = []
    unknown: list[str] = []
    if given != Declarations():
        names = _Names(connection)
        things = list(_named_things(given.things, names))
        names.expect_sources(given.edges)
        edges = list(_placed(given.edges, names))
        columns = [(thing.name, thing.column) for thing in things]
        columns += [(source, edge.source_column) for source, _, edge in edges]
        unknown = [*names.unknown, *_unknown_columns(connection, columns)]
        _enter_edges(connection, edges)
        insert_rows(connection, DECLARATIONS, map(_row, things))
        _report_ambiguous(names.ambiguous, is_asked=fold.declared is not None and not fold.has_staged(EXECUTIONS.name))
    _give_tags(connection, things, given.rules)
    if fold.declared is not None:
        _report_unknown([*unknown, *_unused_rules(connection, given.rules)])


def _report_ambiguous(names: Mapping[str, Sequence[str]], *, is_asked: bool) -> None:
    """Report names that can mean several datasets, whose declarations are left out.

    Args:
        names: The names, each with its datasets.
        is_asked: Refuse them. A harvest warns: it keeps its rows, and new tables can make an old name ambiguous.

    Raises:
        UsageError: They are refused.
    """
    if is_asked and names:
        listed = "; ".join(f"{name}: {', '.join(found)}" for name, found in names.items())
        raise UsageError(f"ambiguous declared name {listed}", hint="write more of the name, or a pattern with *")
    for name, found in names.items():
        _LOG.warning("ambiguous declared name: write more of it", extra={"facts": {"name": name, "datasets": found}})


def _report_unknown(names: Sequence[str]) -> None:
    """Report declared names that mean nothing in the store: most are misspelled, or not harvested yet."""
    if names:
        facts = {"count": len(names), "names": list(names[:10])}
        _LOG.warning("declared names match nothing in the store", extra={"facts": facts})


def _unknown_columns(connection: duckdb.DuckDBPyConnection, declared: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield declared columns that their datasets do not have; a dataset without known columns may have any."""
    named = [(dataset, column) for dataset, column in dict.fromkeys(declared) if column not in ("", ALL_COLUMNS)]
    known = _columns(connection, {dataset for dataset, _ in named})
    for dataset, column in named:
        columns = {each.lower().partition(".")[0] for each in known.get(dataset, ())}
        if columns and column.lower().partition(".")[0] not in columns:
            yield f"{dataset}.{column}"


def _unused_rules(connection: duckdb.DuckDBPyConnection, rules: Iterable[TagRule]) -> Iterator[str]:
    """Yield the tags whose rules name columns or datasets, of which there are none."""
    used = texts_of(connection, "SELECT DISTINCT tag FROM given_tags WHERE origin = 'rule'")
    yield from (f"tags.{rule.tag}" for rule in rules if (rule.columns or rule.datasets) and rule.tag not in used)


class _Names:
    """Finds the datasets of the store that declared names mean.

    Attributes:
        ambiguous: Names that several datasets could have, with these.
        unknown: Names that mean nothing in the store.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self.ambiguous: dict[str, list[str]] = {}
        self.unknown: list[str] = []
        self.datasets = texts_of(connection, "SELECT dataset FROM dataset_facts")
        jobs = "SELECT DISTINCT job_name FROM run_series WHERE job_name IS NOT NULL ORDER BY job_name"
        self.jobs = texts_of(connection, jobs)
        self._whole = {name.lower(): name for name in self.datasets}
        for alias, dataset in connection.execute('SELECT "name", dataset FROM dataset_names').fetchall():
            self._whole.setdefault(str(alias).lower(), str(dataset))
        self._endings: dict[str, set[str]] = defaultdict(set)
        for name in self.datasets:
            lowered = name.lower()
            for place, char in enumerate(lowered, 1):
                if char in _SEPARATORS:
                    self._endings[lowered[place:]].add(name)

    def find(self, name: str) -> str:
        """Return the dataset that a name means: the name itself if none has it, empty if several have.

        A name means the dataset of that name, of that alias, or the only one whose name ends with it.
        """
        key = name.lower()
        if key in self._whole:
            return self._whole[key]
        found = self._endings.get(key, set())
        if len(found) > 1:
            self.ambiguous[name] = sorted(found)[:10]
            return ""
        return next(iter(found), name)

    def expect_sources(self, edges: Sequence[DeclaredEdge]) -> None:
        """Note the tables that edges read, but which neither the store nor another edge makes."""
        made = {edge.target.lower() for edge in edges}
        for name in dict.fromkeys(edge.source for edge in edges):
            known = self.find(name).lower() in self._whole or name in self.ambiguous or name.lower() in made
            if not known and _kind(name) == "table" and name not in self.unknown:
                self.unknown.append(name)

    def match(self, pattern: str, of: Iterable[str]) -> list[str]:
        """Return the names that a pattern matches: whole names, or their endings."""
        ending = pattern.lower()
        patterns = (ending, f"*[{_SEPARATORS}]{ending}")
        return [name for name in of if any(fnmatchcase(name.lower(), each) for each in patterns)]

    def add(self, name: str) -> None:
        """Enter a dataset that the store does not have."""
        if name.lower() not in self._whole:
            self._whole[name.lower()] = name
            self.datasets.append(name)
            self._connection.execute(
                "INSERT INTO dataset_facts (dataset, kind, \"format\", location) VALUES (?, ?, '', '')",
                [name, _kind(name)],
            )


def _kind(name: str) -> str:
    if name.startswith(EXPOSURE):
        return "exposure"
    if ":/" in name:
        return "path"
    return "other" if ":" in name else "table"


def _named_things(things: Iterable[Thing], names: _Names) -> Iterator[Thing]:
    """Yield the things with the names that the store has, one for each; a later thing overrides fields."""
    merged: dict[tuple[str, str, str], Thing] = {}
    for thing in things:
        meant = _meant(thing, names)
        if not meant and thing.name not in (*names.ambiguous, *names.unknown):
            names.unknown.append(thing.name)
        for name in meant:
            key = (thing.kind, name, thing.column.lower())
            named = replace(thing, name=name)
            merged[key] = _over(merged[key], named) if key in merged else named
    yield from merged.values()


def _meant(thing: Thing, names: _Names) -> list[str]:
    if thing.kind == "job":
        return names.match(thing.name, names.jobs)
    if thing.kind == "exposure":
        names.add(thing.name)
        return [thing.name]
    if "*" in thing.name:
        return names.match(thing.name, names.datasets)
    found = names.find(thing.name)
    return [found] if found.lower() in {name.lower() for name in (names.datasets if found else ())} else []


def _over(before: Thing, thing: Thing) -> Thing:
    """Return a thing with the fields of a later one where that has them, and the tags of both."""
    said = {key: value for key, value in asdict(thing).items() if value not in ("", None, ())}
    return replace(before, **said | {"tags": tuple(dict.fromkeys((*before.tags, *thing.tags)))})


def _row(thing: Thing) -> Row:
    values = asdict(thing)
    for name in ("name", "column", "tags"):
        del values[name]
    is_job = thing.kind == "job"
    return DECLARATIONS.row(
        dataset=None if is_job else thing.name,
        column_name=thing.column or None,
        job_name=thing.name if is_job else None,
        **values,
    )


def _columns(connection: duckdb.DuckDBPyConnection, datasets: Collection[str]) -> Mapping[str, list[str]]:
    """Return the columns of datasets: those of the schema of today, else those that edges name."""
    if not datasets:
        return {}
    query = sql_text("queries/columns_of_datasets")
    found: dict[str, list[str]] = defaultdict(list)
    for dataset, column in connection.execute(query, {"names": sorted(datasets)}).fetchall():
        found[str(dataset)].append(str(column))
    return found


def _enter_edges(connection: duckdb.DuckDBPyConnection, found: Sequence[tuple[str, str, DeclaredEdge]]) -> None:
    """Enter edges, each with its source and target."""
    columns = _columns(connection, {source for source, target, edge in found if _needs_columns(edge, target)})
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    pairs = {
        (edge.job, source, target): TABLE_LINEAGE.row(
            job_name=edge.job, source_dataset=source, target_dataset=target, mode="", **_span(edge, now)
        )
        for source, target, edge in found
    }
    insert_rows(connection, TABLE_LINEAGE, pairs.values())
    rows = [
        _edge_row(each, source, target, now)
        for source, target, edge in found
        for each in _spelled(edge, target, columns.get(source, ()))
    ]
    insert_rows(connection, COLUMN_LINEAGE, rows)


def _placed(edges: Iterable[DeclaredEdge], names: _Names) -> Iterator[tuple[str, str, DeclaredEdge]]:
    """Yield edges with the datasets that they are between; those that the store does not have are entered."""
    for edge in edges:
        source, target = names.find(edge.source), names.find(edge.target)
        if source and target:
            names.add(source)
            names.add(target)
            yield source, target, edge


def _needs_columns(edge: DeclaredEdge, target: str) -> bool:
    """Return whether what an edge is between follows from the columns of its source."""
    return edge.source_column == ALL_COLUMNS or (_names_no_column(edge) and target.startswith(EXPOSURE))


def _names_no_column(edge: DeclaredEdge) -> bool:
    return not edge.source_column and not edge.target_column


def _spelled(edge: DeclaredEdge, target: str, columns: Iterable[str]) -> Iterator[DeclaredEdge]:
    """Yield the edges between columns of a declared edge.

    An exposure that names a dataset only may show any of its columns: each influences it.
    """
    if edge.source_column == ALL_COLUMNS:
        for column in columns:
            yield replace(edge, source_column=column, target_column=column)
    elif not _names_no_column(edge):
        yield edge
    elif target.startswith(EXPOSURE):
        for column in columns:
            yield replace(edge, source_column=column, transformation=_INFLUENCE)


def _span(edge: DeclaredEdge, now: datetime) -> dict[str, object]:
    start = datetime.fromisoformat(edge.valid_from) if edge.valid_from else None
    end = datetime.fromisoformat(edge.valid_to) if edge.valid_to else None
    is_current = (start is None or start <= now) and (end is None or now < end)
    return {"first_seen": start, "last_seen": end, "run_count": 0, "is_current": is_current, "origin": MANUAL}


def _edge_row(edge: DeclaredEdge, source: str, target: str, now: datetime) -> Row:
    return COLUMN_LINEAGE.row(
        job_name=edge.job,
        source_dataset=source,
        source_column=edge.source_column or None,
        target_dataset=target,
        target_column=edge.target_column or None,
        target_ordinal=None,
        dependency="DIRECT" if edge.transformation in _DERIVED else "INDIRECT",
        transformation=edge.transformation,
        masking=edge.masking,
        expression=edge.expression or edge.source_column,
        confidence="opaque" if edge.transformation == _INFLUENCE else "exact",
        **_span(edge, now),
    )


def _give_tags(connection: duckdb.DuckDBPyConnection, things: Iterable[Thing], rules: Sequence[TagRule]) -> None:
    """Enter the tags that columns and datasets have by themselves, and what becomes of each tag."""
    given = [(thing.name, thing.column or None, tag, thing.origin) for thing in things for tag in thing.tags]
    named = (PERSONAL, *(tag for *_, tag, _ in given), *(rule.masked for rule in rules))
    listed = {tag: TagRule(tag) for tag in named if tag} | {rule.tag: rule for rule in rules}
    flows = map(attrgetter("tag", "masked", "flows"), listed.values())
    make_temporary(connection, "tag_rules", "tag VARCHAR, masked VARCHAR, flows BOOLEAN", flows)
    columns = "dataset VARCHAR, column_name VARCHAR, tag VARCHAR, origin VARCHAR"
    make_temporary(connection, "given_tags", columns, given)
    for tag, named_columns, named_datasets in _named_tags(rules):
        _tag_by_name(connection, tag, named_columns, named_datasets)


def _named_tags(rules: Sequence[TagRule]) -> Iterator[tuple[str, str, str]]:
    """Yield tags, each with the expressions of the columns and of the datasets that have it by their names."""
    for rule in rules:
        yield rule.tag, _of_columns(rule.columns), _either(map(_pattern, rule.datasets))
    if PERSONAL not in {rule.tag for rule in rules}:
        yield PERSONAL, PERSONAL_NAMES, ""


def _either(words: Iterable[str]) -> str:
    """Return the regular expression of names that end with one of some patterns; empty without patterns."""
    listed = "|".join(words)
    return f"^(.*[./:])?({listed})$" if listed else ""


def _pattern(text: str) -> str:
    """Return a pattern with `*` as DuckDB's regular expressions (RE2) write it."""
    return ".*".join(map(re.escape, text.lower().split("*")))


def _of_columns(patterns: Iterable[str]) -> str:
    """Return the regular expression of columns that one of some patterns of `dataset.column` matches.

    A dot of the pattern is the one before the column, or all of it is the column's name: `*.phone*` does not match the
    other columns of a table `phone_book`. `crm.*` is each column of a dataset below `crm`.
    """
    return _either(word for each in patterns for word in _split_patterns(each))


def _split_patterns(text: str) -> Iterator[str]:
    yield rf"[^{_BEFORE_COLUMN}]*{_BEFORE_COLUMN}(.*\.)?{_pattern(text)}"
    for match in re.finditer(r"\.", text):
        dataset, column = _pattern(text[: match.start()]), _pattern(text[match.end() :])
        inner = r"(\..*)?" if column == ".*" else ""
        yield f"{dataset}{inner}{_BEFORE_COLUMN}{column}"


def _tag_by_name(connection: duckdb.DuckDBPyConnection, tag: str, columns: str, datasets: str) -> None:
    """Tag the columns and datasets whose names match; an empty expression matches none."""
    if not columns and not datasets:
        return
    values = {"tag": tag, "columns": columns, "datasets": datasets}
    connection.execute(sql_text("queries/tagged_by_name"), values)
