"""Every place that holds a value, or has rows that are found by it: what an erasure has to look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.schema.ddl import sql_text

from .asked_names import check_name

ORIGIN, SOURCE, COPY, DERIVED, AGGREGATE, JOINED, RELATED = (
    "origin",
    "source",
    "copy",
    "derived",
    "aggregate",
    "joined",
    "related",
)

_EDGES = """
SELECT {end}_dataset AS dataset, {end}_column AS column_name, min(depth) AS hops, bool_and(masked) AS masked,
       any_value(transformation ORDER BY depth, transformation) AS transformation,
       any_value(expression ORDER BY depth, expression) AS expression, list_sort(list(DISTINCT job_name)) AS jobs,
       list(DISTINCT [source_dataset, lower(source_column)]) AS sources
FROM {macro}(CAST(? AS VARCHAR[]), direct_only := true)
WHERE target_column IS NOT NULL AND {end}_column IS NOT NULL AND source_dataset IS NOT NULL
GROUP BY ALL
ORDER BY hops, dataset, column_name
"""
_UPSTREAM = _EDGES.format(end="source", macro="upstream")
_DOWNSTREAM = _EDGES.format(end="target", macro="downstream")

Column = tuple[str, str]
"""A dataset, and its column in lower case."""


@dataclass(slots=True)
class _Places:
    """The places found so far, in order.

    Attributes:
        rows: Column to its row.
    """

    rows: dict[Column, dict[str, object]] = field(default_factory=dict)

    def add(self, holds: str, found: Iterable[Mapping[str, object]]) -> list[dict[str, object]]:
        """Add places that are not known yet; return these."""
        new = []
        for each in found:
            key = (str(each["dataset"]), str(each["column_name"]).lower())
            if key not in self.rows:
                self.rows[key] = {"via": None, "masked": None, **each, "holds": holds}
                new.append(self.rows[key])
        return new


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
    places = _Places()
    frontier = places.add(ORIGIN, [{"dataset": dataset, "column_name": column}])
    while frontier:
        names = [f"{each['dataset']}.{each['column_name']}" for each in frontier]
        new = [*frontier, *places.add(SOURCE, store.ask(_UPSTREAM, [names]).records())]
        for each in store.ask(_DOWNSTREAM, [names]).records():
            new += places.add(_holds(each, places), [each])
        holding = [each for each in new if each["holds"] != AGGREGATE]
        frontier = places.add(JOINED, _joined(store, holding))
    whole = [each for each in places.rows.values() if each["holds"] != AGGREGATE]
    known = {each["dataset"] for each in whole}
    others = (each for each in _joined(store, whole, any_column=True) if each["dataset"] not in known)
    places.add(RELATED, others)
    return Answer(_NAMES, list(_rows(store, places.rows.values())))


_NAMES = ("holds", "dataset", "column_name", "masked", "place", "via", "jobs", "location", "expression", "last_seen")


def _holds(edge: Mapping[str, object], places: _Places) -> str:
    """Return what a column holds that is made of known ones; a copy of an aggregate is an aggregate."""
    sources = edge["sources"] if isinstance(edge["sources"], list) else []
    known = [places.rows[source, column]["holds"] for source, column in sources if (source, column) in places.rows]
    if known and all(each == AGGREGATE for each in known):
        return AGGREGATE
    return {"IDENTITY": COPY, "AGGREGATION": AGGREGATE}.get(str(edge["transformation"]), DERIVED)


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
    facts = {
        str(dataset): (kind, location, last_seen)
        for dataset, kind, location, last_seen in store.ask(
            "SELECT dataset, kind, location, last_seen FROM datasets"
        ).rows
    }
    for each in places:
        kind, location, last_seen = facts.get(str(each["dataset"]), (None, None, None))
        place = "catalog" if kind in {"table", "view"} else kind
        masked = each["masked"] if each["holds"] in {COPY, DERIVED, AGGREGATE} else None
        first = (each["holds"], each["dataset"], each["column_name"], masked, place, each["via"], each.get("jobs"))
        yield (*first, location or None, each.get("expression"), last_seen)
