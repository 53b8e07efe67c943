"""What a dbt project declares: owners, descriptions, tags, freshness and exposures.

The manifest is that of dbt 1.x (schemas v7 to v12): `nodes`, `sources`, `exposures` and `groups` by unique ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .things import EXPOSURE, Declarations, DeclaredEdge, Thing

_TABLE_TYPES = frozenset({"model", "seed", "snapshot", "source"})
_PERIODS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 2_592_000}
_QUOTES = re.compile(r"[`\"\[\]]")
_CALL = re.compile(r"(?:ref|source)\((.*)\)", re.DOTALL)
_WORD = re.compile(r"['\"]([^'\"]+)['\"]")
_RECENCY = frozenset({"recency", "expect_row_values_to_have_recent_data"})

Entry = Mapping[str, Any]


def is_manifest(content: object) -> bool:
    """Return whether a JSON document is a manifest of dbt."""
    return isinstance(content, dict) and isinstance(content.get("nodes"), dict) and "exposures" in content


def manifest(content: Entry) -> Declarations:
    """Return the declarations of a manifest."""
    groups = {each.get("name"): _owner(each.get("owner")) for each in _values(content, "groups")}
    tables = dict(_tables(content))
    names = {key: relation(each) for key, each in tables.items()}
    due = _recency_tests(content)
    things = [each for key, table in tables.items() for each in _things(names[key], table, groups, due.get(key))]
    edges: list[DeclaredEdge] = []
    for exposure in _values(content, "exposures"):
        things.append(_exposure(exposure))
        used = (exposure.get("depends_on") or {}).get("nodes") or ()
        edges += _uses(things[-1].name, [names[key] for key in used if key in names])
    return Declarations(tuple(things), tuple(edges))


def _tables(content: Entry) -> Iterator[tuple[str, Entry]]:
    for part in ("nodes", "sources"):
        for key, each in (content.get(part) or {}).items():
            if isinstance(each, dict) and each.get("resource_type") in _TABLE_TYPES:
                yield key, each


def properties(content: Entry) -> Declarations:
    """Return the declarations of a `schema.yml`, whose models have no schema: their names are endings."""
    things: list[Thing] = []
    edges: list[DeclaredEdge] = []
    for part in ("models", "seeds", "snapshots"):
        for each in _list(content, part):
            things += _things(str(each.get("name", "")), {**each, "columns": _by_name(each)}, {}, None)
    for source in _list(content, "sources"):
        schema = source.get("schema") or source.get("name", "")
        for table in _list(source, "tables"):
            merged = {**source, **table, "columns": _by_name(table)}
            things += _things(f"{schema}.{table.get('identifier') or table.get('name')}", merged, {}, None)
    for exposure in _list(content, "exposures"):
        things.append(_exposure(exposure))
        used = [_named(str(each)) for each in exposure.get("depends_on") or ()]
        edges += _uses(things[-1].name, [name for name in used if name])
    return Declarations(tuple(things), tuple(edges))


def relation(entry: Entry) -> str:
    """Return the name of a node's table as Spark prints it: `schema.alias`, with the catalog where it is another one.

    dbt-spark's `relation_name` is `schema`.`alias`; adapters with three levels print the database before it.

    >>> relation({"relation_name": "`sales`.`daily`"}), relation({"schema": "sales", "name": "daily"})
    ('sales.daily', 'sales.daily')
    """
    if name := entry.get("relation_name"):
        return _QUOTES.sub("", str(name))
    table = entry.get("alias") or entry.get("identifier") or entry.get("name") or ""
    return f"{entry['schema']}.{table}" if entry.get("schema") else str(table)


def _uses(target: str, sources: list[str]) -> list[DeclaredEdge]:
    return [DeclaredEdge(source, target, job=target) for source in sources]


def _named(call: str) -> str:
    """Return the table of `ref('daily')` or `source('crm', 'customers')`; a version of a model is left out."""
    match = _CALL.search(call)
    words = _WORD.findall(match[1]) if match else []
    return ".".join(words) if call.strip().startswith("source") else words[-1] if words else ""


def _exposure(entry: Entry) -> Thing:
    return Thing(
        "exposure",
        EXPOSURE + str(entry.get("name", "")),
        owner=_owner(entry.get("owner")),
        contact=_contact(entry.get("owner")),
        description=str(entry.get("description") or entry.get("label") or ""),
        type=str(entry.get("type") or ""),
        url=str(entry.get("url") or ""),
        tags=_tags(entry),
        origin="dbt",
    )


def _things(name: str, entry: Entry, groups: Mapping[Any, str], due: int | None) -> Iterator[Thing]:
    config = entry.get("config") or {}
    own = {**config, **{key: value for key, value in entry.items() if value}}
    meta = {**(config.get("meta") or {}), **(entry.get("meta") or {})}
    yield Thing(
        "dataset",
        name,
        owner=_owner(meta.get("owner")) or groups.get(own.get("group"), ""),
        contact=str(meta.get("contact") or meta.get("slack") or _contact(meta.get("owner"))),
        description=str(entry.get("description") or ""),
        due_seconds=_freshness(own.get("freshness")) or due,
        tags=_tags(entry),
        origin="dbt",
    )
    columns = entry.get("columns")
    for column in columns.values() if isinstance(columns, Mapping) else ():
        found = _column(name, column)
        if found.description or found.tags or found.owner:
            yield found


def _column(dataset: str, entry: Entry) -> Thing:
    return Thing(
        "column",
        dataset,
        str(entry.get("name", "")),
        owner=_owner((entry.get("meta") or {}).get("owner")),
        description=str(entry.get("description") or ""),
        tags=_tags(entry),
        origin="dbt",
    )


def _owner(value: object) -> str:
    if isinstance(value, Mapping):
        return str(value.get("name") or value.get("email") or "")
    return value if isinstance(value, str) else ""


def _contact(value: object) -> str:
    email = value.get("email") if isinstance(value, Mapping) else ""
    return email if isinstance(email, str) else ""


def _tags(entry: Entry) -> tuple[str, ...]:
    """Return the tags of an entry and of its `config`, where dbt 1.10 moved them."""
    found: list[str] = []
    for value in (entry.get("tags"), (entry.get("config") or {}).get("tags")):
        found += [value] if isinstance(value, str) else [str(each) for each in value or ()]
    return tuple(dict.fromkeys(found))


def _freshness(value: object) -> int | None:
    """Return the seconds of the strictest of a source's limits; None without one."""
    limits = [value.get(key) for key in ("warn_after", "error_after")] if isinstance(value, Mapping) else []
    spans = [_seconds(each.get("period"), each.get("count")) for each in limits if isinstance(each, Mapping)]
    return min((span for span in spans if span), default=None)


def _recency_tests(content: Entry) -> dict[str, int]:
    """Return the seconds that tests of recency allow, by the node that they test."""
    found: dict[str, int] = {}
    for each in _values(content, "nodes"):
        test = each.get("test_metadata") or {}
        arguments = test.get("kwargs") or {}
        span = _seconds(arguments.get("datepart"), arguments.get("interval"))
        if test.get("name") in _RECENCY and span:
            found[str(each.get("attached_node"))] = span
    return found


def _seconds(period: object, count: object) -> int | None:
    if not isinstance(count, int) or count <= 0:
        return None
    return _PERIODS.get(str(period), 0) * count or None


def _values(content: Entry, part: str) -> list[dict[str, Any]]:
    return [each for each in (content.get(part) or {}).values() if isinstance(each, dict)]


def _list(content: Entry, part: str) -> list[dict[str, Any]]:
    return [each for each in content.get(part) or () if isinstance(each, dict)]


def _by_name(entry: Entry) -> dict[str, Any]:
    return {str(each.get("name", "")): each for each in _list(entry, "columns")}
