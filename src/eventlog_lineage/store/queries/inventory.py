"""Datasets and columns of a store: their names, keys, tags, functions, the places of their values, what is unused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.errors import DOCS, StoreError, UsageError
from eventlog_lineage.safe_text import escape_controls
from eventlog_lineage.store.queries import row_types
from eventlog_lineage.store.queries.open_store import Answer, OpenStore, Target, check_dataset, check_name, find_target
from eventlog_lineage.store.schema.declaration import TAGS
from eventlog_lineage.store.schema.relations import sql_text

from .paths import labels

if TYPE_CHECKING:
    from eventlog_lineage.history.job_names import JobNameRule


def datasets(
    store: OpenStore, pattern: str, *, unread: bool = False, unwritten: bool = False, temporary: bool = False
) -> Answer:
    """List datasets.

    Args:
        pattern: A part of the name, or a pattern with `*`, `?` and `[…]` for the whole name or an ending of it; case
            does not count. Empty for all.
        temporary: Also temporary views, which belong to one application; they come last.

    Returns:
        dataset, kind, format, columns (how many), last_written, last_read, writers and readers (jobs), location.
    """
    chosen = {"pattern": pattern, "unread": unread, "unwritten": unwritten, "temporary": temporary}
    return store.ask(sql_text("queries/ls"), chosen)


def find(store: OpenStore, word: str) -> Answer:
    """Find the datasets, columns, jobs and expressions with a word in them; case does not count.

    Returns:
        kind (`dataset`, `column`, `job`, `expression`), name, detail (a type, an alias, an expression). The name of an
        expression is that of the column that it makes. Names that are or begin with the word come first.
    """
    if not word.strip():
        raise UsageError("no word to find", hint="give a part of a name or of an expression")
    return store.ask(sql_text("queries/find"), {"word": word})


def names_with(store: OpenStore, written: str, *, columns: bool, most: int) -> list[str]:
    """Return the names that a user may be about to write."""
    asked = {"written": written, "columns": columns, "most": most}
    return [str(name) for (name,) in store.ask(sql_text("queries/names_with"), asked).rows]


_EQUAL = ("=", "<=>")
_NOT_A_WORD = re.compile(r"\W+")
_TYPE = re.compile(r"[A-Za-z_]\w*")


def keys(store: OpenStore, asked: str | None = None) -> Answer:
    """Return the columns that jobs join with each other, the pairs of most jobs first.

    Returns:
        dataset, column_name, operator, joined_dataset, joined_column, runs, first_seen, last_seen, jobs, expression.
    """
    target = find_target(store, asked) if asked else Target()
    wanted = {"job": target.job, "dataset": target.dataset, "column": target.column}
    return store.ask(sql_text("queries/keys"), wanted)


def entity_lines(store: OpenStore, found: Answer) -> Iterator[str]:
    """Yield the model that joins imply as a Mermaid `erDiagram`.

    Logs do not show how many rows match: each relation is many to many.
    """
    pairs = [row for row in found.records() if row["operator"] in _EQUAL]
    columns: dict[str, dict[str, None]] = {}
    for row in pairs:
        columns.setdefault(str(row["dataset"]), {})[str(row["column_name"])] = None
        columns.setdefault(str(row["joined_dataset"]), {})[str(row["joined_column"])] = None
    types, known = _types(store, list(columns)), labels(store, columns)
    yield "erDiagram"
    for dataset in sorted(columns):
        label = f"[{_quoted(known[dataset])}]" if dataset in known else ""
        yield f"    {_quoted(dataset)}{label} {{"
        for column in columns[dataset]:
            kind = _TYPE.match(types.get((dataset, column.lower()), ""))
            name = _NOT_A_WORD.sub("_", column)
            comment = f' "{_plain(column)}"' if name != column else ""
            yield f"        {kind[0] if kind else 'unknown'} {name}{comment}"
        yield "    }"
    for row in pairs:
        label = f"{row['column_name']} = {row['joined_column']}"
        yield f'    {_quoted(row["dataset"])} }}o--o{{ {_quoted(row["joined_dataset"])} : "{_plain(label)}"'


def _types(store: OpenStore, datasets: list[str]) -> dict[tuple[str, str], str]:
    query = """
        SELECT dataset, lower(column_name), any_value(data_type) FROM schema_versions
        WHERE valid_to IS NULL AND dataset IN (SELECT unnest(?))
        GROUP BY ALL
    """
    return {(str(dataset), str(column)): str(kind or "") for dataset, column, kind in store.ask(query, [datasets]).rows}


def _quoted(dataset: object) -> str:
    return f'"{_plain(dataset)}"'


def _plain(text: object) -> str:
    return escape_controls(" ".join(str(text).replace('"', "'").split()))


_SPARK_FUNCTIONS = Path(__file__).parent / "spark_functions.txt"
"""The names of Spark's functions in lower case, sorted, and the words that its expressions print before a `(`.

A call of anything else is a function of a user. `function` and `script` are missing on purpose: Spark prints a typed
lambda and a TRANSFORM script so.
"""


def user_functions(store: OpenStore) -> Answer:
    """List the functions that are none of Spark's.

    Returns:
        function, kind (`python`, `hive`, `scala or java`, `script`, `typed function`), operators that run it, inputs
        (columns), results (columns), jobs. Inputs and results are those of current edges; a function of a query that
        writes nothing has none.
    """
    return store.ask(sql_text("queries/udfs"), {"spark": _SPARK_FUNCTIONS.read_text(encoding="ascii").split()})


def tags(  # noqa: PLR0913 - what a question can ask for
    store: OpenStore,
    asked: str | None = None,
    *,
    tag: str | None = None,
    derived: bool = False,
    unmasked: bool = False,
    since: datetime | None = None,
) -> Answer:
    """Return the tags of columns and datasets.

    Args:
        unmasked: Only where a path brings the value without a mask.
        since: Only where an unmasked path is complete since this time, UTC without a zone.

    Returns:
        dataset, column_name (NULL for the dataset as a whole), tag, origin (`file`, `dbt`, `rule`, `derived`), masked;
        of a derived tag source_dataset and source_column (where it begins) and via (the column before); owner.

    Raises:
        StoreError: A program without tags wrote the store.
        UsageError: The name means nothing in the store, or several things.
    """
    check_tags(store)
    dataset, column = check_name(store, asked) if asked is not None else (None, "")
    values = {"dataset": dataset, "column": column.lower(), "tag": tag}
    return store.ask(sql_text("queries/tags"), {**values, "derived": derived, "unmasked": unmasked, "since": since})


def tag_names(store: OpenStore) -> list[str]:
    """Return the tags that columns and datasets of the store have.

    Raises:
        StoreError: A program without tags wrote the store.
    """
    check_tags(store)
    return [str(tag) for (tag,) in store.ask("SELECT DISTINCT tag FROM tags ORDER BY tag").rows]


def check_tags(store: OpenStore) -> None:
    """Check that a store has tags: without them, nothing would be tagged.

    Raises:
        StoreError: A program without tags wrote the store.
    """
    query = "SELECT 1 FROM duckdb_tables() WHERE table_name = ? AND database_name = current_database()"
    if not store.ask(query, [TAGS.name]).rows:
        hint = "the next harvest adds them, or `eventlog-lineage declare --none`"
        raise StoreError("the store has no tags: an earlier version of the program wrote it", str(store.store), hint)


_UPSTREAM = sql_text("queries/places_of_values", end="source", macro="upstream")
_DOWNSTREAM = sql_text("queries/places_of_values", end="target", macro="downstream")

_Place = dict[str, object]
_Places = dict[tuple[str, str], _Place]
"""The places found so far, in order, by dataset and column in lower case."""


def _add(places: _Places, holds: str, found: Iterable[Mapping[str, object]]) -> list[_Place]:
    """Add places that are not known yet; return these."""
    new = []
    for each in found:
        key = (str(each["dataset"]), str(each["column_name"]).lower())
        if key not in places:
            places[key] = {"via": None, "masked": None, **each, "holds": holds}
            new.append(places[key])
    return new


def _further_places(store: OpenStore, places: _Places, frontier: list[_Place]) -> list[_Place]:
    """Add what some columns are made of and what is made of them; return the columns that are joined with these."""
    names = [f"{each['dataset']}.{each['column_name']}" for each in frontier]
    new = [*frontier, *_add(places, "source", store.ask(_UPSTREAM, [names]).records())]
    for each in store.ask(_DOWNSTREAM, [names]).records():
        new += _add(places, _holds(each, places), [each])
    return _add(places, "joined", _joined(store, [each for each in new if each["holds"] != "aggregate"]))


def erasure(store: OpenStore, asked: str) -> Answer:
    """Return every place that holds a column's values, or has rows that are found by them.

    Returns:
        holds (`origin`; `source`, that it is made of; `copy`, `derived`, `aggregate`, made of it; `joined`, compared
        with it for equality; `related`, a key of another dataset whose rows are joined with rows of a holding one),
        dataset, column_name, masked, place (`catalog` for tables and views, else the kind of dataset), location, via
        (the column that it is joined with), expression, jobs, last_seen (of the dataset).

    Raises:
        UsageError: The name is not a column of the store.
    """
    dataset, column = check_name(store, asked, tables_first=True)
    if not column:
        raise UsageError(f"{asked} is a dataset", hint="name the column that identifies a person")
    places: _Places = {}
    frontier = _add(places, "origin", [{"dataset": dataset, "column_name": column}])
    while frontier:
        frontier = _further_places(store, places, frontier)
    whole = [each for each in places.values() if each["holds"] != "aggregate"]
    known = {each["dataset"] for each in whole}
    others = (each for each in _joined(store, whole, any_column=True) if each["dataset"] not in known)
    _add(places, "related", others)
    return Answer(tuple(row_types.Place.__annotations__), list(_rows(store, places.values())))


def _holds(edge: Mapping[str, object], places: _Places) -> str:
    """Return what a column holds that is made of known ones; a copy of an aggregate is an aggregate."""
    sources = edge["sources"] if isinstance(edge["sources"], list) else []
    known = [places[source, column]["holds"] for source, column in sources if (source, column) in places]
    if known and all(each == "aggregate" for each in known):
        return "aggregate"
    return {"IDENTITY": "copy", "AGGREGATION": "aggregate"}.get(str(edge["transformation"]), "derived")


def _joined(
    store: OpenStore, columns: Iterable[Mapping[str, object]], *, any_column: bool = False
) -> Iterator[dict[str, object]]:
    asked = list(columns)
    parameters = {
        "datasets": [each["dataset"] for each in asked],
        "columns": [each["column_name"] for each in asked],
        "any_column": any_column,
    }
    return store.ask(sql_text("queries/joined_columns"), parameters).records()


def _rows(store: OpenStore, places: Iterable[Mapping[str, object]]) -> Iterator[tuple[object, ...]]:
    known = store.ask("SELECT dataset, kind, location, last_seen FROM datasets").rows
    facts = {dataset: values for dataset, *values in known}
    for each in places:
        kind, location, last_seen = facts.get(each["dataset"], (None, None, None))
        place = "catalog" if kind in {"table", "view"} else kind
        masked = each["masked"] if each["holds"] in {"copy", "derived", "aggregate"} else None
        first = (each["holds"], each["dataset"], each["column_name"], masked, place, each["via"], each.get("jobs"))
        yield (*first, location or None, each.get("expression"), last_seen)


CAVEAT = (
    "Only what the harvested logs show counts: reads by other engines, notebooks without event logs and runs that were "
    f"not harvested are not seen. See {DOCS}/questions.md#what-is-not-used."
)


def unused(store: OpenStore, since: datetime) -> Answer:
    """Return the datasets and columns that were written since a time and that no statement has read since then.

    Args:
        since: From this time on, UTC without a zone.

    Returns:
        kind (`dataset_never_read`, `column_never_read`, `column_read_for_nothing`: read, but nothing is made of it),
        dataset, column_name, last_written, last_read (of the dataset), jobs that write it, executor_seconds that its
        stored runs cost (a column: an equal share). A statement that reads what it writes does not count as a reader.
    """
    found = store.ask(sql_text("queries/unused"), {"since": since, "span": None})
    return found.without("ordinal", "first_written")


def unread(store: OpenStore, span: timedelta) -> Answer:
    """Return the datasets and columns that were not read for a span of time; what is newer than that is left out.

    Args:
        span: Counted back from the start of the newest run in the store, so that a store that was not harvested for a
            while returns the same answer.

    Returns:
        kind (`dataset_never_read`, `dataset_unread`, `column_never_read`, `column_unread`, `column_read_for_nothing`),
        dataset, column_name, first_written, last_written, last_read, jobs that write it, executor_seconds that its
        stored runs cost (a column: an equal share).
    """
    found = store.ask(sql_text("queries/unused"), {"since": None, "span": span})
    return found.without("ordinal")


def columns(store: OpenStore, asked: str) -> Answer:
    """Return a dataset's columns today: their types, and how its current writers make them.

    Raises:
        UsageError: The name is not a dataset of the store.
    """
    return store.ask(sql_text("queries/columns"), [check_dataset(store, asked)])


def has_declarations(store: OpenStore) -> bool:
    """Return whether files declare something of the store."""
    return bool(store.ask("FROM given_declarations LIMIT 1").rows)


def gaps(store: OpenStore, *, every: bool = False) -> Answer:
    """Return what could not be resolved, by reason with the first example, or every gap."""
    return store.ask(sql_text("queries/all_gaps" if every else "queries/gaps"))


def jobs(store: OpenStore, rule: JobNameRule | None = None) -> Answer:
    """Return the store's jobs, as a rule names them."""
    from eventlog_lineage.store.fold.stored_names import name_statements, stored_rule  # noqa: PLC0415 - the other questions start without it

    if rule is None or rule == stored_rule(store.connection):
        return store.ask(sql_text("queries/jobs", named="executions"))
    name_statements(store.connection, rule, "applications")
    return store.ask(sql_text("queries/jobs", named="named_statements"))
